package formats_test

import (
	"os"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

// Whatever can be read can be written in both syntaxes, and what was written is
// read as what it was written from, but for what is told.
func FuzzConvert(f *testing.F) {
	for _, file := range fullSamples {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			return
		}
		for _, to := range []model.Syntax{model.UBL, model.CII} {
			made, c := convert(t, doc, to)
			if len(c.Losses) > 0 {
				continue
			}
			if got := differences(withoutGroups(termsOf(doc)), withoutGroups(termsOf(made))); len(got) > 0 {
				t.Errorf("%s differs in %q, and nothing is told\n%s", to, got, c.Data)
			}
		}
	})
}
