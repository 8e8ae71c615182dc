package formats_test

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/schema"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/rulesets"
)

// creditNotes reports whether a type code is one of those that rulesets/codelists
// lists for credit notes.
func creditNotes(code string) bool {
	return strings.Contains(" 81 83 261 262 296 308 381 396 420 458 502 503 532 ", " "+strings.TrimSpace(code)+" ")
}

var schemas = schema.NewLibrary(rulesets.FS, "schemas")

// faults are the differences of a document from the schema of its root element.
func faults(t *testing.T, doc *model.Document) []schema.Fault {
	t.Helper()
	names := map[string]string{"ubl:Invoice": "ubl-2.1-invoice", "cn:CreditNote": "ubl-2.1-creditnote", "rsm:CrossIndustryInvoice": "cii-d16b"}
	s, err := schemas.Schema(names[rootOf(doc)])
	if err != nil {
		t.Fatal(err)
	}
	return s.Check(doc.Source, 20)
}

func rootOf(doc *model.Document) string {
	return doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String()
}

// suiteDocument is a schema-valid document of the suites.
type suiteDocument struct {
	*model.Document
	file string
}

// eachValid calls f for every schema-valid document of every suite.
func eachValid(t *testing.T, f func(suiteDocument)) {
	t.Helper()
	n, documents := 0, 0
	eachDocument(t, func(file string, doc *model.Document) {
		if documents++; !sampled.Takes(documents, 3) {
			return
		}
		if len(faults(t, doc)) == 0 {
			n++
			f(suiteDocument{doc, file})
		}
	})
	if n < sampled.Of(2300, 4) {
		t.Errorf("only %d documents are valid; is the folder complete?", n)
	}
}

func convert(t *testing.T, doc *model.Document, to model.Syntax) (*model.Document, *formats.Conversion) {
	t.Helper()
	c, err := formats.Convert(t.Context(), doc, formats.Output{Syntax: to, CreditNote: creditNotes})
	if err != nil {
		t.Fatal(err)
	}
	made, err := formats.Read(c.Data, formats.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Data)
	}
	return made, c
}

// A document that is read and written in its own syntax is the same invoice and is
// valid. Reading and writing the result gives the same bytes.
func TestSuitesWrittenInTheirOwnSyntax(t *testing.T) {
	eachValid(t, func(doc suiteDocument) {
		made, c := convert(t, doc.Document, doc.Syntax)
		for _, path := range differences(termsOf(doc.Document), termsOf(made)) {
			if !slices.ContainsFunc(c.Losses, func(l formats.Loss) bool {
				return l.Kind == binding.Changed && concerns(l, path) && explain(l, doc.Syntax) != ""
			}) {
				t.Errorf("%s: differs in %s", doc.file, path)
			}
		}
		for _, f := range faults(t, made) {
			t.Errorf("%s: %s", doc.file, f.Message)
		}
		if _, again := convert(t, made, doc.Syntax); !bytes.Equal(again.Data, c.Data) {
			t.Errorf("%s: written again it is another document", doc.file)
		} else if formats.Lost(again.Losses) > 0 {
			t.Errorf("%s: what was written holds what is not read: %+v", doc.file, again.Losses)
		}
	})
}

// unfit are the reasons why some documents are not valid after conversion: they lack
// terms that the other schema requires. The keys are parts of the faults' messages.
var unfit = map[string]string{
	"cac:InvoiceLine is missing":                "Factur-X MINIMUM and BASIC WL have no lines",
	"cac:CreditNoteLine is missing":             "Factur-X MINIMUM and BASIC WL have no lines",
	"cbc:Amount is missing in cac:AllowanceCha": "the source lacks the amount of an allowance or charge (BR-31, BR-36, BR-41, BR-43)",
}

// explained are the reasons for all losses in suite documents, by direction, kind and
// term.
var explained = map[string]string{
	"to cii: lost lines.subLines":                            "XRechnung has sub lines in UBL only",
	"to cii: lost thirdPartyPayments":                        "XRechnung has third party payments in UBL only",
	"to cii: lost precedingInvoices":                         "D16B allows one only",
	"to cii: changed seller.identifiers":                     "CII has identifiers without a scheme before those with one",
	"to cii: changed typeCode":                               "the source's root is that of a credit note, its code is not, or the other way round",
	"to cii: added lines.price.grossPrice":                   "a discount needs a gross price in CII; it follows from the net price",
	"to cii: changed vatAccountingCurrencyCode":              "it is the invoice currency, which CII does not repeat",
	"to ubl: added lines.price.discount":                     "a gross price needs a discount in UBL; it follows from the net price",
	"to ubl: added purchaseOrderReference":                   "a sales order reference needs a purchase order reference in UBL",
	"to ubl: added totals.taxTotalAmount":                    "a VAT breakdown needs a VAT total in UBL; it is the sum",
	"to ubl: lost paymentDueDate":                            "a credit note has it at the payment means, and there are none",
	"to ubl: lost paymentInstructions.remittanceInformation": "UBL has it at the payment means, and there are none",
	"to ubl: added buyer.electronicAddress.identifier":       "a scheme alone is an attribute in UBL",
	"to ubl: added seller.electronicAddress.identifier":      "a scheme alone is an attribute in UBL",
	"to either: lost totals.taxTotalAmount":                  "the source has two, with different values",
	"to either: lost vatPointDateCode":                       "the source has two, with different values",
}

// extensionLost is the explanation of losses of terms of Factur-X EXTENDED.
const extensionLost = "Factur-X EXTENDED is CII"

// explain finds the explanation of a loss.
func explain(l formats.Loss, to model.Syntax) string {
	if to == model.UBL && l.Kind == binding.Lost && inNoPlace(to, withoutIndices(l.Field)) {
		return extensionLost
	}
	from := "to " + string(to) + ": "
	if strings.Contains(l.Reason, "read already") {
		from = "to either: "
	}
	for key := range explained {
		where, path, _ := strings.Cut(key, string(l.Kind)+" ")
		if where == from && concerns(formats.Loss{Field: path}, withoutIndices(l.Field)) {
			return key
		}
	}
	return ""
}

// A document that is converted to the other syntax and back is valid, and is the
// same invoice except for what the losses report.
func TestSuitesConvertedAndBack(t *testing.T) {
	seen := map[string]bool{}
	eachValid(t, func(doc suiteDocument) {
		other := model.UBL
		if doc.Syntax == model.UBL {
			other = model.CII
		}
		there, c := convert(t, doc.Document, other)
		for _, f := range faults(t, there) {
			known := false
			for part := range unfit {
				if strings.Contains(f.Message, part) {
					known, seen[part] = true, true
				}
			}
			if !known {
				t.Errorf("%s: %s", doc.file, f.Message)
			}
		}
		for _, l := range c.Losses {
			if key := explain(l, other); key != "" {
				seen[key] = true
			} else if l.Field != "" || l.Kind != binding.Lost {
				t.Errorf("%s: unexplained: %+v", doc.file, l)
			}
		}
		back, d := convert(t, there, doc.Syntax)
		losses := slices.Concat(c.Losses, d.Losses)
		for _, path := range differences(withoutGroups(termsOf(doc.Document)), withoutGroups(termsOf(back))) {
			if !slices.ContainsFunc(losses, func(l formats.Loss) bool { return concerns(l, path) }) {
				t.Errorf("%s: %s differs, and no loss reports it", doc.file, path)
			}
		}
	})
	if !sampled.Whole() { // what a part shows says nothing of the others
		return
	}
	for part := range unfit {
		if !seen[part] {
			t.Errorf("no document is unfit for %q", part)
		}
	}
	for key := range explained {
		if !seen[key] {
			t.Errorf("nothing is explained by %q", key)
		}
	}
}

// concerns reports whether a loss is about the term at path, or a group around it.
func concerns(l formats.Loss, path string) bool {
	field := withoutIndices(l.Field)
	path, _, _ = strings.Cut(path, " in ")
	return field != "" && (field == path || strings.HasPrefix(path, field+"."))
}

// termsOf are the terms of a document by path, with its groups, which have no value
// and whose paths end with {}. An amount in another currency than the invoice's has
// a path of its own for the currency.
func termsOf(doc *model.Document) map[string]string {
	terms := comparableTerms(doc.Invoice)
	eachGroup("", model.ObjectOf(doc.Invoice), func(path string) { terms[path+"{}"] = "" })
	eachTerm("", model.ObjectOf(doc.Invoice), func(path string, group model.Object, f *model.Field) {
		if f.Kind != model.KindAmount {
			return
		}
		if c := group.Amount(f).Currency; c.Present && c.Raw != doc.Invoice.CurrencyCode.Raw {
			terms[path+" in "+c.Raw] = ""
		}
	})
	return terms
}

// eachGroup calls f for the path of every group in a field of KindGroup.
func eachGroup(prefix string, o model.Object, f func(path string)) {
	for i := range o.Type.Fields {
		field := &o.Type.Fields[i]
		switch field.Kind {
		case model.KindGroup:
			if g := o.Group(field); g.Present() {
				f(prefix + field.Name)
				eachGroup(prefix+field.Name+".", g, f)
			}
		case model.KindList:
			for i := range o.List(field).Len() {
				eachGroup(prefix+field.Name+"["+strconv.Itoa(i)+"].", o.List(field).At(i), f)
			}
		}
	}
}

func withoutGroups(terms map[string]string) map[string]string {
	maps.DeleteFunc(terms, func(path, _ string) bool { return strings.HasSuffix(path, "{}") })
	return terms
}
