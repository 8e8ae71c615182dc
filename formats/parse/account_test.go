package parse_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/problem"
)

const accountOf = "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier"

// madeAccount is an IBAN of a country with right check digits.
func madeAccount(r *rand.Rand, country string) string {
	rest := make([]byte, lexicon.Words().IBANLengths[country]-4)
	for i := range rest {
		rest[i] = '0' + byte(r.IntN(10))
	}
	for check := range 99 {
		if iban := fmt.Sprintf("%s%02d%s", country, check, rest); check > 1 && model.HasCheckDigits(iban) {
			return iban
		}
	}
	panic("no check digits")
}

// groups are the groups of four that an account is printed in.
func groups(iban string) []string {
	var all []string
	for part := range slices.Chunk([]byte(iban), 4) {
		all = append(all, string(part))
	}
	return all
}

// An account that the end of a row or of a column cuts is read whole; where its rest is not there, or a
// digit is another, it is not sure.
func TestCutAccount(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 5))
	for _, country := range slices.Sorted(maps.Keys(lexicon.Words().IBANLengths)) {
		iban := madeAccount(r, country)
		parts := groups(iban)
		cut := 1 + r.IntN(len(parts)-1)
		before, behind := strings.Join(parts[:cut], " "), strings.Join(parts[cut:], " ")
		for name, page := range map[string]struct {
			rows []string
			want bool
		}{
			"sentence": {[]string{"250|50 Please pay by 20/12/2026 to our account IBAN " + before, "262|50 " + behind + ", BIC NWBKGB2L, naming the number."}, true},
			"column":   {[]string{"250|50 Harrow Ltd|200 IBAN: " + before + "|>580 www.harrow.example", "262|50 Mill Lane 4|200 " + behind}, true},
			"lost":     {[]string{"250|50 Please pay to our account IBAN " + before, "262|50 Thank you."}, false},
			"mistaken": {[]string{"250|50 Please pay to our account IBAN " + strings.Join(parts[:1], "") + " " + strings.Join(groups(iban[4:len(iban)-1]+string('0'+(iban[len(iban)-1]-'0'+1)%10)), " ")}, false},
			"other":    {[]string{"250|50 Please pay to our account IBAN " + before, "262|50 12345678901234567890123456789012345"}, false},
		} {
			rows := slices.Concat([]string{"40|50 Invoice", "60|50 Invoice number: R-17", "74|50 Invoice date: 20/11/2026", "160|330 Net total|>540 100.00", "174|330 VAT 20 %|>540 20.00", "188|330 Invoice total|>540 120.00"}, page.rows)
			read, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f := read.Fields[accountOf]
			switch {
			case page.want && (f == nil || f.Value != iban):
				t.Errorf("%s, %s cut after %d groups: the account is %+v", name, iban, cut, f)
			case !page.want && f != nil && f.Confidence > 0.5:
				t.Errorf("%s, %s cut after %d groups: the account is %s at %.2f", name, iban, cut, f.Value, f.Confidence)
			}
		}
	}
}

// What has a number, an account to pay to and totals that add up asks for money, whatever it is called;
// without the account nothing calls it an invoice.
func TestNothingButAnAccount(t *testing.T) {
	rows := []string{"40|50 Aldecoa S.L.", "60|330 Número|400 R-17", "74|330 Fecha|400 20/11/2026", "160|330 Base imponible|>540 100,00", "174|330 IVA 20 %|>540 20,00", "188|330 Total|>540 120,00"}
	if _, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, parse.Limits{}); !isNotInvoice(err) {
		t.Errorf("without an account: %v", err)
	}
	if _, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(append(rows, "230|50 IBAN: ES91 2100 0418 4502 0005 1332")...)}, parse.Limits{}); err != nil {
		t.Errorf("with an account: %v", err)
	}
}

func isNotInvoice(err error) bool {
	e, is := errors.AsType[*problem.Error](err)
	return is && e.Code == parse.CodeNotInvoice
}

// The name of one block and the address of another make no address that is sure.
func TestAddressOfAnotherBlock(t *testing.T) {
	rows := []string{
		"40|50 John Aldous|>540 Brightwater Logistics Limited", "52|50 VAT Reg No.: GB871562238|>540 VAT Reg No.: GB329328122", "64|50 7 Church Street|>540 14 Mill Lane", "76|50 Leeds LS1 4AP|>540 Bristol BS1 5TR",
		"130|50 INVOICE 5462061", "144|50 Date of issue: 02/05/2026", "160|330 Net total|>540 100.00", "174|330 VAT 20 %|>540 20.00", "188|330 Invoice total|>540 120.00",
	}
	read, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	isOf := map[string]string{"John Aldous": "Leeds", "Brightwater Logistics Limited": "Bristol"}
	for _, role := range []string{"seller", "buyer"} {
		name, city := read.Fields["/"+role+"/name"], read.Fields["/"+role+"/postalAddress/city"]
		if name != nil && city != nil && isOf[name.Value] != city.Value && city.Confidence >= 0.95 {
			t.Errorf("%s %s is of %s at %.2f", role, name.Value, city.Value, city.Confidence)
		}
	}
}

// An account below its label goes on in the row below, wherever its groups are parted.
func TestCutAccountBelowItsLabel(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 11))
	for i, country := range []string{"FR", "DE", "IT", "ES", "NL", "PL", "AT", "CH", "IE"} {
		iban := madeAccount(r, country)
		parts := groups(iban)
		for cut := 4; cut < len(parts); cut++ {
			rows := []string{"Atelier du Port SARL", "12 quai 1", "49000 Angers", "", "Facture n° 17", "Date : 03/09/2026", ""}
			totals := []string{"Total HT\t480,00", "TVA 20 %\t96,00", "Total TTC\t576,00"}
			account := []string{"IBAN", strings.Join(parts[:cut], " ") + "|260 Prestation|>520 480,00", strings.Join(parts[cut:], " "), "BIC BNPAFRPPXXX", ""}
			if i%2 == 1 {
				rows = slices.Concat(rows, totals, []string{""}, account)
			} else {
				rows = slices.Concat(rows, account, totals)
			}
			if f := readRows(t, rows...).Fields[accountOf]; f == nil || f.Value != iban {
				t.Errorf("%s after %d groups: the account is %+v", iban, cut, f)
			}
		}
	}
}
