package convert_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/service/convert"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"

	"gopkg.in/yaml.v3"
)

const more = "../../../shared/more"

// A cause is why rules are violated after a conversion that lost nothing.
type cause struct {
	To    model.Syntax `yaml:"to"`
	Rules []string     `yaml:"rules"`
	Cause string       `yaml:"cause"`
}

func causes(t *testing.T) []cause {
	t.Helper()
	data, err := os.ReadFile("testdata/conversions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Causes []cause `yaml:"causes"`
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Causes {
		if c.Cause == "" || len(c.Rules) == 0 {
			t.Errorf("%+v has no cause or no rules", c)
		}
	}
	return file.Causes
}

// A valid document that loses nothing when it is converted to the other syntax is valid
// there by the rules of its profile, or the conversion names the rules that it violates,
// and these have a cause.
func TestLosslessConversionsAreValid(t *testing.T) {
	test := losslessTest{t, kittest.Kit(t), causes(t), map[[2]string]bool{}, 0}
	documents := 0
	for _, folder := range []string{suites, more} {
		if _, err := os.Stat(folder); err != nil {
			t.Skip("no suites to read: " + err.Error())
		}
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".xml" {
				return err
			}
			if documents++; !sampled.Takes(documents, 4) {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			result, err := test.service.Validate(context.Background(), data, validate.Rules{})
			if err == nil && result.Report.Valid { // what cannot be read is not a valid document
				test.convert(d.Name(), result.Document)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if test.lossless < sampled.Of(800, 5) {
		t.Errorf("only %d documents were converted without a loss; are the folders complete?", test.lossless)
	}
	for _, c := range test.causes {
		if !sampled.Whole() { // what a part shows says nothing of the others
			break
		}
		for _, rule := range c.Rules {
			if !test.seen[[2]string{string(c.To), rule}] {
				t.Errorf("%s to %s is listed, but happens no more", rule, c.To)
			}
		}
	}
}

type losslessTest struct {
	*testing.T
	service  *operation.Kit
	causes   []cause
	seen     map[[2]string]bool
	lossless int
}

func (l *losslessTest) convert(file string, doc *model.Document) {
	to := model.UBL
	if doc.Syntax == to {
		to = model.CII
	}
	conversion, err := convert.Document(context.Background(), l.service.Service, doc, to)
	if err != nil {
		l.Fatal(err)
	}
	if formats.Lost(conversion.Losses) > 0 {
		return
	}
	l.lossless++
	result, err := l.service.Validate(context.Background(), conversion.Data, validate.Rules{})
	if err != nil {
		l.Fatal(err)
	}
	var told []string
	for _, loss := range conversion.Losses {
		if loss.Kind != formats.Violated {
			continue
		}
		told = append(told, loss.Value)
		l.seen[[2]string{string(to), loss.Value}] = true
		if !slices.ContainsFunc(l.causes, func(c cause) bool { return c.To == to && slices.Contains(c.Rules, loss.Value) }) {
			l.Errorf("%s to %s: %s has no cause: %s", file, to, loss.Value, loss.Reason)
		}
	}
	if result.Report.Valid != (len(told) == 0) {
		l.Errorf("%s to %s: valid %t, and the conversion names %q", file, to, result.Report.Valid, told)
	}
}
