package conformance_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/validate"

	"gopkg.in/yaml.v3"
)

var addingAll = flag.Bool("adding-all", false, "read the sums of all suite documents off the pages that are made of them, which takes minutes")

// rulesOfSums are those that say which total is the sum of which amounts, or that one is missing.
var rulesOfSums = []string{
	"BR-12", "BR-13", "BR-14", "BR-15", "BR-CO-10", "BR-CO-11", "BR-CO-12", "BR-CO-13", "BR-CO-14", "BR-CO-15", "BR-CO-16", "BR-DEX-09", "BR-DEX-11", "BR-FXEXT-CO-16",
}

// explained returns the rule by which the totals of a document contradict each other, or lack one;
// or what the document is, if no rule is asked of it.
func explained(t *testing.T, s *operation.Kit, doc *model.Document, how string) string {
	t.Helper()
	result, err := s.ValidateDocument(t.Context(), doc, validate.Rules{})
	if err != nil {
		return "no rules are asked of it: " + err.Error()
	}
	for _, f := range result.Report.Findings {
		for _, rule := range rulesOfSums {
			if strings.HasSuffix(f.Rule, rule) {
				return rule
			}
		}
	}
	if !strings.HasPrefix(how, "no ") {
		return "" // a schema says what is missing, and not what is wrong
	}
	for _, f := range result.Report.Findings {
		if f.Layer == engine.LayerSchema && f.Level == engine.Fatal {
			return "schema"
		}
	}
	return ""
}

// sumsOf are the totals that the column of sums has, from which the amount due follows.
func sumsOf(t *model.Totals) map[string]*model.Amount {
	return map[string]*model.Amount{
		"sumOfLineNetAmounts": &t.SumOfLineNetAmounts, "sumOfAllowances": &t.SumOfAllowances, "sumOfCharges": &t.SumOfCharges, "totalAmountWithoutVat": &t.TotalAmountWithoutVat,
		"taxTotalAmount": &t.TaxTotalAmount, "totalAmountWithVat": &t.TotalAmountWithVat, "paidAmount": &t.PaidAmount, "roundingAmount": &t.RoundingAmount, "amountDueForPayment": &t.AmountDueForPayment,
	}
}

// broken is how the totals of an invoice contradict each other: the total that is missing, or no
// amount, or the equation that does not hold; empty where they agree.
func broken(inv *model.Invoice) string {
	t := inv.Totals
	if t == nil {
		return "no totals"
	}
	sums := sumsOf(t)
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if a := sums[name]; a.Present != a.Valid || !a.Present && !slices.Contains([]string{"sumOfAllowances", "sumOfCharges", "taxTotalAmount", "paidAmount", "roundingAmount"}, name) {
			return "no " + name
		}
	}
	net := t.SumOfLineNetAmounts.Value.Sub(t.SumOfAllowances.Value).Add(t.SumOfCharges.Value)
	due := t.TotalAmountWithVat.Value.Sub(t.PaidAmount.Value).Add(t.RoundingAmount.Value)
	for _, p := range inv.ThirdPartyPayments {
		if p.Amount.Present != p.Amount.Valid {
			return "no amount of a third party"
		}
		due = due.Add(p.Amount.Value)
	}
	for _, p := range inv.FinancialAdjustments {
		due = due.Add(p.Amount.Value)
	}
	switch {
	case !net.Equal(t.TotalAmountWithoutVat.Value):
		return "BT-106 - BT-107 + BT-108 is not BT-109"
	case !t.TotalAmountWithoutVat.Value.Add(t.TaxTotalAmount.Value).Equal(t.TotalAmountWithVat.Value):
		return "BT-109 + BT-110 is not BT-112"
	case !due.Equal(t.AmountDueForPayment.Value):
		return "BT-112 - BT-113 + BT-114 is not BT-115"
	}
	return ""
}

// listed reads documents that are listed with a reason from a file of testdata.
func listed(t *testing.T, file string) (groups []struct {
	How, Reason string
	Documents   []string
	Totals      map[string][]string // by document
}) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err == nil {
		err = yaml.Unmarshal(data, &groups)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		if g.Reason == "" {
			t.Errorf("%s: %q has no reason", file, g.How)
		}
	}
	return groups
}

// unsaid returns how each document of testdata/contradictory.yaml contradicts itself.
func unsaid(t *testing.T) map[string]string {
	t.Helper()
	known := map[string]string{}
	for _, g := range listed(t, "contradictory.yaml") {
		for _, d := range g.Documents {
			known[d] = g.How
		}
	}
	return known
}

// unreadTotals returns the totals of testdata/unread.yaml by document, and how many there are.
func unreadTotals(t *testing.T) (totals map[string][]string, n int) {
	t.Helper()
	totals = map[string][]string{}
	for _, g := range listed(t, "unread.yaml") {
		for document, terms := range g.Totals {
			totals[document], n = append(totals[document], terms...), n+len(terms)
		}
	}
	return totals, n
}

// The totals of suite documents are read off the pages that are made of them, and are those of the
// document. A document whose totals do not add up breaks a rule that says so, or is listed with the
// reason in testdata/contradictory.yaml; so is a total that is not read back, in unread.yaml.
func TestSumsAreReadBack(t *testing.T) {
	suites := filepath.Join("..", "..", "shared", "suites")
	var files []string
	for _, pattern := range []string{"xrechnung-testsuite/*.xml", "zugferd-corpus/xml/*.xml", "cen-examples/*.xml", "cen-unit/*.xml", "xrechnung-history/*.xml", "xrechnung-schematron/*.xml"} {
		found, err := filepath.Glob(filepath.Join(suites, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites is not there, so there are no invoices to read back")
	}
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	s := operation.New(library, operation.Config{})
	contradictory, read, same, documents, agree := map[string]int{}, 0, 0, 0, 0
	var others []string
	missed, explainedBy, known := 0, 0, unsaid(t)
	unread, listedTotals := unreadTotals(t)
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			others = append(others, filepath.Base(file))
			continue
		}
		documents++
		name := filepath.Base(file)
		how := broken(doc.Invoice)
		why := ""
		if how != "" {
			why = explained(t, s, doc, how)
		}
		switch {
		case why != "":
			contradictory[why]++
			continue
		case how != known[name]:
			t.Errorf("%s: %q, and testdata/contradictory.yaml says %q: list it with the reason, or take it out", name, how, known[name])
			continue
		case how != "":
			explainedBy++
			continue
		}
		if agree++; !*addingAll && i%60 != 0 {
			continue
		}
		made, err := page.PDF(t.Context(), doc.Invoice, page.Options{Language: "de"})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parse.PDF(t.Context(), made.Data, parse.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := parsed.Invoice.Totals
		if got == nil {
			got = &model.Totals{}
		}
		// What is taken away and added again changes no sum, and the reader of pages leaves it out.
		cancelled := doc.Invoice.Totals.SumOfAllowances.Value.Equal(doc.Invoice.Totals.SumOfCharges.Value)
		for term, want := range sumsOf(doc.Invoice.Totals) {
			is := sumsOf(got)[term]
			if !want.Present || want.Value.Sign() == 0 || cancelled && (term == "sumOfAllowances" || term == "sumOfCharges") {
				continue
			}
			read++
			if is.Valid && is.Value.Equal(want.Value) {
				same++
			} else if missed++; !slices.Contains(unread[name], term) {
				t.Errorf("%s: %s is %s, and %q was read: correct it, or list it with the reason in testdata/unread.yaml", name, term, want.Raw, is.Raw)
			}
		}
	}
	t.Logf("%d documents, of which the totals of %d agree, and %q are not invoices; %d of %d totals are read back; contradictory, by the rule that says so: %v, and listed with a reason: %d",
		documents, agree, others, same, read, contradictory, explainedBy)
	if explainedBy != len(known) {
		t.Errorf("%d of the %d documents of testdata/contradictory.yaml are in the suites", explainedBy, len(known))
	}
	if documents < 20 || read < 100 {
		t.Errorf("only %d totals of %d documents were looked for", read, documents)
	}
	if *addingAll && missed != listedTotals {
		t.Errorf("%d totals are not read back, and testdata/unread.yaml lists %d", missed, listedTotals)
	}
}
