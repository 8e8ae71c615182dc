package formats_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The XRechnung test suite has most invoices in both syntaxes. Both must be read as
// the same invoice, except for the terms that the authors wrote differently. These
// are listed by path, without the indices of list entries.
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
	"01.20a-INVOICE":           {"lines.price.grossPriceBaseQuantity.quantity", "lines.price.grossPriceBaseQuantity.unitCode", "seller.postalAddress.city", "seller.postalAddress.line1", "totals.paidAmount", "totals.sumOfAllowances", "totals.sumOfCharges"},
	"01.21a-INVOICE":           {"buyer.taxRegistrationIdentifier", "lines.vat.details.exemptionReasonText", "paymentInstructions.means.text", "seller.vatIdentifier", "totals.sumOfAllowances", "vatBreakdowns.exemptionReasonText"},
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
			t.Errorf("there is no pair %s", name)
		}
	}
}

func readTwin(t *testing.T, file string) map[string]string {
	t.Helper()
	return comparableTerms(readDocument(t, file).Invoice)
}
