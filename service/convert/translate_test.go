package convert_test

import (
	"io/fs"
	"regexp"
	"testing"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/convert"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// The message of a rule that only the result violates is said in the language that is asked for,
// whatever the other losses are.
func TestTranslate(t *testing.T) {
	s := kittest.Kit(t)
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	// The artefact for UBL tolerates a difference of less than 1, that for CII does not.
	data = regexp.MustCompile(`(<cbc:TaxableAmount[^>]*>\d+)\.\d\d`).ReplaceAll(data, []byte("$1.37"))
	doc, err := s.Read(t.Context(), data, validate.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := convert.Document(t.Context(), s.Service, doc, model.CII)
	if err != nil {
		t.Fatal(err)
	}
	english := map[string]string{}
	for _, l := range c.Losses {
		if l.Kind == formats.Violated {
			english[l.Value] = l.Reason
		}
	}
	if english["BR-S-08"] == "" {
		t.Fatalf("the result violates %v", english)
	}
	for _, tag := range []string{"de", "fr"} {
		language, err := s.Library().Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Translate(language); err != nil {
			t.Fatal(err)
		}
		for _, l := range c.Losses {
			if english[l.Value] == l.Reason {
				t.Errorf("%s: %s is said in English: %s", tag, l.Value, l.Reason)
			}
		}
	}
}
