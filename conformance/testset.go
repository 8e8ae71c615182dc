package conformance

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// A variant is one of the documents in a test file, with what its authors expect.
type variant struct {
	name   string
	data   []byte
	fires  []string
	passes []string
}

// readTestSet reads the documents in a testSet file of the CEN repository. Each test has
// assertions (success: the rule passes; error and warning: it fires), followed by the
// document. How often an error is expected is ignored, because only the rules that fire
// are compared, not how often a stylesheet repeats them.
func readTestSet(text []byte) ([]variant, error) {
	all, err := readMarkup(text)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("there is no testSet")
	}
	var out []variant
	for i := 0; i < len(all); i++ {
		if !all[i].open || all[i].name != "test" {
			continue
		}
		v, err := readTest(text, all[i+1:all[i].match], i+1)
		if err != nil {
			return nil, fmt.Errorf("test %d: %w", len(out)+1, err)
		}
		v.name = fmt.Sprint(len(out) + 1)
		out = append(out, v)
		i = all[i].match
	}
	if len(out) == 0 {
		return nil, errors.New("the testSet holds no test")
	}
	return out, nil
}

// readTest reads the content of a test. offset is the index of inside[0] in the markup of
// the file.
func readTest(text []byte, inside []markup, offset int) (v variant, err error) {
	for i := 0; i < len(inside); i++ {
		p := inside[i]
		if !p.open {
			continue
		}
		end := inside[p.match-offset]
		if p.name != "assert" {
			v.data = bytes.Join([][]byte{[]byte(xml.Header), text[p.start:end.end], []byte("\n")}, nil)
			return v, nil
		}
		for j := i + 1; j < p.match-offset; j++ {
			e := inside[j]
			if !e.open {
				continue
			}
			rule := strings.TrimSpace(string(text[e.end:inside[e.match-offset].start]))
			switch e.name {
			case "success":
				v.passes = append(v.passes, rule)
			case "error", "warning", "fatal":
				v.fires = append(v.fires, rule)
			}
		}
		i = p.match - offset
	}
	return v, errors.New("there is no document after the assertions")
}
