package compose

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/sampled"
)

var shown = regexp.MustCompile(`(?s)BT\n([\d.-]+) ([\d.-]+) Td\n(.*?)ET`)
var runs = regexp.MustCompile(`/F(\d+) ([\d.]+) Tf <([0-9A-F]*)> Tj`)

// A value of any length stays on the page and does not reach the footer.
func TestNothingLeavesThePage(t *testing.T) {
	looks := look.Names()
	for i, text := range []string{
		strings.Repeat("W", 400), strings.Repeat("i", 1500), strings.Repeat("word ", 300),
		strings.Repeat("123456789", 30), strings.Repeat("line\n", 60), strings.Repeat("a-", 300), "漢字Жż" + strings.Repeat("界", 200),
	} {
		if !sampled.Takes(i, 3) {
			continue
		}
		inv := &model.Invoice{}
		fillAll(model.ObjectOf(inv), text, 0)
		for _, name := range looks {
			look := lookNamed(name)
			c, err := composedWith(t.Context(), inv, language.Load("de"), &Options{Look: look, Pages: maxPages}, 1, false)
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

func inside(c *composer, p *tagged.Content) error {
	u := c.fonts
	texts := shown.FindAllSubmatch(p.Operators, -1)
	if len(texts) == 0 {
		return fmt.Errorf("no text")
	}
	for _, m := range texts {
		x, _ := strconv.ParseFloat(string(m[1]), 64)
		y, _ := strconv.ParseFloat(string(m[2]), 64)
		y = typeset.PageHeight - y
		width := 0.0
		for _, run := range runs.FindAllSubmatch(m[3], -1) {
			f, _ := strconv.Atoi(string(run[1]))
			size, _ := strconv.ParseFloat(string(run[2]), 64)
			codes, _ := hex.DecodeString(string(run[3]))
			if n := len(codes); u.Used[f].Glyphs[int(codes[n-2])<<8|int(codes[n-1])].Text == " " {
				codes = codes[:n-2] // the space that is said after a line is not seen
			}
			for i := 0; i < len(codes); i += 2 {
				width += size / 1000 * u.Faces[f].Width(u.Used[f].Glyphs[int(codes[i])<<8|int(codes[i+1])].Glyph)
			}
		}
		if x < c.left()-0.1 || x+width > c.right()+0.1 {
			return fmt.Errorf("a text reaches from %.1f to %.1f", x, x+width)
		}
		bottom := typeset.PageHeight - c.look.Page.Bottom*typeset.MM
		if foot := y > bottom+4*typeset.MM; y < min(c.top(), 14*typeset.MM) || y > bottom+0.1 && !foot {
			return fmt.Errorf("a text is at the height %.1f", y)
		}
	}
	return nil
}

func lookNamed(name string) *look.Look {
	l, err := look.BuiltIn(name)
	if err != nil {
		panic(err)
	}
	return l
}
