package page_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
)

// moved are the terms that stand in another region than where an invoice that has every term
// shows them, and why.
var moved = []struct {
	path, regions, why string
}{
	{"seller.", "sender recipient parties foot", "what the buyer makes for the seller has the parties the other way round; what the foot has no room for is in the block"},
	{"buyer.", "sender recipient parties foot", "the same"},
	{"seller.name", "payment", "who pays whom, where the seller pays"},
	{"buyer.name", "payment", "the same"},
	{"paymentDueDate", "information facts head totals", "beside the address or the title and beside the amount; in the table of payments where there is one"},
	{"projectReference", "information facts", "as many references as fit stand beside the address"},
	{"contractReference", "information facts", "the same"},
	{"precedingInvoices.", "information facts", "the same"},
	{"seller.postalAddress.countryCode", "technical", "said once for all addresses of one country"},
	{"testIndicator", "head", "in the title"},
	{"copyIndicator", "head", "the same"},
	{"thirdPartyPayments.", "further", "what has no amount is not a row of the sums"},
	{"totals.", "technical", "sums of zero are not summands"},
}

// unsaidHere returns why a value of an invoice is not on its pages as a text of its own.
func unsaidHere(values map[string]string, regions map[string][]string, path string) string {
	parent, name := path[:strings.LastIndex(path, ".")], path[strings.LastIndex(path, ".")+1:]
	switch {
	case name == "countryCode" && slices.ContainsFunc(slices.Collect(maps.Keys(regions)), func(other string) bool {
		return strings.HasSuffix(other, ".countryCode") && values[other] == values[path]
	}):
		return "the same country as another address"
	case strings.HasSuffix(parent, "postalAddress") && values[strings.TrimSuffix(parent, "postalAddress")+"name"] == values[path]:
		return "a line of the address that is the name"
	case name == "tradingName" && strings.Contains(bare(values[parent+".name"]), bare(values[path])):
		return "part of the name"
	case name == "reasonCode" && values[parent+".reason"] != "":
		return "the name of the code is the reason"
	case strings.HasSuffix(path, "vat.categoryCode") && values[parent+".rate"] != "" && values[path] == "S":
		return "the rate says so"
	case strings.HasSuffix(path, ".price.baseQuantity") && isOne(values[path]), strings.HasSuffix(path, ".price.baseQuantityUnitCode") && isOne(values[parent+".baseQuantity"]):
		return "a price is for one"
	}
	return ""
}

func isOne(number string) bool { return model.NewNumber(number).Value.Equal(model.NewDecimal(1)) }

// On the pages of the documents of the suites, in every look, each value is there once, in the region
// where an invoice that has every term shows it, or elsewhere for a reason that is listed.
func TestSuiteTermsAreInTheirRegion(t *testing.T) {
	var files []string
	for _, name := range []string{"xrechnung-testsuite", "zugferd-corpus/xml", "cen-examples", "cen-unit", "xrechnung-history", "xrechnung-schematron"} {
		files = append(files, suite(t, name)...)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites is not there, so there are no invoices to show")
	}
	belongs := map[string]map[string][]string{}
	for _, name := range look.Names() {
		belongs[name] = map[string][]string{}
		for path, in := range regionsOf(t, page.EveryTerm(), name) {
			belongs[name][index.ReplaceAllString(path, "")] = in
		}
	}
	documents, values, unsaid, elsewhere := 0, 0, map[string]int{}, map[string]int{}
	for i, file := range files {
		if !*everyDocument && i%40 != 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			continue
		}
		documents++
		name := look.Names()[i%len(look.Names())]
		regions, raw := regionsOf(t, doc.Invoice, name), map[string]string{}
		leaves(model.ObjectOf(doc.Invoice), "", func(path string, _ *model.Field, value string) { raw[path] = value })
		for path := range regions {
			if _, has := raw[path]; !has {
				t.Errorf("%s, %s: the page has %s, and the invoice has not", filepath.Base(file), name, path)
			}
		}
		for path := range raw {
			values++
			in := slices.Compact(regions[path]) // a text in several sentences is several elements
			plain := strings.ReplaceAll(index.ReplaceAllString(path, ""), "subLines.subLines.", "subLines.")
			for strings.Contains(plain, "subLines.subLines.") {
				plain = strings.ReplaceAll(plain, "subLines.subLines.", "subLines.")
			}
			if len(in) == 0 {
				why := unsaidHere(raw, regions, path)
				if unsaid[why]++; why == "" {
					t.Errorf("%s, %s: %s (%q) is on no page", filepath.Base(file), name, path, raw[path])
				}
				continue
			}
			if twice := slices.Sorted(slices.Values(in)); len(slices.Compact(twice)) != len(in) {
				t.Errorf("%s, %s: %s is in %q", filepath.Base(file), name, path, in)
			}
			for _, region := range in {
				if slices.Contains(belongs[name][plain], region) || len(in) > 1 && isRepeated(plain, slices.Clone(in)) {
					continue
				}
				at := slices.IndexFunc(moved, func(m struct{ path, regions, why string }) bool {
					return strings.HasPrefix(plain, m.path) && slices.Contains(strings.Fields(m.regions), region)
				})
				if at < 0 {
					t.Errorf("%s, %s: %s is in %q, and belongs in %q", filepath.Base(file), name, path, in, belongs[name][plain])
					continue
				}
				elsewhere[moved[at].path]++
			}
		}
	}
	t.Logf("%d documents with %d values; without a text of their own: %v; elsewhere: %v", documents, values, unsaid, elsewhere)
	if documents < 50 || values < 50*documents {
		t.Errorf("only %d values of %d documents were looked for", values, documents)
	}
}
