package formats_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/model/source"
)

// extendedSchema is where the published schema of Factur-X EXTENDED is.
const extendedSchema = "../../shared/schemas/factur-x-1.09/EXTENDED"

// movedInExtended are the elements whose value is written as another element, by the end
// of their path.
var movedInExtended = map[string]string{
	"/ram:DepartmentName":                                          "a department without a person is the contact's name, and names are written as those of persons",
	"/ram:GrossPriceProductTradePrice/ram:BasisQuantity":           "without one of the net price it is that of both, and is written there",
	"/ram:GrossPriceProductTradePrice/ram:BasisQuantity/@unitCode": "without one of the net price it is that of both, and is written there",
}

// extendedSampled is of how many documents make test takes one.
const extendedSampled = 4

// Every element and attribute that the schema of EXTENDED has is carried: it is read,
// kept as JSON, and written again at the same path. Or it is reported as lost. Each is
// tried alone, with what the schema requires beside it, and twice where it may be.
func TestExtendedIsCarriedOrReported(t *testing.T) {
	types := readExtended(t)
	g := extendedGenerator{types: types}
	tried, carried, reported := 0, 0, map[string]bool{}
	for _, setting := range extendedSettings {
		g.setting = setting
		g.walk("CrossIndustryInvoiceType", nil, func(focus []step) {
			for _, twice := range []bool{false, true} {
				document, values := g.document(focus, twice)
				if twice && len(values) < 2 {
					continue
				}
				if tried++; !sampled.Takes(tried, extendedSampled) {
					continue
				}
				path := pathOfSteps(focus)
				for _, lost := range checkCarried(t, path, document, values) {
					reported[lost] = true
				}
				carried++
			}
		})
	}
	if carried < sampled.Of(10_000, extendedSampled) {
		t.Errorf("only %d documents were tried", carried)
	}
	for _, path := range slices.Sorted(maps.Keys(reported)) {
		if !reportedInExtended.MatchString(path) {
			t.Errorf("%s is reported as lost", path)
		}
	}
	t.Logf("%d documents; %d paths reported", carried, len(reported))
}

// reportedInExtended are the paths that are reported and not carried, as regular
// expressions for their ends.
var reportedInExtended = regexp.MustCompile(`(` + strings.Join([]string{
	// Schemes of identifiers and lists of codes, where the standard prescribes them.
	`:(ID|ModelID|SupplierAssignedSerialID|\w*[^l]ID)/@schemeID`, `/@listID`, `/@listVersionID`,
	// A telephone number that is an address, and an address that is a number.
	`:(Telephone|Fax)UniversalCommunication/ram:URIID`, `:(EmailURI|URI)UniversalCommunication/ram:CompleteNumber`,
	// What the invoice has once and the schema allows several times.
	`/ram:SpecifiedTaxRegistration/ram:ID`, `/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:TaxTotalAmount(/@currencyID)?`,
	`/ram:SpecifiedTradeSettlementPaymentMeans/ram:Payer\w+/ram:\w+`,
	`/ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax/ram:(DueDateTypeCode|TaxPointDate/udt:DateString)`,
}, "|") + `)$`)

// checkCarried reads a document, keeps it as JSON, and writes it again. It returns the
// paths whose values are reported as lost.
func checkCarried(t *testing.T, path, document string, values []string) (lost []string) {
	t.Helper()
	doc, err := formats.Read([]byte(document), formats.Options{})
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, document)
	}
	losses, err := formats.ReadLosses(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	invoice := doc.Invoice
	if !strings.HasSuffix(path, "@currencyID") { // JSON has one currency
		text, err := json.Marshal(invoice)
		if err != nil {
			t.Fatal(err)
		}
		if invoice, err = jsoninvoice.Decode(t.Context(), text); err != nil {
			t.Fatalf("%s: %v\n%s", path, err, text)
		}
	}
	made, err := formats.Convert(t.Context(), &model.Document{Invoice: invoice}, formats.Output{Syntax: model.CII, Unlimited: true})
	if err != nil {
		t.Fatal(err)
	}
	losses = append(losses, made.Losses...)
	written, err := formats.Read(made.Data, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range values {
		if slices.ContainsFunc(losses, func(l formats.Loss) bool {
			return l.Kind == binding.Lost && strings.TrimSpace(l.Value) == value && (l.Path == "" || strings.HasSuffix(withoutIndices(l.Path), path))
		}) {
			lost = append(lost, path)
			continue
		}
		found := false
		eachValue(written.Source, func(_ source.Ref, at, is string) { found = found || at == path && is == value })
		if found {
			continue
		}
		moved := false
		for end := range movedInExtended {
			moved = moved || strings.HasSuffix(path, end)
		}
		if !moved {
			t.Errorf("%s = %s is neither carried nor reported\n%s\n%s", path, value, document, made.Data)
		}
	}
	return lost
}

// The documents of the suites that are EXTENDED lose nothing when they are read, kept as
// JSON, and written.
func TestExtendedDocumentsLoseNothing(t *testing.T) {
	documents := 0
	eachDocument(t, func(file string, doc *model.Document) {
		if !strings.HasSuffix(strings.TrimSpace(doc.Invoice.SpecificationID.Raw), ":extended") {
			return
		}
		documents++
		text, err := json.Marshal(doc.Invoice)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := jsoninvoice.Decode(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		made, err := formats.Convert(t.Context(), &model.Document{Invoice: kept}, formats.Output{Syntax: model.CII, Unlimited: true})
		if err != nil {
			t.Fatal(err)
		}
		_, read := convert(t, doc, model.CII)
		for _, l := range append(read.Losses, made.Losses...) {
			t.Errorf("%s: %+v", file, l)
		}
		written, err := formats.Read(made.Data, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := differences(comparableTerms(doc.Invoice), comparableTerms(written.Invoice)); len(got) > 0 {
			t.Errorf("%s: differs in %q", file, got)
		}
	})
	if documents < 4 {
		t.Errorf("only %d documents are EXTENDED; is the folder complete?", documents)
	}
}
