package page

import (
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/archive"
)

// What is wrong with a PDF that claims to be tagged is found, one thing at a time.
func TestConforms(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(*composer)
		accessible bool
		want       string
	}{
		"nothing":         {func(*composer) {}, true, ""},
		"no tags claimed": {func(*composer) {}, false, "PDF/A-3a"},
		"text outside of the structure": {func(c *composer) {
			p := c.pages[1]
			p.endMarkedContent()
			p.operators = append(p.operators, "0 0 9 9 re f\n"...)
		}, true, "page 2: what it draws (f)"},
		"marked content without an element": {func(c *composer) {
			p := c.pages[0]
			p.endMarkedContent()
			p.operators = append(p.operators, "/P <</MCID 9999>> BDC 0 0 9 9 re f EMC\n"...)
		}, true, "marked content 9999"},
		"an end too many": {func(c *composer) {
			p := c.pages[0]
			p.endMarkedContent()
			p.operators = append(p.operators, "EMC\n"...)
		}, true, "not balanced"},
		"a figure without description": {func(c *composer) {
			c.root.add("Figure")
		}, true, "no description"},
		"a graphics state that is not there": {func(c *composer) {
			p := c.pages[0]
			p.beginMarkedContent(decoration)
			p.operators = append(p.operators, "/Nothing gs\n"...)
			p.endMarkedContent()
		}, true, "page 1"},
	} {
		composed, err := composedWith(Sample(), loadLanguage("en"), builtInLooks()["general"], &Options{Pages: 9}, 1)
		if err != nil {
			t.Fatal(err)
		}
		c.change(composed)
		document, err := newDocument(composed)
		if err != nil {
			t.Fatal(err)
		}
		data, err := archive.Write(document, archive.Metadata{Title: "a", Language: "en", Date: time.Unix(0, 0), Accessible: c.accessible}, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = conforms(data)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
