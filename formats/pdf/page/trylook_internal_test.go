package page

import (
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/pdfa"
	"einvoice/formats/pdf/page/tagged"
)

// What is wrong with a PDF that claims to be tagged is found, one thing at a time.
func TestConforms(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(*compose.Composed)
		accessible bool
		want       string
	}{
		"nothing":         {func(*compose.Composed) {}, true, ""},
		"no tags claimed": {func(*compose.Composed) {}, false, "PDF/A-3a"},
		"text outside of the structure": {func(c *compose.Composed) {
			p := c.Pages[1]
			p.EndMarkedContent()
			p.Operators = append(p.Operators, "0 0 9 9 re f\n"...)
		}, true, "page 2: what it draws (f)"},
		"marked content without an element": {func(c *compose.Composed) {
			p := c.Pages[0]
			p.EndMarkedContent()
			p.Operators = append(p.Operators, "/P <</MCID 9999>> BDC 0 0 9 9 re f EMC\n"...)
		}, true, "marked content 9999"},
		"an end too many": {func(c *compose.Composed) {
			p := c.Pages[0]
			p.EndMarkedContent()
			p.Operators = append(p.Operators, "EMC\n"...)
		}, true, "not balanced"},
		"a figure without description": {func(c *compose.Composed) {
			c.Root.Add("Figure")
		}, true, "no description"},
		"a graphics state that is not there": {func(c *compose.Composed) {
			p := c.Pages[0]
			p.BeginMarkedContent(tagged.Decoration)
			p.Operators = append(p.Operators, "/Nothing gs\n"...)
			p.EndMarkedContent()
		}, true, "page 1"},
	} {
		composed, err := compose.Invoice(t.Context(), Sample(), compose.Options{Language: "en", Pages: 9})
		if err != nil {
			t.Fatal(err)
		}
		c.change(composed)
		document, err := pdfa.New(composed)
		if err != nil {
			t.Fatal(err)
		}
		data, err := archive.Write(t.Context(), document, archive.Metadata{Title: "a", Language: "en", Date: new(time.Unix(0, 0)), Accessible: c.accessible}, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = conforms(data)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
