package engine

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"einvoice/model/pattern"

	"gopkg.in/yaml.v3"
)

// blockMistake are the errors of package yaml whose line is that of the mapping or list
// around the mistake, which may be hundreds of lines long.
var blockMistake = pattern.Later(`^yaml: (?:line \d+: )?(did not find expected key|did not find expected '-' indicator)$`)

// unknownAnchor is an error of package yaml that has no line.
var unknownAnchor = pattern.Later(`^yaml: unknown anchor '(.*)' referenced$`)

// narrowed is an error of package yaml with the line that it is about, where it names
// another: that with which the beginning of the file ceases to be YAML.
func narrowed(ctx context.Context, data []byte, err error) error {
	text := err.Error()
	if m := unknownAnchor().FindStringSubmatch(text); m != nil {
		before, _, _ := strings.Cut(string(data), "*"+m[1])
		return fmt.Errorf("yaml: line %d: %s", 1+strings.Count(before, "\n"), strings.TrimPrefix(text, "yaml: "))
	}
	m := blockMistake().FindStringSubmatch(text)
	if m == nil {
		return err
	}
	ends := lineEnds(data)
	good, bad := 0, len(ends) // lines
	for bad-good > 1 && ctx.Err() == nil {
		middle := (good + bad) / 2
		var n yaml.Node
		if failed := yaml.Unmarshal(data[:ends[middle-1]], &n); failed != nil && blockMistake().MatchString(failed.Error()) {
			bad = middle
		} else {
			good = middle
		}
	}
	return fmt.Errorf("yaml: line %d: %s", bad, m[1])
}

// lineEnds are the places behind the lines.
func lineEnds(data []byte) (ends []int) {
	for i := 0; i < len(data); {
		end := bytes.IndexByte(data[i:], '\n')
		if end < 0 {
			return append(ends, len(data))
		}
		i += end + 1
		ends = append(ends, i)
	}
	return ends
}
