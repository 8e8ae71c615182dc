package formats_test

import (
	"os"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

// A document that can be read can be written in both syntaxes. Reading the result
// gives the same invoice, except for what the losses report.
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
				t.Errorf("%s differs in %q, and no loss reports it\n%s", to, got, c.Data)
			}
		}
	})
}
