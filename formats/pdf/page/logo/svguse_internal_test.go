//go:build !js

package logo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antchfx/xmlquery"
)

func svg(inner string) []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">` + inner + `</svg>`)
}

// bomb uses an element ten times on each of so many levels.
func bomb(levels int) []byte {
	var b strings.Builder
	b.WriteString(`<defs><g id="l0"><rect width="1" height="1"/></g>`)
	for i := range levels {
		fmt.Fprintf(&b, `<g id="l%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use xlink:href="#l%d"/>`, i), 10))
	}
	fmt.Fprintf(&b, `</defs><use xlink:href="#l%d"/>`, levels)
	return svg(b.String())
}

// What an SVG draws is bounded before the library expands it: an element that uses itself
// would end the program.
func TestUsesAreBounded(t *testing.T) {
	chain := `<defs><g id="c0"><rect width="1" height="1"/></g>`
	for i := range 500 {
		chain += fmt.Sprintf(`<g id="c%d"><use xlink:href="#c%d"/></g>`, i+1, i)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"used twice":      {svg(`<defs><g id="a"><rect width="1" height="1"/></g></defs><use xlink:href="#a"/><use href="#a" x="3"/>`), ""},
		"itself":          {svg(`<g id="a"><use xlink:href="#a"/></g>`), "uses itself"},
		"its parent":      {svg(`<defs><g id="a"><g><use href="#a"/></g></g></defs><use href="#a"/>`), "uses itself"},
		"in turn":         {svg(`<defs><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></defs><use href="#a"/>`), "uses itself"},
		"a use of itself": {svg(`<use id="a" href="#a"/>`), "uses itself"},
		"the picture":     {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" id="a" viewBox="0 0 1 1"><use href="#a"/></svg>`), "uses itself"},
		"thirty levels":   {bomb(30), "more than 100000 elements"},
		"a chain":         {svg(chain + `</defs><use xlink:href="#c500"/>`), "levels deep"},
		"many circles":    {svg(strings.Repeat(`<circle cx="5" cy="5" r="4"/>`, 9000)), "more than 500000 points"},
	} {
		_, err := Read("a.svg", c.data)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// Elements are counted once each: twice the levels are twice the work, though the picture is
// ten to their power.
func TestUsesAreCountedOnce(t *testing.T) {
	visits := func(levels int) int {
		document, err := xmlquery.Parse(strings.NewReader(string(bomb(levels))))
		if err != nil {
			t.Fatal(err)
		}
		c := &useCount{ids: map[string]*xmlquery.Node{}, extents: map[*xmlquery.Node]extent{}}
		c.index(document)
		_, _ = c.measure(document, 0) // refused; what counts is how much was looked at
		return len(c.extents)
	}
	if few, many := visits(15), visits(30); many > 2*few+10 {
		t.Errorf("30 levels take %d visits, 15 take %d", many, few)
	}
}
