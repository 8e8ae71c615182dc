package page

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/model"
)

var shown = regexp.MustCompile(`(?s)BT\n([\d.-]+) ([\d.-]+) Td\n(.*?)ET`)
var runs = regexp.MustCompile(`/F(\d+) ([\d.]+) Tf <([0-9A-F]*)> Tj`)

// A value of any length stays on the page and does not reach the footer.
func TestNothingLeavesThePage(t *testing.T) {
	looks := BuiltInLooks()
	for _, text := range []string{
		strings.Repeat("W", 400), strings.Repeat("i", 1500), strings.Repeat("word ", 300),
		strings.Repeat("123456789", 30), strings.Repeat("line\n", 60), strings.Repeat("a-", 300), "漢字Жż" + strings.Repeat("界", 200),
	} {
		inv := &model.Invoice{}
		fillAll(model.ObjectOf(inv), text, 0)
		for _, name := range looks {
			look := builtInLooks()[name]
			c, err := composedWith(inv, loadLanguage("de"), look, &Options{Pages: maxPages}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.pages) < 2 {
				t.Errorf("%s: %d pages are few", name, len(c.pages))
			}
			for i, p := range c.pages {
				if err := inside(c, p); err != nil {
					t.Fatalf("%s, %.10q, page %d of %d: %v", name, text, i+1, len(c.pages), err)
				}
			}
		}
		looks = looks[:1] // the others differ in their first page
	}
}

// fillAll writes a text into every term; in sub lines, of which there are many, not into
// those of an extension, which are shown like any other term of a line.
func fillAll(o model.Object, text string, depth int) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case f.Extension != "" && depth > 0:
		case f.Kind.IsLeaf():
			o.Set(f, text)
		case f.Kind == model.KindGroup:
			fillAll(o.EnsureGroup(f), text, depth)
		case f.Elem != o.Type:
			fillAll(o.AppendGroup(f), text, depth)
		case depth < 9:
			fillAll(o.AppendGroup(f), text, depth+1)
		}
	}
}

func inside(c *composer, p *content) error {
	u := c.fonts
	texts := shown.FindAllSubmatch(p.operators, -1)
	if len(texts) == 0 {
		return fmt.Errorf("no text")
	}
	for _, m := range texts {
		x, _ := strconv.ParseFloat(string(m[1]), 64)
		y, _ := strconv.ParseFloat(string(m[2]), 64)
		y = pageHeight - y
		width := 0.0
		for _, run := range runs.FindAllSubmatch(m[3], -1) {
			f, _ := strconv.Atoi(string(run[1]))
			size, _ := strconv.ParseFloat(string(run[2]), 64)
			codes, _ := hex.DecodeString(string(run[3]))
			if n := len(codes); u.used[f].glyphs[int(codes[n-2])<<8|int(codes[n-1])].text == " " {
				codes = codes[:n-2] // the space that is said after a line is not seen
			}
			for i := 0; i < len(codes); i += 2 {
				width += size / 1000 * u.faces[f].Width(u.used[f].glyphs[int(codes[i])<<8|int(codes[i+1])].glyph)
			}
		}
		if x < c.left()-0.1 || x+width > c.right()+0.1 {
			return fmt.Errorf("a text reaches from %.1f to %.1f", x, x+width)
		}
		bottom := pageHeight - c.look.Page.Bottom*mm
		if foot := y > bottom+4*mm; y < min(c.top(), 14*mm) || y > bottom+0.1 && !foot {
			return fmt.Errorf("a text is at the height %.1f", y)
		}
	}
	return nil
}

func TestWrap(t *testing.T) {
	fonts, st := newFontUse(nil, nil, nil), &style{size: 9}
	for _, c := range []struct {
		text string
		want string
	}{
		{"", ""},
		{"one two three", "one two|three"},
		{"one\r\n\ntwo\n ", "one||two"},
		{"unbreakablylongword", "unbreakabl|ylongword"},
		{"half-baked-idea", "half-baked-|idea"},
		{"a  b", "a  b"},
		{"of 26-11-22", "of|26-11-22"},
		{"RE-2026/17-4", "RE-2026/|17-4"},
		{"1\u00a0234,50 EUR", "1\u00a0234,50|EUR"},
		{"IBAN:\u00a0DE790000", "IBAN:|DE790000"},
		{strings.Repeat(" ", 5000) + "x", strings.Repeat(" ", 5000)},
	} {
		var got []string
		text := clean(c.text)
		for _, l := range fonts.wrap(text, st, 46) {
			got = append(got, text[l.from:l.to])
		}
		if joined := strings.Join(got, "|"); !strings.HasPrefix(joined, c.want) || len(c.text) < 100 && joined != c.want {
			t.Errorf("%q is broken into %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLooksAreCalledAsTheirFiles(t *testing.T) {
	for _, name := range BuiltInLooks() {
		if l := builtInLooks()[name]; l == nil || l.Name != name {
			t.Errorf("looks/%s.yaml: got %+v, want a look of that name", name, l)
		}
	}
}
