package formats_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

// The XRechnung test suite has most invoices in both syntaxes. Both must be read
// as the same invoice, but for what the authors wrote differently: told by path,
// without the numbers of list entries.
var twinsDiffer = map[string][]string{
	"01.01_comprehensive_test": {"buyer.name", "buyer.tradingName", "lines.price.baseQuantity", "lines.price.baseQuantityUnitCode", "payee.legalRegistration.identifier", "payee.legalRegistration.schemeId", "precedingInvoices.issueDate", "precedingInvoices.reference", "seller.identifiers.identifier", "seller.identifiers.schemeId", "totals.roundingAmount"},
	"01.02_comprehensive_test": {"buyer.name", "buyer.tradingName", "lines.price.baseQuantity", "lines.price.baseQuantityUnitCode", "payee.legalRegistration.identifier", "payee.legalRegistration.schemeId", "totals.roundingAmount"},
	"01.02a-INVOICE":           {"purchaseOrderReference"},
	"01.03_comprehensive_test": {"buyer.name", "buyer.tradingName", "lines.price.baseQuantity", "lines.price.baseQuantityUnitCode", "payee.legalRegistration.identifier", "payee.legalRegistration.schemeId", "seller.contact.name", "totals.roundingAmount"},
	"01.04_comprehensive_test": {"buyer.name", "buyer.tradingName", "lines.price.baseQuantity", "lines.price.baseQuantityUnitCode", "payee.legalRegistration.identifier", "payee.legalRegistration.schemeId", "seller.contact.name", "totals.roundingAmount"},
	"01.05_minimal_test":       {"totals.taxTotalAmount"},
	"01.08a-INVOICE":           {"purchaseOrderReference"},
	"01.09a-INVOICE":           {"purchaseOrderReference"},
	"01.10a-INVOICE":           {"purchaseOrderReference"},
	"01.11a-INVOICE":           {"purchaseOrderReference"},
	"01.12a-INVOICE":           {"purchaseOrderReference"},
	"01.13a-INVOICE":           {"purchaseOrderReference"},
	"01.20a-INVOICE":           {"seller.postalAddress.city", "seller.postalAddress.line1", "totals.paidAmount", "totals.sumOfAllowances", "totals.sumOfCharges"},
	"01.21a-INVOICE":           {"paymentInstructions.means.text", "seller.vatIdentifier", "totals.sumOfAllowances", "vatBreakdowns.exemptionReasonText"},
	"02.01a-INVOICE":           {"totals.roundingAmount"},
	"02.01a-cvd_INVOICE":       {"lines.item.attributes.name", "lines.item.attributes.value", "lines.item.description", "payee.legalRegistration.identifier", "payee.legalRegistration.schemeId", "seller.identifiers.identifier", "seller.identifiers.schemeId", "totals.roundingAmount"},
	"02.02a-INVOICE":           {"totals.roundingAmount"},
	"02.03a-INVOICE":           {"totals.roundingAmount"},
	"02.04a-INVOICE":           {"totals.roundingAmount"},
	"03.01a-INVOICE":           {"buyer.tradingName"},
	"03.06a-INVOICE":           {"buyer.postalAddress.city", "buyer.postalAddress.postCode", "seller.postalAddress.city", "seller.postalAddress.postCode"},
	"03.07a-INVOICE":           {"payee.legalRegistration.identifier", "payee.legalRegistration.schemeId", "seller.identifiers.identifier", "seller.identifiers.schemeId", "totals.roundingAmount"},
}

func TestTwinsAreTheSameInvoice(t *testing.T) {
	const suite = suites + "/xrechnung-testsuite"
	files, err := filepath.Glob(suite + "/*_ubl.xml")
	if err != nil || len(files) == 0 {
		t.Skip("no twins to compare in " + suite)
	}
	seen := map[string]bool{}
	for _, ubl := range files {
		name := strings.TrimSuffix(filepath.Base(ubl), "_ubl.xml")
		cii := filepath.Join(suite, name+"_uncefact.xml")
		if _, err := os.Stat(cii); err != nil {
			continue
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			got := differences(readTwin(t, ubl), readTwin(t, cii))
			if want := twinsDiffer[name]; !slices.Equal(got, want) {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		})
	}
	for name := range twinsDiffer {
		if !seen[name] {
			t.Errorf("%s is no pair of twins", name)
		}
	}
}

func readTwin(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	terms := map[string]string{}
	collectTerms("", model.ObjectOf(doc.Invoice), terms)
	return terms
}

// collectTerms puts every leaf of an invoice under its path; numbers are written
// without zeros that mean nothing.
func collectTerms(prefix string, group model.Object, into map[string]string) {
	for i := range group.Type.Fields {
		f := &group.Type.Fields[i]
		switch {
		case !group.Has(f):
		case f.Kind == model.KindGroup:
			collectTerms(prefix+f.Name+".", group.Group(f), into)
		case f.Kind == model.KindList:
			for i := range group.List(f).Len() {
				collectTerms(prefix+f.Name+"["+strconv.Itoa(i)+"].", group.List(f).At(i), into)
			}
		case f.Kind == model.KindNumber || f.Kind == model.KindAmount:
			into[prefix+f.Name] = plain(group.Number(f).Value.String())
		case f.Kind == model.KindDate:
			into[prefix+f.Name] = group.Date(f).ISO()
		default:
			into[prefix+f.Name] = strings.TrimSpace(group.Raw(f))
		}
	}
}

func plain(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number
}

func differences(a, b map[string]string) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	found := map[string]bool{}
	for path := range all {
		x, inA := a[path]
		y, inB := b[path]
		if inA != inB || x != y {
			found[withoutIndices(path)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func withoutIndices(path string) string {
	for {
		open := strings.IndexByte(path, '[')
		if open < 0 {
			return path
		}
		path = path[:open] + path[open+strings.IndexByte(path[open:], ']')+1:]
	}
}
