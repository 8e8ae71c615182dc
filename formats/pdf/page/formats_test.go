package page_test

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"einvoice/formats/pdf/page"
	"einvoice/model"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/net/html"
)

// shownTerms are the texts of each path that a document of HTML or SVG names.
func shownTerms(t *testing.T, n *html.Node, into map[string]string) {
	t.Helper()
	for _, a := range n.Attr {
		if a.Key == "data-path" {
			into[a.Val] += textInside(n)
		}
	}
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		shownTerms(t, kid, into)
	}
}

func textInside(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	text := ""
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		text += textInside(kid)
	}
	return text
}

// paths are the paths of the terms of an invoice, as requests have them.
func paths(prefix string, o model.Object) (all []string) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case !o.Has(f) || f.Name == "countryCode":
		case f.Kind.IsLeaf():
			if o.Raw(f) != "" {
				all = append(all, prefix+f.Name)
			}
		case f.Kind == model.KindGroup:
			all = append(all, paths(prefix+f.Name+".", o.Group(f))...)
		default:
			for j := range o.List(f).Len() {
				all = append(all, paths(prefix+f.Name+"["+string(rune('0'+j))+"].", o.List(f).At(j))...)
			}
		}
	}
	return all
}

// Every term of an invoice is in HTML and SVG, at an element that names it, and neither
// refers to anything outside.
func TestTermsAreNamed(t *testing.T) {
	linked := regexp.MustCompile(`^https?://`) // a reader who follows them asks for it
	outside := regexp.MustCompile(`(?:src|href)="([^"]*)"|url\(([^)]*)\)|@import`)
	for _, file := range []string{"../../cii/testdata/full.xml", "../../ubl/testdata/full-invoice.xml"} {
		inv := read(t, file)
		for name, draw := range map[string]func(context.Context, *model.Invoice, page.Options) (*page.Rendered, error){"html": page.HTML, "svg": page.SVG} {
			r, err := draw(t.Context(), inv, page.Options{Language: "de"})
			if err != nil {
				t.Fatal(err)
			}
			root, err := html.Parse(strings.NewReader(string(r.Data)))
			if err != nil {
				t.Fatal(err)
			}
			shown := map[string]string{}
			shownTerms(t, root, shown)
			lacking := 0
			for _, path := range paths("", model.ObjectOf(inv)) {
				if _, there := shown[path]; !there && !strings.Contains(path, "categoryCode") {
					lacking++
					t.Errorf("%s, %s: %s is not named", file, name, path)
				}
			}
			if len(shown) < 150 || lacking > 0 {
				t.Errorf("%s, %s: %d terms are named, %d are not", file, name, len(shown), lacking)
			}
			for _, m := range outside.FindAllStringSubmatch(string(r.Data), -1) {
				if to := m[1] + m[2]; !strings.HasPrefix(to, "data:") && !strings.HasPrefix(to, "mailto:") && !strings.HasPrefix(to, "tel:") && !linked.MatchString(to) {
					t.Errorf("%s refers to %s", name, m[0])
				}
			}
		}
	}
}

// Each anchor is there once: the second attachment (BT-125) has not that of the first one's
// file name (BT-125-2), nor the second classification (BT-158) that of a version (BT-158-2).
func TestAnchorsDiffer(t *testing.T) {
	inv := small(t, 1)
	for _, name := range []string{"a.csv", "b.csv"} {
		inv.SupportingDocuments = append(inv.SupportingDocuments, model.SupportingDoc{
			Reference: model.NewText(name), Attachment: model.NewBinary([]byte("a")), AttachmentMimeCode: model.NewText("text/csv"), AttachmentFileName: model.NewText(name),
		})
	}
	r, err := page.HTML(t.Context(), inv, page.Options{Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(string(r.Data), -1) {
		if there[m[1]] {
			t.Errorf("the anchor %s is there twice", m[1])
		}
		there[m[1]] = true
	}
	if !there["BT-125"] || !there["BT-125_2"] || !there["BT-125-2"] || !there["BT-125-2_2"] {
		t.Errorf("got %v", there)
	}
}

// What an invoice says is text in HTML and SVG, whatever it is.
func TestHostileTexts(t *testing.T) {
	inv := small(t, 1)
	evil := `</span><script>alert(1)</script>"'><img src=x onerror=y>&lt;`
	inv.Number, inv.Seller.Name, inv.Lines[0].Item.Name = model.NewText(evil), model.NewText(evil), model.NewText(evil)
	inv.Notes = []model.Note{{SubjectCode: model.NewText(evil), Text: model.NewText(evil)}}
	inv.CurrencyCode = model.NewText(evil)
	for name, draw := range map[string]func(context.Context, *model.Invoice, page.Options) (*page.Rendered, error){"html": page.HTML, "svg": page.SVG} {
		r, err := draw(t.Context(), inv, page.Options{Language: "en"})
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(strings.NewReader(string(r.Data)))
		if err != nil {
			t.Fatal(err)
		}
		var walk func(*html.Node)
		walk = func(n *html.Node) {
			if n.Data == "script" || n.Type == html.ElementNode && n.Data == "img" {
				t.Errorf("%s: a text became an element %s", name, n.Data)
			}
			for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
				walk(kid)
			}
		}
		walk(root)
		if !strings.Contains(textInside(root), evil) {
			t.Errorf("%s: the text is not there", name)
		}
	}
}

// SVG is well-formed XML, and says how many pages it has by their groups.
func TestSVG(t *testing.T) {
	r, err := page.SVG(t.Context(), small(t, 60), page.Options{Language: "de"})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	d := xml.NewDecoder(strings.NewReader(string(r.Data)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, is := token.(xml.StartElement); is && e.Name.Local == "g" {
			pages++
		}
	}
	if pages != r.Pages || pages < 2 {
		t.Errorf("%d groups for %d pages", pages, r.Pages)
	}
}

// Terms keep their places in texts that are not broken at blanks.
func TestPlacesInSolidText(t *testing.T) {
	inv := small(t, 1)
	inv.Lines[0].Price.BaseQuantity, inv.Lines[0].Price.BaseQuantityUnitCode = model.NewNumber("100"), model.NewText("H87")
	r, err := page.HTML(t.Context(), inv, page.Options{Language: "de"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`je` + "\u00a0" + `<span id="BT-149" data-term="BT-149" data-path="lines[0].price.baseQuantity">100</span>` + "\u00a0" + `<span id="BT-150" data-term="BT-150" data-path="lines[0].price.baseQuantityUnitCode">Stück</span>`,
	} {
		if !strings.Contains(string(r.Data), want) {
			t.Errorf("there is no %q", want)
		}
	}
	if !utf8.Valid(r.Data) {
		t.Error("the HTML is not UTF-8")
	}
}

// HTML and SVG have fonts of a look with the characters that they show, and no other.
func TestFontsInParts(t *testing.T) {
	fsys := files(t)
	fsys["look.yaml"] = &fstest.MapFile{Data: []byte("{name: own, based: general, fonts: {plain: plain.ttf, bold: bold.ttf}}")}
	l, err := page.ReadLook(fsys, "look.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, draw := range map[string]func(context.Context, *model.Invoice, page.Options) (*page.Rendered, error){"html": page.HTML, "svg": page.SVG} {
		made, err := draw(t.Context(), small(t, 3), page.Options{Language: "de", Look: l})
		if err != nil {
			t.Fatal(err)
		}
		fonts := regexp.MustCompile(`font/[a-z0-9]+;base64,([A-Za-z0-9+/=]+)`).FindAllSubmatch(made.Data, -1)
		if len(fonts) != 2 {
			t.Fatalf("%s has %d fonts", name, len(fonts))
		}
		for _, m := range fonts {
			data, err := base64.StdEncoding.DecodeString(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			font, err := sfnt.Parse(data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			shown := 0
			var b sfnt.Buffer
			for r := rune(0x20); r < 0x2100; r++ {
				if i, err := font.GlyphIndex(&b, r); err == nil && i != 0 {
					shown++
				}
			}
			if len(data) > 60_000 || shown > 130 || shown < 10 {
				t.Errorf("%s: a font has %d bytes and %d characters", name, len(data), shown)
			}
		}
	}
}
