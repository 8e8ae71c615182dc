package workbench_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"einvoice/service/workbench"
)

// apply makes the edits of a remedy.
func apply(text string, edits []workbench.Edit) string {
	units := utf16.Encode([]rune(text))
	slices.SortFunc(edits, func(a, b workbench.Edit) int { return b.From - a.From })
	for _, e := range edits {
		units = slices.Concat(units[:e.From], utf16.Encode([]rune(e.Text)), units[e.To:])
	}
	return string(utf16.Decode(units))
}

// faults are made in valid documents: what matches is taken out, or replaced.
var faults = map[string]struct{ file, match, by, term string }{
	"UBL without its total with VAT":     {"ubl-valid.xml", `\s*<cbc:TaxInclusiveAmount.*?</cbc:TaxInclusiveAmount>`, "", "BT-112"},
	"UBL without its total without VAT":  {"ubl-valid.xml", `\s*<cbc:TaxExclusiveAmount.*?</cbc:TaxExclusiveAmount>`, "", "BT-109"},
	"UBL without the amount due":         {"ubl-valid.xml", `\s*<cbc:PayableAmount.*?</cbc:PayableAmount>`, "", "BT-115"},
	"UBL without the sum of lines":       {"ubl-valid.xml", `(?s)(<cac:LegalMonetaryTotal>)\s*<cbc:LineExtensionAmount.*?</cbc:LineExtensionAmount>`, "$1", "BT-106"},
	"UBL without a VAT breakdown":        {"ubl-valid.xml", `(?s)\s*<cac:TaxSubtotal>.*</cac:TaxSubtotal>`, "", "BG-23"},
	"UBL without anything about VAT":     {"ubl-valid.xml", `(?s)\s*<cac:TaxTotal>.*</cac:TaxTotal>`, "", "BT-116"},
	"UBL without a rate in a breakdown":  {"ubl-valid.xml", `(?s)(<cac:TaxSubtotal>.*?)\s*<cbc:Percent>.*?</cbc:Percent>`, "$1", "BT-119"},
	"UBL without its type":               {"ubl-valid.xml", `\s*<cbc:InvoiceTypeCode.*?</cbc:InvoiceTypeCode>`, "", "BT-3"},
	"UBL without the net amount of line": {"ubl-valid.xml", `(?s)(<cac:InvoiceLine>.*?</cbc:InvoicedQuantity>)\s*<cbc:LineExtensionAmount.*?</cbc:LineExtensionAmount>`, "$1", "BT-131"},
	"CII without its total with VAT":     {"cii-valid.xml", `\s*<ram:GrandTotalAmount.*?</ram:GrandTotalAmount>`, "", "BT-112"},
	"CII without the amount due":         {"cii-valid.xml", `\s*<ram:DuePayableAmount.*?</ram:DuePayableAmount>`, "", "BT-115"},
	"CII without its type":               {"cii-valid.xml", `\s*<ram:TypeCode>380</ram:TypeCode>`, "", "BT-3"},
	"CII without a VAT breakdown":        {"cii-valid.xml", `(?s)(</ram:SpecifiedTradeSettlementPaymentMeans>)\s*<ram:ApplicableTradeTax>.*?</ram:ApplicableTradeTax>(\s*<ram:(?:SpecifiedTrade|Billing|SpecifiedTradeAllowance))`, "$1$2", "BG-23"},
}

// What is missing and follows from the rest is offered, and the document has less findings
// with it.
func TestMissingIsAdded(t *testing.T) {
	d := open(t)
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../cmd/einvoice/samples/" + fault.file)
			if err != nil {
				t.Fatal(err)
			}
			match := regexp.MustCompile(fault.match)
			place := match.FindStringSubmatchIndex(string(data))
			if place == nil {
				t.Fatal("the sample has nothing to be taken out")
			}
			text := string(data[:place[0]]) + string(match.ExpandString(nil, fault.by, string(data), place)) + string(data[place[1]:])
			mends(t, d, text, fault.term)
		})
	}
}

// mends wants a remedy for a term, after which a document has less findings.
func mends(t *testing.T, d *workbench.Desk, text, term string) {
	t.Helper()
	before := call[workbench.Checked](t, d, "check", map[string]any{"text": text})
	r := call[workbench.Remedies](t, d, "remedies", map[string]any{"text": text})
	for _, one := range r.Remedies {
		if one.BT != term && !strings.Contains(one.Becomes, term+" ") {
			continue
		}
		mended := apply(text, one.Edits)
		after := call[workbench.Checked](t, d, "check", map[string]any{"text": mended})
		if after.Problem != nil || len(after.Findings) >= len(before.Findings) || len(one.Rules) == 0 {
			t.Errorf("%d findings before, %d after %s:\n%s", len(before.Findings), len(after.Findings), one.Edits[0].Text, mended)
		}
		return
	}
	var rules []string
	for _, f := range before.Findings {
		rules = append(rules, f.Rule)
	}
	t.Errorf("%s is not offered; there are %+v; violated are %v", term, r.Remedies, rules)
}

// In JSON wrong amounts and codes are mended, and the groups that a VAT breakdown lacks.
func TestRemediesOfJSON(t *testing.T) {
	d := open(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	made := call[workbench.Made](t, d, "make", map[string]any{"text": string(data), "what": "extract", "to": "json"})
	text := string(made.Data)
	for name, fault := range map[string]struct{ match, by, term string }{
		"a wrong amount due":      {`("amountDueForPayment": ?)"?[0-9.]+"?`, `${1}"1.00"`, "BT-115"},
		"a country in small type": {`("countryCode": ?)"[A-Z]{2}"`, `${1}"de"`, "BT-40"},
	} {
		t.Run(name, func(t *testing.T) {
			match := regexp.MustCompile(fault.match)
			place := match.FindStringSubmatchIndex(text)
			if place == nil {
				t.Fatalf("there is nothing to be changed in %s", text)
			}
			mends(t, d, text[:place[0]]+string(match.ExpandString(nil, fault.by, text, place))+text[place[1]:], fault.term)
		})
	}
}

// A VAT breakdown in JSON that lacks a group is given it, behind the others.
func TestMissingGroupOfJSON(t *testing.T) {
	d := open(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	made := call[workbench.Made](t, d, "make", map[string]any{"text": string(data), "what": "extract", "to": "json"})
	var invoice map[string]any
	if err := json.Unmarshal(made.Data, &invoice); err != nil {
		t.Fatal(err)
	}
	lines, _ := invoice["lines"].([]any)
	reduced := maps.Clone(lines[0].(map[string]any)) //nolint:forcetypeassert // a line is an object
	reduced["identifier"] = "2"
	reduced["vat"] = map[string]any{"categoryCode": "Z", "rate": "0"}
	invoice["lines"] = append(lines, reduced)
	delete(invoice, "totals")
	text, err := json.MarshalIndent(invoice, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	mends(t, d, string(text), "BG-23")
}

// Corrections that are offered beside each other are all made by one press: each corrects what it corrects
// alone, and none undoes what another corrected. The mistakes are made by chance.
func TestRemediesAgree(t *testing.T) {
	d := open(t)
	leaf := regexp.MustCompile(`>([^<>\s]+)</`)
	several := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		data, err := os.ReadFile("../../cmd/einvoice/samples/" + []string{"ubl-valid.xml", "cii-valid.xml"}[seed%2])
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for range 6 {
			all := leaf.FindAllStringSubmatchIndex(text, -1)
			at := all[r.IntN(len(all))]
			was := text[at[2]:at[3]]
			is := strings.ToLower(was)
			if _, err := strconv.ParseFloat(was, 64); err == nil && strings.Contains(was, ".") {
				is = []string{was + "0", strconv.Itoa(r.IntN(900)) + ".40"}[r.IntN(2)]
			}
			text = text[:at[2]] + is + text[at[3]:]
		}
		violated := func(text string) map[string]int {
			n := map[string]int{}
			for _, f := range call[workbench.Checked](t, d, "check", map[string]any{"text": text}).Findings {
				n[f.Rule]++
			}
			return n
		}
		var edits []workbench.Edit
		offered := call[workbench.Remedies](t, d, "remedies", map[string]any{"text": text}).Remedies
		for _, one := range offered {
			edits = append(edits, one.Edits...)
		}
		if len(offered) > 1 {
			several++
		}
		together := violated(apply(text, edits))
		for _, one := range offered {
			alone := violated(apply(text, one.Edits))
			for rule, n := range together {
				if n > alone[rule] {
					t.Errorf("seed %d: %s is violated %d times after all of %+v, and %d times after %s %s alone", seed, rule, n, offered, alone[rule], one.BT, one.Becomes)
				}
			}
		}
	}
	if several < 10 {
		t.Errorf("only %d documents had several corrections", several)
	}
}
