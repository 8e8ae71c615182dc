package parse_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/layout"
	"einvoice/model/sampled"
)

// What no label asks for is never sure, whatever the ranker finds: labels of an invoice are exchanged for words that
// say nothing, each set of them.
func TestUnlabelledIsNotSure(t *testing.T) {
	labels := []string{"Rechnung", "Nr.", "Datum:", "Fällig am", "Netto", "USt 7 %", "Gesamtbetrag", "An"}
	needs := map[string]string{"/number": "Nr.", "/paymentDueDate": "Fällig am", "/totals/totalAmountWithoutVat": "Netto"}
	taken := 0
	for without := range 1 << len(labels) {
		if !sampled.Takes(without, 5) {
			continue
		}
		say := func(i int) string {
			if without>>i&1 == 1 {
				return []string{"Tingel", "Tekst", "Brand:", "Vorm", "Hald", "Sorge", "Murm", "Zu"}[i]
			}
			return labels[i]
		}
		r, err := tryRows(t, "Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", say(7), "Blumen Arndt GmbH", "Marktgasse 2", "04109 Leipzig", "",
			say(0)+" "+say(1)+" R-2026-118", say(2)+" 19.11.2026", say(3)+" 19.12.2026", "", say(4)+"\t480,00", say(5)+"\t33,60", say(6)+"\t513,60", "IBAN DE02 1203 0000 0000 2020 51")
		if err != nil { // none of its labels says that it is an invoice
			continue
		}
		for pointer, label := range needs {
			f := r.Fields[pointer]
			if f == nil || without>>slices.Index(labels, label)&1 == 0 {
				continue
			}
			taken++
			isBehindTitle := pointer == "/number" && without&1 == 0
			isProved := label == "Netto" && without>>5&1 == 0 // by the VAT and its rate
			if f.Confidence >= 0.95 && !isBehindTitle && !isProved {
				t.Errorf("without %08b: %s is %s at %v", without, pointer, f.Value, f.Confidence)
			}
		}
	}
	if taken == 0 {
		t.Error("nothing was taken without a label, so that this proves nothing")
	}
}

// Whoever sends an invoice of the buyer buys: the words for it, and those that say that money comes to the seller. Where it
// is collected or given back, the sender sells.
func TestWhoSendsInvoicesOfTheBuyer(t *testing.T) {
	page := func(title, sentence string) []string {
		return []string{"Hafen Papier GmbH · Kai 4 · 20095 Hamburg", "", "Blumen Arndt GmbH", "Marktgasse 2", "04109 Leipzig", "", title + " Nr. 2026-118", "Datum: 19.11.2026", "",
			"Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60", "", sentence}
	}
	for sentence, buyer := range map[string]string{
		"Abrechnung im Gutschriftsverfahren.":                                               "Hafen Papier GmbH",
		"Wir überweisen den Betrag auf Ihr Konto.":                                          "Hafen Papier GmbH",
		"Self-billing agreement 17 of 2025.":                                                "Hafen Papier GmbH",
		"Wir buchen den Betrag von Ihrem Konto ab.":                                         "Blumen Arndt GmbH",
		"Wir erstatten den Betrag auf Ihr Konto.":                                           "Blumen Arndt GmbH",
		"Den Betrag ziehen wir per Lastschrift ein, Rückfragen gern auf Ihr Konto bezogen.": "Blumen Arndt GmbH",
	} {
		r := readRows(t, page("Rechnung", sentence)...)
		for _, pointer := range []string{"/buyer/name", "/seller/name"} {
			f := r.Fields[pointer]
			if isBuyer := pointer == "/buyer/name"; f == nil || (f.Value == buyer) != isBuyer {
				t.Errorf("%s: %s is %+v", sentence, pointer, f)
			}
		}
	}
}

// A VAT number is found behind each label of its country, as it is written.
func TestLabelsOfVatNumbers(t *testing.T) {
	for label, id := range map[string]string{
		"CVR": "DK12345674", "CVR-nr.": "DK12345674", "CVR-nr.:": "DK12345674", "SE-nr.": "DK12345674",
		"P.IVA/C.F.:": "IT12345670017", "Partita IVA e Cod. Fiscale:": "IT12345670017", "P.IVA": "IT12345670017", "NIF/CIF:": "ESB12345674", "N.I.F.:": "ESB12345674",
	} {
		number := id[2:]
		words := strings.Fields(label + " " + number)
		var of []*layout.Word
		for i := range words {
			of = append(of, layout.NewWord(drawn.Words(words[i], float64(60*i), 0, 0)[0], 1))
		}
		found := ""
		for i := range of {
			if got, n := candidate.VatIDAt(of[i:]); n > 0 && found == "" {
				found = got
			}
		}
		if found != id {
			t.Errorf("%s %s is read as %q, want %q", label, number, found, id)
		}
	}
}

// Behind the heading of the buyer in its row, an identifier is the buyer's.
func TestIdentifiersBehindTheBuyer(t *testing.T) {
	for _, row := range []string{"|300 Odběratel:|350 IČ: 64830713|430 DIČ: CZ64830713", "|300 Odběratel:|350 DIČ: CZ64830713"} {
		r := readRows(t, "Faktura č. 17", "Dodavatel:|300 Datum vystavení: 19.11.2026", "Autoservis Vltava s.r.o.", "Strakonická 1180", "150 00 Praha 5", row, "DIČ: CZ27184501|300 Lípa s.r.o.", "|300 Nádražní 32", "|300 150 00 Praha 5", "",
			"Celkem bez DPH\t480,00", "DPH 21 %\t100,80", "Celkem\t580,80")
		for pointer, want := range map[string]string{"/seller/vatIdentifier": "CZ27184501", "/buyer/vatIdentifier": "CZ64830713"} {
			if f := r.Fields[pointer]; f == nil || f.Value != want {
				t.Errorf("%s: %s is %+v, want %s", row, pointer, f, want)
			}
		}
	}
}
