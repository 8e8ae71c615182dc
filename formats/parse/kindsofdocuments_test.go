package parse_test

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
	"einvoice/model/sampled"
	"einvoice/model/strictyaml"
)

//go:embed testdata/kinds.yaml
var kindsYAML []byte

//go:embed testdata/freshkinds.yaml
var freshKindsYAML []byte

// kindsOf are the words of documents, by kind and language.
type kindsOf struct {
	Titles, Says, Later map[string]map[string][]string
	Invoices            map[string]struct {
		Titles, Says                  []string
		Number, Date, Net, Vat, Gross string
	}
}

// halfOf are the words of a list that mended the lexicon, or those that nobody looked at; a list
// of one has the same for both.
func halfOf(list []string, kept bool) (half []string) {
	for i, s := range list {
		if len(list) == 1 || (i%2 == 1) == kept {
			half = append(half, s)
		}
	}
	return half
}

// A drawnDocument is a page with a title at one of the places where titles are.
func drawnDocument(r *rand.Rand, title string, below []string) text.Sheet {
	sheet := text.Sheet{Width: 595, Height: 842}
	y := 60.0
	add := func(s string, x, scale float64) {
		words := drawn.Words(s, x, y, 5)
		for i := range words {
			w := &words[i]
			w.Size *= scale
			w.Box.Top = w.Box.Bottom - (w.Box.Bottom-w.Box.Top)*scale
			w.Box.Left, w.Box.Right = x+(w.Box.Left-x)*scale, x+(w.Box.Right-x)*scale
		}
		sheet.Words = append(sheet.Words, words...)
		y += 14 * max(scale, 1)
	}
	scale := []float64{1, 1, 1.4, 2}[r.IntN(4)]
	if r.IntN(3) == 0 {
		title = strings.ToUpper(title)
	}
	letterhead := []string{"Hafen Papier GmbH", "Kai 4", "20095 Hamburg"}
	switch r.IntN(3) {
	case 0: // title first
		add(title, 50, scale)
		y += 20
		for _, s := range letterhead {
			add(s, 50, 1)
		}
	case 1: // below the letterhead
		for _, s := range letterhead {
			add(s, 50, 1)
		}
		y += 40
		add(title, 50, scale)
	default: // a letter with an address, the title at the right or as the subject
		add("Hafen Papier GmbH, Kai 4, 20095 Hamburg", 50, 0.8)
		y += 10
		for _, s := range []string{"Bakkerij Smit", "Markt 22", "8261 AB Kampen"} {
			add(s, 50, 1)
		}
		y += 40
		add(title, []float64{50, 330}[r.IntN(2)], scale)
	}
	y += 20
	for _, s := range below {
		add(s, 50, 1)
	}
	return sheet
}

// sums are rows with amounts that agree.
func sums(net, vat, gross string) []string {
	return []string{"Papier A4   2   50,00   100,00", net + "   100,00", vat + "   20,00", gross + "   120,00 EUR"}
}

// Documents of every kind that are not invoices, in seven languages and at all places of their
// title, are refused, and invoices that mention them are read. The score is that of titles and
// sentences that mended nothing.
func TestKindsOfDocuments(t *testing.T) {
	t.Parallel()
	var words kindsOf
	if err := strictyaml.Decode(kindsYAML, &words); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(31, 1))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	for _, kept := range []bool{false, true} {
		refused, named, all := map[string]int{}, map[string]int{}, map[string]int{}
		for _, kind := range slices.Sorted(maps.Keys(words.Titles)) {
			for _, language := range slices.Sorted(maps.Keys(words.Titles[kind])) {
				w := words.Invoices[language]
				for _, title := range halfOf(words.Titles[kind][language], kept) {
					for try := range sampled.Of(3, 2) {
						said := strings.ReplaceAll(pick(halfOf(words.Says[kind][language], kept)), "{n}", "R-17")
						rows := []string{"4711   20.11.2026", said}
						if kind == "reminder" || kind == "statement" || kind == "remittance" {
							rows = append(rows, w.Number+" R-17   20.10.2026   120,00 EUR")
						}
						if try > 0 {
							rows = append(rows, sums(w.Net, w.Vat, w.Gross)...)
						}
						found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, title, rows)}, parse.Limits{})
						all[kind]++
						e, is := errors.AsType[*problem.Error](err)
						switch {
						case is && e.Code == parse.CodeNotInvoice:
							refused[kind]++
							if strings.Contains(e.Message, articles[kind]) {
								named[kind]++
							}
						case !kept:
							t.Logf("%s: %q, %q is taken for %+v, %v", language, title, said, kindsIn(found), err)
						}
					}
				}
			}
		}
		sum, of, named1 := 0, 0, 0
		for kind, n := range all {
			sum, of, named1 = sum+refused[kind], of+n, named1+named[kind]
			t.Logf("kept %v: %-18s %3d of %3d refused, %3d by their name", kept, kind, refused[kind], n, named[kind])
			if kept && 10*refused[kind] < 9*n {
				t.Errorf("of the documents of the kind %s, %d of %d are refused", kind, refused[kind], n)
			}
		}
		t.Logf("kept %v: %d of %d refused (%.1f %%), %d by their name", kept, sum, of, 100*float64(sum)/float64(of), named1)
		if 100*sum < 95*of {
			t.Errorf("%d of %d documents that are not invoices are refused", sum, of)
		}
	}
	for language, w := range words.Invoices {
		for _, title := range w.Titles {
			for _, said := range w.Says {
				rows := append([]string{w.Number + ": R-17", w.Date + ": 20.11.2026", said}, sums(w.Net, w.Vat, w.Gross)...)
				found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, title, rows)}, parse.Limits{})
				if err != nil || found[0].Kind.Name != "invoice" || found[0].Kind.Confidence < 0.7 {
					t.Errorf("%s: the invoice %q that says %q is taken for %+v, %v", language, title, said, kindsIn(found), err)
				}
			}
		}
	}
}

// articles are what errors call the kinds.
var articles = map[string]string{
	"reminder": "a reminder", "offer": "an offer", "order": "an order:", "orderConfirmation": "an order confirmation", "deliveryNote": "a delivery note",
	"proforma": "a pro forma invoice", "statement": "a statement of account", "remittance": "a remittance advice", "receipt": "a receipt", "other": "a",
}

func kindsIn(found []parse.Document) string {
	var all []string
	for _, d := range found {
		all = append(all, fmt.Sprintf("%+v", d.Kind))
	}
	return strings.Join(all, ", ")
}

// A title that nobody has heard of may hide what a document is, but such a document is never taken
// for an invoice for sure, so that nobody posts it without a look.
func TestUnknownKindsAreNotSure(t *testing.T) {
	t.Parallel()
	var words kindsOf
	if err := strictyaml.Decode(kindsYAML, &words); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(31, 2))
	all, refused, sure := 0, 0, 0
	for _, kind := range slices.Sorted(maps.Keys(words.Later)) {
		for _, language := range slices.Sorted(maps.Keys(words.Later[kind])) {
			w := words.Invoices[language]
			for _, title := range words.Later[kind][language] {
				for range 4 {
					rows := append([]string{w.Number + " R-17   20.10.2026", "4711"}, sums(w.Net, w.Vat, w.Gross)...)
					found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, title, rows)}, parse.Limits{})
					all++
					switch {
					case err != nil:
						refused++
					case found[0].Kind.Confidence >= 0.95 || found[0].Result.Decide(0.95).Accept:
						sure++
						t.Logf("%s: %q is taken for %s", language, title, kindsIn(found))
					}
				}
			}
		}
	}
	t.Logf("%d of %d refused, %d taken for an invoice for sure", refused, all, sure)
	if 100*sure > all {
		t.Errorf("%d of %d documents are taken for invoices for sure", sure, all)
	}
}

// An invoice may show the order, contract or delivery that it is for in larger letters than itself: it is read
// where it cites its number, prints sums with VAT and says how to pay, but never for sure. Without an account
// it is refused.
func TestCitedInvoices(t *testing.T) {
	t.Parallel()
	var words kindsOf
	if err := strictyaml.Decode(kindsYAML, &words); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(31, 5))
	for _, kind := range []string{"offer", "order", "orderConfirmation", "deliveryNote"} {
		for language, titles := range words.Titles[kind] {
			w := words.Invoices[language]
			for i, title := range titles {
				if !sampled.Takes(i, 3) {
					continue
				}
				rows := append([]string{w.Number + " R-17   20.10.2026"}, sums(w.Net, w.Vat, w.Gross)...)
				_, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, title+" 4711", rows)}, parse.Limits{})
				if e, is := errors.AsType[*problem.Error](err); !is || e.Code != parse.CodeNotInvoice {
					t.Errorf("%s: %q without an account: %v", language, title, err)
				}
				found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, title+" 4711", append(rows, "IBAN DE89 3704 0044 0532 0130 00"))}, parse.Limits{})
				if err != nil {
					t.Errorf("%s: the invoice below %q: %v", language, title, err)
					continue
				}
				if number := found[0].Result.Invoice.Number.Raw; number != "R-17" || found[0].Kind.Confidence >= 0.95 || found[0].Result.Decide(0.95).Accept {
					t.Errorf("%s: the invoice below %q has number %q, kind %+v", language, title, number, found[0].Kind)
				}
			}
		}
	}
}

// A street, a town or a company that is called like another document makes none of an invoice that
// only a label names: rows of an address stand close to each other.
func TestAddressesAreNoHeadings(t *testing.T) {
	for _, name := range []string{"Lieferantenstraße 20", "Bestellweg 4", "Angebotsgasse 1", "Ordershof", "Quittungsallee 9", "Rue de la Livraison 3", "Via del Preventivo 5", "Contract House", "Reminder Lane 12", "Vertragsweg 8"} {
		for at := range 3 {
			address := []string{"Hafen Papier", "Kai 4", "20095 Hamburg"}
			address[at] = name
			r := readRows(t, append(address, "Rechnungsnummer: R-17", "Rechnungsdatum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00")...)
			if r.Kind.Name != "invoice" {
				t.Errorf("%s makes %+v of an invoice", name, r.Kind)
			}
		}
	}
}

// Titles and sentences of another person: the half that improved the lexicon, the other one, which was
// known when it was improved, and titles that were written afterwards. A title stands with a sentence
// and perhaps sums, or alone above the number of an invoice and sums that close.
func TestFreshKindsOfDocuments(t *testing.T) {
	t.Parallel()
	var words, known kindsOf
	if err := strictyaml.Decode(freshKindsYAML, &words); err != nil {
		t.Fatal(err)
	}
	if err := strictyaml.Decode(kindsYAML, &known); err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct {
		name   string
		titles map[string]map[string][]string
		halves []bool // of the titles: false the one that improved the lexicon, true the other
		alone  bool
		least  int // that are refused, in percent
	}{
		{"that improved the lexicon", words.Titles, []bool{false}, false, 98},
		{"that improved the lexicon, alone", words.Titles, []bool{false}, true, 97},
		{"of the other half", words.Titles, []bool{true}, false, 97},
		{"of the other half, alone", words.Titles, []bool{true}, true, 95},
		{"written afterwards", words.Later, []bool{false, true}, false, 90},
		{"written afterwards, alone", words.Later, []bool{false, true}, true, 55},
	} {
		r := rand.New(rand.NewPCG(31, 3))
		refused, all, sure := map[string]int{}, map[string]int{}, 0
		for _, kind := range slices.Sorted(maps.Keys(set.titles)) {
			for _, language := range slices.Sorted(maps.Keys(set.titles[kind])) {
				w := known.Invoices[language]
				for i, title := range set.titles[kind][language] {
					isOther := i%2 == 1
					if !slices.Contains(set.halves, isOther) {
						continue
					}
					says := halfOf(words.Says[kind][language], isOther)
					for try := range sampled.Of(3, 3) {
						rows := []string{"4711   20.11.2026", strings.ReplaceAll(says[r.IntN(len(says))], "{n}", "R-17")}
						if set.alone {
							rows = []string{w.Number + " R-17   20.10.2026", "4711"}
						}
						if try > 0 || set.alone {
							rows = append(rows, sums(w.Net, w.Vat, w.Gross)...)
						}
						found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, title, rows)}, parse.Limits{})
						all[kind]++
						if e, is := errors.AsType[*problem.Error](err); is && e.Code == parse.CodeNotInvoice {
							refused[kind]++
							continue
						}
						if err == nil && (found[0].Kind.Confidence >= 0.95 || found[0].Result.Decide(0.95).Accept) {
							sure++
						}
						if !slices.Contains(set.halves, true) { // the others are never looked at
							t.Logf("%s: %q, %q is taken for %+v, %v", language, title, rows[1], kindsIn(found), err)
						}
					}
				}
			}
		}
		sum, of := 0, 0
		for _, kind := range slices.Sorted(maps.Keys(all)) {
			sum, of = sum+refused[kind], of+all[kind]
			t.Logf("%s: %-18s %3d of %3d refused", set.name, kind, refused[kind], all[kind])
		}
		t.Logf("%s: %d of %d refused (%.1f %%), %d taken for an invoice for sure", set.name, sum, of, 100*float64(sum)/float64(of), sure)
		if 100*sum < set.least*of || 100*sure > of {
			t.Errorf("titles %s: %d of %d documents are refused, %d are taken for invoices for sure", set.name, sum, of, sure)
		}
	}
}

// The state of an invoice, heads of its sections, its thanks and its small print make no other document
// of one that only a label names.
func TestPartsOfInvoicesAreNoHeadings(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"Unpaid", "Impayée", "Niezapłacona", "Balance Due", "Delivery address", "Payment details", "Adresse de livraison", "Règlement par virement", "Indirizzo di consegna", "Dirección de entrega", "Afleveradres", "Betalingsvoorwaarden", "Tytuł przelewu", "Lieferadresse", "Gastos de envío", "Thank you for your order", "Danke für Ihre Bestellung", "Merci pour votre commande", "Gracias por su pedido", "Grazie per il tuo ordine", "Bedankt voor je bestelling", "Dziękujemy za zamówienie"} {
		for try := range 6 {
			r := rand.New(rand.NewPCG(31, uint64(try)))
			rows := append([]string{"Invoice number: R-17", "Invoice date: 20.11.2026"}, sums("Net total", "VAT 20 %", "Invoice total")...)
			found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, said, rows)}, parse.Limits{})
			if err != nil || found[0].Kind.Name != "invoice" {
				t.Errorf("%q makes %s of an invoice, %v", said, kindsIn(found), err)
			}
		}
	}
}
