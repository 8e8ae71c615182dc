package formats_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// The ZUGFeRD corpus has CII invoices together with the UBL invoices that another
// converter made from them. Both must be read as the same invoice, except for what
// that converter changes.
var otherConverter = map[string]string{
	"specificationId":                      "it writes that of Peppol",
	"businessProcessType":                  "it writes that of Peppol",
	"seller.tradingName":                   "it repeats the name",
	"buyer.tradingName":                    "it repeats the name",
	"seller.identifiers.identifier":        "it drops identifiers without a scheme",
	"seller.identifiers.schemeId":          "it drops identifiers without a scheme",
	"lines.price.grossPrice":               "it drops gross prices without a discount",
	"lines.price.discount":                 "it adds a discount of 0 to a gross price",
	"projectName":                          "it drops names of projects",
	"seller.contact.department":            "it drops departments beside persons",
	"supportingDocuments.externalLocation": "it drops locations beside attachments",
}

func TestConvertedTwinsAreTheSameInvoice(t *testing.T) {
	files, err := filepath.Glob(suites + "/zugferd-corpus/xml/*.ubl.xml")
	if err != nil || len(files) == 0 {
		t.Skip("no twins to compare in " + suites + "/zugferd-corpus/xml")
	}
	seen := map[string]bool{}
	for _, ubl := range files {
		name := strings.TrimSuffix(filepath.Base(ubl), ".ubl.xml")
		if strings.HasPrefix(name, "not_validating_") {
			continue // its amounts are ten times those of the other document, and half of its content is missing
		}
		t.Run(name, func(t *testing.T) {
			a, b := convertedTwin(t, ubl), convertedTwin(t, filepath.Join(filepath.Dir(ubl), name+".cii.xml"))
			for _, path := range differences(a, b) {
				if otherConverter[path] == "" {
					t.Errorf("%s differs", path)
				}
				seen[path] = true
			}
		})
	}
	for path := range otherConverter {
		if !seen[path] {
			t.Errorf("no pair differs in %s", path)
		}
	}
}

// convertedTwin are the terms of a document without empty ones, and without line
// breaks in attachments.
func convertedTwin(t *testing.T, file string) map[string]string {
	t.Helper()
	terms := readTwin(t, file)
	for path, value := range terms {
		if strings.HasSuffix(path, ".attachment") {
			terms[path] = strings.Join(strings.Fields(value), "")
		}
	}
	maps.DeleteFunc(terms, func(_, value string) bool { return value == "" })
	return terms
}
