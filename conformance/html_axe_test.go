package conformance_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/model"
)

var axe = flag.String("axe", "", "axe.min.js of axe-core, to look for barriers in rendered HTML with")

// violations are what axe finds: each rule with the first elements that break it.
const violations = `(async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(v =>
	v.id + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + (n.any[0]?.message ?? n.failureSummary)).join(" | ")))()`

// axe finds nothing in the HTML of the samples, and of invoices in which terms are there by chance, in
// each look and language and in looks of any colours: on the screen of a telephone and of a computer, in light and dark colours, and on paper.
func TestHTMLAxe(t *testing.T) {
	if *chromium == "" || *axe == "" {
		t.Skip("no browser is given with -chromium, or no axe-core with -axe (make html-test gives both)")
	}
	script, err := os.ReadFile(*axe)
	if err != nil {
		t.Fatal(err)
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	all := looks(t)
	dir := t.TempDir()
	var b *browser
	looked := 0
	look := func(t *testing.T, name string, inv *model.Invoice, options page.Options) {
		t.Helper()
		r, err := page.HTML(t.Context(), inv, options)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name+".html")
		save(t, file, r.Data)
		for _, as := range []struct {
			width         int
			media, scheme string
		}{{390, "screen", "light"}, {1280, "screen", "light"}, {794, "print", "light"}, {390, "screen", "dark"}, {1280, "screen", "dark"}} {
			b.openAs("file://"+file, as.width, as.media, as.scheme)
			b.evaluate(string(script)+"; true", new(bool))
			var found []string
			b.evaluate(violations, &found)
			for _, f := range found {
				t.Errorf("%s at %d, %s, %s: %.400s", name, as.width, as.media, as.scheme, f)
			}
			looked++
		}
	}
	t.Run("samples", func(t *testing.T) {
		if _, err := os.Stat(suites); err != nil {
			t.Skip("no suites to read: " + err.Error())
		}
		b = startBrowser(t, *chromium)
		for _, s := range samples {
			chosen := s.look
			if chosen == "own" {
				chosen = "html"
			}
			look(t, s.name, s.invoice(t, suites), page.Options{Language: s.language, Look: all[chosen]})
		}
	})
	seed := rand.New(rand.NewPCG(35, 7))
	languages := []string{"de", "en", "es", "fr", "it", "nl", "pl"}
	for part, of := range []string{"din5008", "french", "general", "any"} { // each with a browser of its own
		t.Run(of, func(t *testing.T) {
			b = startBrowser(t, *chromium)
			for i := range languages {
				l := anyLook(t, seed)
				if of != "any" {
					l = all[of]
				}
				look(t, fmt.Sprintf("chance-%d-%d", part, i), chanceInvoice(seed), page.Options{Language: languages[i], Look: l})
			}
		})
	}
	t.Logf("axe looked %d times", looked)
}

// chanceInvoice is an invoice in which each term is there or not, with values of all kinds.
func chanceInvoice(seed *rand.Rand) *model.Invoice {
	inv := page.Sample()
	inv.Lines = inv.Lines[:1+seed.IntN(4)]
	var fill func(o model.Object, depth int)
	fill = func(o model.Object, depth int) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			if seed.IntN(3) == 0 || o.Has(f) {
				continue
			}
			switch {
			case f.Kind == model.KindGroup:
				fill(o.EnsureGroup(f), depth)
			case f.Kind == model.KindList && depth < 2 && f.Elem != o.Type:
				for range 1 + seed.IntN(2) {
					fill(o.AppendGroup(f), depth+1)
				}
			case f.Kind == model.KindList:
			case f.Kind == model.KindDate:
				o.Set(f, fmt.Sprintf("2026-%02d-%02d", 1+seed.IntN(12), 1+seed.IntN(28)))
			case f.Kind == model.KindNumber, f.Kind == model.KindAmount:
				o.Set(f, fmt.Sprintf("%d.%02d", seed.IntN(1_000_000), seed.IntN(100)))
			case f.Kind == model.KindBinary:
				o.Set(f, "QUJD")
			case strings.HasSuffix(strings.ToLower(f.Name), "email"):
				o.Set(f, "konto@example.org")
			case strings.HasSuffix(strings.ToLower(f.Name), "location"):
				o.Set(f, "https://example.org/plan.pdf")
			case f.Class == "code":
				o.Set(f, []string{"E", "58", "380", "EUR", "H87", "DE", "ZZZ"}[seed.IntN(7)])
			default:
				o.Set(f, strings.TrimSpace(strings.Repeat("Wert "+f.Name+" ", 1+seed.IntN(4))))
			}
		}
	}
	fill(model.ObjectOf(inv), 0)
	return inv
}

// In HTML as on pages, decimal marks of a column are below each other whatever stands below the
// numbers.
func TestHTMLAligned(t *testing.T) {
	if *chromium == "" {
		t.Skip("no browser is given with -chromium")
	}
	b := startBrowser(t, *chromium)
	dir := t.TempDir()
	seed := rand.New(rand.NewPCG(35, 20))
	for run := range 6 {
		inv := page.Sample()
		inv.Lines = inv.Lines[:6]
		for i := range inv.Lines {
			l := &inv.Lines[i]
			price := *l.Price
			digits := seed.IntN(5)
			l.InvoicedQuantity = model.NewNumber(fmt.Sprintf("%.*f", seed.IntN(4), seed.Float64()*1000))
			price.NetPrice = model.NewAmount(fmt.Sprintf("%.*f", digits, seed.Float64()*1000))
			if seed.IntN(2) == 0 {
				price.BaseQuantity, price.BaseQuantityUnitCode = model.NewNumber("1000"), model.NewText("KGM")
			}
			l.Price = &price
		}
		r, err := page.HTML(t.Context(), inv, page.Options{Language: "de"})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.html", run))
		save(t, file, r.Data)
		b.open("file://"+file, 1280, false)
		for _, column := range []int{3, 5} {
			var at []float64
			b.evaluate(fmt.Sprintf(`[...document.querySelectorAll(".lines tbody tr")].map(row => {
				const walker = document.createTreeWalker(row.children[%d], NodeFilter.SHOW_TEXT), node = walker.nextNode();
				const range = document.createRange(), mark = node.data.lastIndexOf(",");
				range.setStart(node, mark < 0 ? node.data.length : mark), range.setEnd(node, mark < 0 ? node.data.length : mark + 1);
				return mark < 0 ? range.getClientRects()[0]?.right ?? node.parentNode.getBoundingClientRect().right : range.getBoundingClientRect().left;
			})`, column-1), &at)
			for _, x := range at {
				if x < at[0]-1.5 || x > at[0]+1.5 {
					t.Errorf("run %d, column %d: decimal marks are at %.1f", run, column, at)
					break
				}
			}
		}
	}
}
