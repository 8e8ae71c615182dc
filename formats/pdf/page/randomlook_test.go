package page_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/text"
	"einvoice/model"
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

// A look that passes the check hides none of the terms that every invoice shows, whatever the
// invoice is: they are seen on the pages, and stand within them.
func TestCheckedLooksHideNothing(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 190))
	passed, refused := 0, 0
	for run := range 36 {
		file := randomLook(seed)
		fsys := files(t)
		fsys["own.yaml"] = &fstest.MapFile{Data: []byte(file)}
		l, err := page.ReadLook(fsys, "own.yaml")
		var faults []string
		if err == nil {
			faults, err = page.CheckLook(t.Context(), l)
		}
		if err != nil || len(faults) > 0 {
			refused++
			continue
		}
		passed++
		inv := page.Sample()
		inv.Lines = inv.Lines[:1+seed.IntN(20)]
		inv.Number, inv.Seller.Name, inv.Buyer.Name = model.NewText("R-77001"), model.NewText("Nordlicht Handel"), model.NewText("Südwind Logistik")
		for i := range inv.Lines {
			inv.Lines[i].Item = &model.Item{Name: model.NewText(fmt.Sprintf("Ware%dx", i))}
		}
		if seed.IntN(2) == 0 {
			inv.Seller.TradingName, inv.Notes = model.NewText("Nordlicht"), []model.Note{{Text: model.NewText(strings.Repeat("Bemerkung ", seed.IntN(300)))}}
		}
		s := inv.Totals
		s.TotalAmountWithoutVat, s.TotalAmountWithVat, s.AmountDueForPayment = model.NewAmount("70001.01"), model.NewAmount("80002.02"), model.NewAmount("90003.03")
		inv.VatBreakdowns = inv.VatBreakdowns[:1]
		inv.VatBreakdowns[0].TaxableAmount, inv.VatBreakdowns[0].TaxAmount = model.NewAmount("60004.04"), model.NewAmount("50005.05")
		inv.IssueDate = model.NewDate("2026-11-09")
		shown := seen(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data)
		want := []string{"R-77001", "Nordlicht Handel", "Südwind Logistik", "70.001,01", "80.002,02", "90.003,03", "60.004,04", "50.005,05", "09.11.2026"}
		for i := range inv.Lines {
			want = append(want, fmt.Sprintf("Ware%dx", i))
		}
		for _, w := range want {
			if !strings.Contains(shown, bare(w)) {
				t.Errorf("run %d: %q is not seen in the look\n%s", run, w, file)
			}
		}
	}
	if t.Logf("%d looks pass, %d are refused", passed, refused); passed < 5 || refused < 5 {
		t.Errorf("%d looks pass and %d are refused: too few of one kind", passed, refused)
	}
}
