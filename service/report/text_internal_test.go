package report

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
)

// Lines end at spaces, and at no no-break space.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"la TVA\u202f; non", 7, []string{"la", "TVA\u202f;", "non"}},
		{"prix\u00a0: 2\tou 3", 6, []string{"prix\u00a0:", "2 ou 3"}},
		{"a\n\nb", 5, []string{"a", "", "b"}},
	} {
		if got := Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// The head of a finding is in the language of the report, whoever gave it its level.
func TestHeadOfFindingIsTranslated(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	english := regexp.MustCompile(`\b(overlay|published|as|error|warning)\b`)
	for _, tag := range []string{"de", "fr"} {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		writer := &textWriter{options: Options{Words: language}}
		for _, level := range []engine.Level{engine.Fatal, engine.Warning, engine.Information} {
			for _, published := range []engine.Level{"", engine.Fatal, engine.Warning, engine.Information} {
				for _, overlay := range []string{"", "acme", "acme, more"} {
					var b bytes.Buffer
					writer.finding(&b, &engine.Finding{Rule: "X-1", Level: level, PublishedLevel: published, Overlay: overlay}, nil)
					head, _, _ := bytes.Cut(b.Bytes(), []byte("\n"))
					if said := english.FindString(string(head)); said != "" {
						t.Errorf("%s: %q is English in %q", tag, said, head)
					}
				}
			}
		}
	}
}
