package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model/sampled"
)

// An account that a sentence names is not surely the seller's, however near it stands; nor is the other one then. That of
// the buyer is none to pay to, also where its sentence goes on in the next row.
func TestAccountsOfOthers(t *testing.T) {
	const at = "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier"
	const own, other = "DE02120300000000202051", "FR1420041010050500013M02606"
	r := rand.New(rand.NewPCG(22, 4))
	for range sampled.Of(40, 4) {
		p, gap := plainPage(r), 12*(1+r.IntN(3))
		sentence := anyOf(r, "Créance cédée : règlement exclusivement à Fides SA, IBAN ", "This claim has been assigned; please pay only to Fides Ltd, IBAN ",
			"Die Forderung ist abgetreten, zahlen Sie nur an Fides AG, IBAN ", "Il credito è stato ceduto, pagare solo a Fides SpA, IBAN ")
		rows := []string{fmt.Sprintf("%d|50 %s", 340, sentence+other), fmt.Sprintf("%d|50 IBAN: %s", 340+gap, own)}
		if r.IntN(2) == 0 {
			rows = []string{fmt.Sprintf("%d|50 IBAN: %s", 340, own), fmt.Sprintf("%d|50 %s", 340+gap, sentence+other)}
		}
		f := readPage(t, p.rows(rows...)).Fields[at]
		if f == nil || f.Confidence >= 0.95 || !slices.ContainsFunc(f.Alternatives, func(a parse.Alternative) bool { return a.Value == own || a.Value == other }) {
			t.Errorf("%q: %+v", rows, f)
		}
		begin, rest, _ := strings.Cut(anyOf(r, "The amount will be taken from|your account", "Der Betrag wird eingezogen von Ihrem|Konto", "Importo addebitato il 3/12/2026 sul Vs.|conto",
			"Le montant sera prélevé sur votre|compte"), "|")
		debit := []string{fmt.Sprintf("340|50 %s|330 Thank you for your order", begin), "352|50 " + rest + " " + other}
		if got := valueOf(readPage(t, p.rows(debit...)), at); got != "" {
			t.Errorf("%q: to pay to %s", debit, got)
		}
	}
}

// The groups of the digits of an account are no line, where nothing ends the table above it.
func TestAccountIsNoLine(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 6))
	for range sampled.Of(60, 4) {
		p := plainPage(r)
		account := anyOf(r, "DE39 8496 6430 2728 1158 97", "DE02 1203 0000 0000 2020 51", "DK22 7993 0577 5743 32", "FR14 2004 1010 0505 0001 3M02 606")
		rows := slices.DeleteFunc(p.rows(), func(row string) bool {
			return strings.Contains(row, "|540") || strings.Contains(row, ">540 ") && row > "27"
		})
		rows = append(rows, "280|50 Total", "294|50 EUR 300.00", "308|50 Exempt from VAT", fmt.Sprintf("%d|50 %s|200 VAT DE136695976|%s IBAN: %s", 330+12*r.IntN(3), p.seller, anyOf(r, ">540", ">556", "330"), account))
		if read := readPage(t, rows); len(read.Invoice.Lines) != 1 {
			t.Errorf("%q: %d lines", rows[len(rows)-1], len(read.Invoice.Lines))
		}
	}
}

// A printed account with wrong check digits does not take the place of a whole one, above it or below it. Where it is the first,
// it is an alternative, and neither is sure.
func TestBrokenAccountBesideWholeOne(t *testing.T) {
	const whole, broken, sure = "DE02 1203 0000 0000 2020 51", "DE89 3704 0044 0532 0130 99", 0.9
	for _, order := range [][2]string{{whole, broken}, {broken, whole}} {
		rows := []string{
			"60|50 Morel SARL", "74|50 4 rue Haute", "88|50 69002 Lyon", "140|50 Rechnung 2026-17", "154|50 Rechnungsdatum: 20.11.2026",
			"300|50 Bezeichnung|>330 Menge|>420 Einzelpreis|>540 Gesamt", "314|50 Wartung|>330 2|>420 150,00|>540 300,00",
			"340|330 Nettobetrag|>540 300,00", "354|330 USt. 19 %|>540 57,00", "368|330 Rechnungsbetrag EUR|>540 357,00",
			"700|50 IBAN " + order[0], "714|50 IBAN " + order[1],
		}
		f := readPage(t, rows).Fields[account]
		isFirst := order[0] == broken
		if f == nil || f.Value != strings.ReplaceAll(whole, " ", "") || isFirst && (f.Confidence >= sure || len(f.Alternatives) != 1) {
			t.Errorf("%q: the account is %+v", order, f)
		}
	}
}
