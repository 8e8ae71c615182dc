package page_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
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

// The bank, the holder and the means of payment of an account stand nearer to its number than to
// that of any other, however many there are, in whatever groups, and however closely pages are set.
func TestAccountsByChance(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 2))
	for run := range 40 {
		inv := small(t, 1+seed.IntN(20))
		inv.Payment = &model.Payment{RemittanceInformation: model.NewText("ZWECK-1")}
		own := map[string][]string{} // of a text, the numbers of the accounts that it belongs to
		var numbers []string
		for m := range 1 + seed.IntN(4) {
			means := model.PaymentMeans{TypeCode: model.NewText("58")}
			text := fmt.Sprintf("Weg%dtext", m)
			if seed.IntN(2) == 0 {
				means.Text = model.NewText(text)
			}
			for a := range 1 + seed.IntN(2) {
				iban, bic, holder := fmt.Sprintf("DE%02d3704004405320%02d%02d", 10+m, m, a), fmt.Sprintf("BANKDE%dF%dXX", m, a), fmt.Sprintf("Inhaber%d%d", m, a)
				numbers, own[bic], own[holder], own[text] = append(numbers, iban), []string{iban}, []string{iban}, append(own[text], iban)
				means.CreditTransfers = append(means.CreditTransfers, model.CreditTransfer{
					AccountIdentifier: model.NewText(iban), ServiceProviderIdentifier: model.NewText(bic), AccountName: model.NewText(holder + strings.Repeat(" und Söhne", seed.IntN(4))),
				})
			}
			inv.Payment.Means = append(inv.Payment.Means, means)
		}
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		height := map[string]float64{}
		for i, rows := range rowsOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data) {
			for _, r := range rows {
				if r[0].Size < 8.9 && r.last().Size < 8.9 {
					continue // the foot, and labels
				}
				for _, value := range append(slices.Collect(maps.Keys(own)), numbers...) {
					if strings.Contains(bare(r.text()), value) {
						height[value] = float64(i)*1000 + r[0].Box.Bottom
					}
				}
			}
		}
		distance := func(a, b string) float64 { return math.Abs(height[a] - height[b]) }
		for _, n := range numbers {
			if height[n] == 0 {
				t.Fatalf("run %d: there is no account %s", run, n)
			}
		}
		for value, of := range own {
			if height[value] == 0 {
				continue // there is no such text, or it is broken
			}
			nearest := slices.MinFunc(numbers, func(a, b string) int { return cmp.Compare(distance(value, a), distance(value, b)) })
			if !slices.Contains(of, nearest) && distance(value, nearest) < distance(value, of[0]) {
				t.Errorf("run %d, %s: %s stands nearer to %s than to %s", run, l.Name, value, nearest, of)
			}
		}
	}
}
