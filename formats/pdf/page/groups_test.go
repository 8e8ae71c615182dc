package page_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/model"

	"golang.org/x/net/html"
)

// The IBAN, the BIC and the holder of an account are in one block of HTML, and those of another
// account are not: whatever the width of a screen, nobody reads the BIC of one beside the other.
func TestAccountsStayTogether(t *testing.T) {
	inv := page.Sample()
	account := func(iban, bic, holder string) model.CreditTransfer {
		return model.CreditTransfer{
			AccountIdentifier: model.NewText(iban), ServiceProviderIdentifier: model.NewText(bic), AccountName: model.NewText(holder),
		}
	}
	inv.Payment = &model.Payment{Means: []model.PaymentMeans{{
		TypeCode:        model.NewText("58"),
		CreditTransfers: []model.CreditTransfer{account("DE79000000001234567890", "AAAADEFFXXX", "Anna"), account("DE16000000002345678901", "BBBBDEFFXXX", "Bert")},
	}}}
	rendered, err := page.HTML(t.Context(), inv, page.Options{Language: "de"})
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(rendered.Data)))
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]string{} // by holder
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "class" && a.Val == "group" {
				text := textIn(n)
				for _, holder := range []string{"Anna", "Bert"} {
					if strings.Contains(text, holder) {
						blocks[holder] = text
					}
				}
			}
		}
	}
	for holder, c := range map[string]struct{ own, others string }{"Anna": {"DE79|AAAADEFF", "DE16|BBBBDEFF|Bert"}, "Bert": {"DE16|BBBBDEFF", "DE79|AAAADEFF|Anna"}} {
		found := regexp.MustCompile(c.own).FindAllString(blocks[holder], -1)
		if len(found) != 2 || regexp.MustCompile(c.others).MatchString(blocks[holder]) {
			t.Errorf("the block of %s is %q", holder, blocks[holder])
		}
	}
}

func textIn(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return b.String()
}

// A file of SVG has the size of its pages, and keeps blanks between terms, also in readers that
// know no style sheets.
func TestSVGSize(t *testing.T) {
	rendered, err := page.SVG(t.Context(), page.Sample(), page.Options{Language: "de"})
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`width="210mm" height="([0-9.]+)mm" viewBox="0 0 ([0-9.]+) ([0-9.]+)" xml:space="preserve"`).FindSubmatch(rendered.Data)
	if m == nil {
		t.Fatalf("there is no size in %.300s", rendered.Data)
	}
	size := func(b []byte) float64 {
		n, err := strconv.ParseFloat(string(b), 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if ratio := size(m[1]) / 210 / (size(m[3]) / size(m[2])); rendered.Pages < 2 || ratio < 0.99 || ratio > 1.01 {
		t.Errorf("%d pages are %s mm high, in a view of %s by %s", rendered.Pages, m[1], m[2], m[3])
	}
}
