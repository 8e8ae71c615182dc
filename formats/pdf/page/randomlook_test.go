package page_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/model/tongue"

	"golang.org/x/net/html"
)

// randomLook is the file of a look with keys by chance, many of which no designer would choose.
func randomLook(seed *rand.Rand) string {
	var b strings.Builder
	chance := func(of int) bool { return seed.IntN(of) == 0 }
	colour := func(dark bool) string {
		base := 200
		if dark {
			base = 20
		}
		if chance(12) {
			base = 220 - base
		}
		return fmt.Sprintf("%q", fmt.Sprintf("#%02X%02X%02X", base+seed.IntN(50), base+seed.IntN(50), base+seed.IntN(50)))
	}
	based := look.Names()[seed.IntN(len(look.Names()))]
	fmt.Fprintf(&b, "name: own\nbased: %s\n", based)
	fmt.Fprintf(&b, "colours: {text: %s, muted: %s, accent: %s, line: %s, shade: %s}\n", colour(true), colour(true), colour(true), colour(false), colour(false))
	if chance(2) {
		fmt.Fprintf(&b, "page: {top: %d, bottom: %d, left: %d, right: %d}\n", 10+seed.IntN(30), 15+seed.IntN(25), 10+seed.IntN(30), 10+seed.IntN(30))
	}
	if chance(2) {
		fmt.Fprintf(&b, "logo: {file: logo.svg, x: %d, y: %d, width: %d, height: %d, right: %v}\n", 20+seed.IntN(170), 5+seed.IntN(60), 20+seed.IntN(60), 8+seed.IntN(20), chance(2))
	}
	if chance(4) {
		b.WriteString("paper: {first: paper.pdf, following: paper.pdf}\n")
	}
	if based != "general" && chance(3) {
		fmt.Fprintf(&b, "letter: {sender: {y: %d, width: 80}, recipient: {x: %d, y: %d, width: %d}, information: {x: %d, y: %d, width: %d, height: %d}, body: %d}\n",
			10+seed.IntN(50), 15+seed.IntN(100), 40+seed.IntN(40), 60+seed.IntN(40), 90+seed.IntN(40), 30+seed.IntN(40), 50+seed.IntN(30), 20+seed.IntN(50), 70+seed.IntN(60))
	}
	if chance(2) {
		sections := slices.Clone(look.SectionNames)
		seed.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
		if chance(2) {
			sections = sections[:len(sections)-1-seed.IntN(3)]
		}
		fmt.Fprintf(&b, "sections: [%s]\n", strings.Join(sections, ", "))
	}
	if chance(3) {
		b.WriteString("foot: [[{at: seller, show: \"{name}\", bare: true}], [seller.vatIdentifier, seller.contact.email], [{at: seller, show: \"Amtsgericht Ulm, HRB 1234\", bare: true}]]\n")
	}
	if chance(4) {
		b.WriteString("before: {any: Thank you for your order.}\nafter: {any: Our terms of business apply.}\n")
	}
	return b.String()
}

// seen are the words of a PDF that a reader sees, without blanks, page by page.
func seen(t *testing.T, data []byte) string {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := text.Words(c, text.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, sheet := range sheets {
		for _, w := range sheet.Words {
			if !w.Hidden && !w.Turned && w.Box.Left >= 0 && w.Box.Top >= 0 && w.Box.Right <= sheet.Width && w.Box.Bottom <= sheet.Height {
				b.WriteString(w.Text)
			}
		}
	}
	return bare(b.String())
}

// distinct is an invoice with values that are nowhere else, and how a language writes those that
// every invoice shows.
func distinct(seed *rand.Rand, language string) (inv *model.Invoice, want []string) {
	inv = page.Sample()
	inv.Lines = inv.Lines[:1+seed.IntN(20)]
	inv.Number, inv.Seller.Name, inv.Buyer.Name = model.NewText("R-77001"), model.NewText("Nordlicht Handel"), model.NewText("Südwind Logistik")
	want = []string{"R-77001", "Nordlicht Handel", "Südwind Logistik"}
	for i := range inv.Lines {
		name := fmt.Sprintf("Ware%dx", i)
		inv.Lines[i].Item, want = &model.Item{Name: model.NewText(name)}, append(want, name)
	}
	if seed.IntN(2) == 0 {
		inv.Seller.TradingName, inv.Notes = model.NewText("Nordlicht"), []model.Note{{Text: model.NewText(strings.Repeat("Bemerkung ", seed.IntN(300)))}}
	}
	inv.VatBreakdowns = inv.VatBreakdowns[:1]
	t, v := inv.Totals, &inv.VatBreakdowns[0]
	for value, a := range map[string]*model.Amount{"70001.01": &t.TotalAmountWithoutVat, "80002.02": &t.TotalAmountWithVat, "90003.03": &t.AmountDueForPayment, "60004.04": &v.TaxableAmount, "50005.05": &v.TaxAmount} {
		*a, want = model.NewAmount(value), append(want, number(value, 2, writing[language].decimal, writing[language].group))
	}
	inv.IssueDate = model.NewDate("2026-11-09")
	return inv, append(want, time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC).Format(writing[language].date))
}

// A logo of any shape, wherever it is, and letter paper remove nothing that every invoice shows, on
// pages, in HTML and in SVG, in any language; and the name of the seller is not in the foot alone.
func TestLogosTakeNothingAway(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 27))
	tags := tongue.Tags()
	used := 0
	for run := range sampled.Of(24, 3) {
		width, height := 1+seed.IntN(900), 1+seed.IntN(900)
		right, from, to, top := seed.IntN(2) == 0, seed.IntN(200), 0, seed.IntN(140) // the upper half of the page
		if to = from + 1 + seed.IntN(210-from); right {
			from, to = to, from
		}
		file := fmt.Sprintf("{name: own, based: %s, logo: {file: %s, x: %d, y: %d, width: %d, height: %d, right: %v}", look.Names()[run%len(look.Names())],
			[]string{"any.svg", "logo.png"}[seed.IntN(2)], from, top, max(to-from, from-to), 1+seed.IntN(148-top), right)
		if seed.IntN(5) == 0 {
			file += ", paper: {first: paper.pdf}"
		}
		fsys := files(t)
		fsys["any.svg"] = &fstest.MapFile{Data: fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><rect width="%d" height="%d" fill="#c8102e"/></svg>`, width, height, width, height)}
		fsys["own.yaml"] = &fstest.MapFile{Data: []byte(file + "}")}
		l, err := page.ReadLook(fsys, "own.yaml")
		if err != nil {
			continue // it says what is wrong with it
		}
		used++
		language := tags[run%len(tags)]
		inv, want := distinct(seed, language)
		if seed.IntN(4) == 0 {
			inv.TypeCode = model.NewText("389")
		}
		o := page.Options{Language: language, Look: l}
		media := map[string]string{"PDF": bare(strings.Join(pagesOf(t, printed(t, inv, o).Data), "\n"))}
		for name, draw := range map[string]func(context.Context, *model.Invoice, page.Options) (*page.Rendered, error){"HTML": page.HTML, "SVG": page.SVG} {
			made, err := draw(t.Context(), inv, o)
			if err != nil {
				t.Fatal(err)
			}
			root, err := html.Parse(strings.NewReader(string(made.Data)))
			if err != nil {
				t.Fatal(err)
			}
			media[name] = bare(textInside(root))
			if name == "HTML" && !slices.ContainsFunc(regionsIn(root)["seller.name"], func(in string) bool { return in == "sender" || in == "recipient" || in == "parties" }) {
				t.Errorf("run %d: the seller is named in %q alone with the look\n%s", run, regionsIn(root)["seller.name"], file)
			}
		}
		for medium, text := range media {
			for _, w := range want {
				if !strings.Contains(text, bare(w)) {
					t.Errorf("run %d, %s: %q is not in %s with the look\n%s", run, language, w, medium, file)
				}
			}
		}
	}
	if t.Logf("%d looks are used", used); used < sampled.Of(20, 3) {
		t.Errorf("only %d looks are used", used)
	}
}

// A look that passes the check hides none of the terms that every invoice shows, whatever the
// invoice is: they are seen on the pages, and stand within them.
func TestCheckedLooksHideNothing(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 190))
	passed, refused := 0, 0
	for run := range sampled.Of(36, 3) {
		file := randomLook(seed)
		fsys := files(t)
		fsys["own.yaml"] = &fstest.MapFile{Data: []byte(file)}
		l, err := page.ReadLook(fsys, "own.yaml")
		var faults []string
		if err == nil {
			faults, err = page.CheckLook(t.Context(), l, drawn)
		}
		if err != nil || len(faults) > 0 {
			refused++
			continue
		}
		passed++
		inv, want := distinct(seed, "de")
		shown := seen(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data)
		for _, w := range want {
			if !strings.Contains(shown, bare(w)) {
				t.Errorf("run %d: %q is not seen in the look\n%s", run, w, file)
			}
		}
	}
	if t.Logf("%d looks pass, %d are refused", passed, refused); passed < sampled.Of(5, 5) || refused < sampled.Of(5, 5) {
		t.Errorf("%d looks pass and %d are refused: too few of one kind", passed, refused)
	}
}
