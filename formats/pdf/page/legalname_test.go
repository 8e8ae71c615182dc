package page_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// The legal name of the seller (BT-27) stands at the head of the seller's block in every look
// that has its own sender, on pages and in HTML, and not in the foot alone.
func TestLegalName(t *testing.T) {
	const name, trading = "Recht und Gesetz Handels GmbH", "Ladenschild"
	inv := page.Sample()
	inv.Lines = inv.Lines[:1]
	inv.Seller.Name, inv.Seller.TradingName = model.NewText(name), model.NewText(trading)
	for _, base := range look.Names() {
		for kind, own := range map[string]string{
			"plain": "", "logo": ", logo: {file: logo.svg, x: 190, y: 10, width: 60, height: 18, right: true}", "paper": ", paper: {first: paper.pdf}",
		} {
			fsys := files(t)
			fsys["look.yaml"] = &fstest.MapFile{Data: []byte("{name: own, based: " + base + own + "}")}
			l, err := page.ReadLook(fsys, "look.yaml")
			if err != nil {
				t.Fatal(err)
			}
			made := printed(t, inv, page.Options{Language: "de", Look: l})
			if above := aboveTheFoot(t, made.Data); !followed(above, "Verkäufer", name) && (kind != "plain" || !strings.Contains(above, name)) {
				t.Errorf("%s, %s: the name does not follow the head of the seller's block:\n%s", base, kind, above)
			}
			if kind == "paper" {
				continue // which HTML has not
			}
			html, err := page.HTML(t.Context(), inv, page.Options{Language: "de", Look: l})
			if err != nil {
				t.Fatal(err)
			}
			if _, parties, _ := strings.Cut(string(html.Data), `class="parties"`); !strings.Contains(parties, name) && kind != "plain" {
				t.Errorf("%s, %s: HTML has no name in the seller's block", base, kind)
			}
		}
	}
}

// aboveTheFoot is the text of all pages, without what is below the last fifth of one.
func aboveTheFoot(t *testing.T, data []byte) string {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := text.Words(c, text.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, sheet := range sheets {
		for _, w := range sheet.Words {
			if w.Box.Bottom < 0.8*sheet.Height {
				words = append(words, w.Text)
			}
		}
	}
	return strings.Join(words, " ")
}

// followed reports whether a text stands between a heading and the next hundred characters.
func followed(in, heading, by string) bool {
	for _, part := range strings.Split(in, heading)[1:] {
		if strings.Contains(part[:min(len(part), 100)], by) {
			return true
		}
	}
	return false
}
