package formats_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/schema"
	"einvoice/model"
	"einvoice/rulesets"
)

// creditNotes are type codes of credit notes, as rulesets/codelists has them.
func creditNotes(code string) bool {
	return strings.Contains(" 81 83 261 262 296 308 381 396 420 458 502 503 532 ", " "+strings.TrimSpace(code)+" ")
}

var schemas = schema.NewLibrary(rulesets.FS, "schemas")

// faults are what the schema of its root element says of a document.
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

// suiteDocument is a document of the suites that its schema finds valid.
type suiteDocument struct {
	*model.Document
	file string
}

// eachValid calls f for every document of every suite that its schema finds
// valid and says how many there were.
func eachValid(t *testing.T, f func(suiteDocument)) {
	t.Helper()
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	n := 0
	err := filepath.WalkDir(suites, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" || strings.HasPrefix(d.Name(), older) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			return err
		}
		if len(faults(t, doc)) > 0 {
			return nil
		}
		n++
		f(suiteDocument{doc, filepath.Base(path)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 2300 {
		t.Errorf("only %d documents are valid; is the folder complete?", n)
	}
}

func convert(t *testing.T, doc *model.Document, to model.Syntax) (*model.Document, *formats.Conversion) {
	t.Helper()
	c, err := formats.Convert(doc, formats.Target{Syntax: to, CreditNote: creditNotes})
	if err != nil {
		t.Fatal(err)
	}
	made, err := formats.Read(c.Data, formats.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Data)
	}
	return made, c
}

// Every document that is read and written in its own syntax is the same invoice
// and valid, and writing that once more gives the same bytes.
func TestSuitesWrittenInTheirOwnSyntax(t *testing.T) {
	eachValid(t, func(doc suiteDocument) {
		made, c := convert(t, doc.Document, doc.Syntax)
		if got, want := termsOf(made), termsOf(doc.Document); !equalTerms(got, want) {
			t.Errorf("%s: differs in %q", doc.file, differences(want, got))
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

// unfit says why documents that lack terms the target's schema demands are not
// valid there: part of the fault, and why.
var unfit = map[string]string{
	"cac:InvoiceLine is missing":                "Factur-X MINIMUM and BASIC WL have no lines",
	"cac:CreditNoteLine is missing":             "Factur-X MINIMUM and BASIC WL have no lines",
	"cbc:Amount is missing in cac:AllowanceCha": "the source lacks the amount of an allowance or charge (BR-31, BR-36, BR-41, BR-43)",
}

// explained are the terms of suite documents that the other syntax does not hold
// as they are, by direction and what became of them.
var explained = map[string]string{
	"to cii: lost lines.subLines":                            "XRechnung has sub lines in UBL only",
	"to cii: lost thirdPartyPayments":                        "XRechnung has third party payments in UBL only",
	"to cii: lost precedingInvoices":                         "D16B has room for one",
	"to cii: changed seller.identifiers":                     "CII has identifiers without a scheme before those with one",
	"to cii: changed typeCode":                               "the source's root is that of a credit note, its code is not, or the other way round",
	"to cii: added lines.price.grossPrice":                   "a discount needs a gross price in CII; it follows from the net price",
	"to ubl: added lines.price.discount":                     "a gross price needs a discount in UBL; it follows from the net price",
	"to ubl: added purchaseOrderReference":                   "a sales order reference needs a purchase order reference in UBL",
	"to ubl: added totals.taxTotalAmount":                    "a VAT breakdown needs a VAT total in UBL; it is the sum",
	"to ubl: lost paymentDueDate":                            "a credit note has it at the payment means, and there are none",
	"to ubl: lost paymentInstructions.remittanceInformation": "UBL has it at the payment means, and there are none",
	"to ubl: added buyer.electronicAddress.identifier":       "a scheme alone is an attribute in UBL",
	"to ubl: added seller.electronicAddress.identifier":      "a scheme alone is an attribute in UBL",
	"to either: lost lines.price.discount":                   "the source has two, with different values",
	"to either: lost paymentDueDate":                         "the source has two, with different values",
	"to either: lost paymentTerms":                           "the source has two, with different values",
	"to either: lost seller.contact.name":                    "the source has a person and a department",
	"to either: lost totals.taxTotalAmount":                  "the source has two, with different values",
	"to either: lost vatPointDateCode":                       "the source has two, with different values",
}

// explain finds the explanation of a loss.
func explain(l formats.Loss, to model.Syntax) string {
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

// Every document that is converted into the other syntax and back is the same
// invoice but for what the losses tell, and valid.
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
		told := slices.Concat(c.Losses, d.Losses)
		for _, path := range differences(withoutGroups(termsOf(doc.Document)), withoutGroups(termsOf(back))) {
			if !slices.ContainsFunc(told, func(l formats.Loss) bool { return concerns(l, path) }) {
				t.Errorf("%s: %s differs, and no loss tells", doc.file, path)
			}
		}
	})
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

// concerns reports whether a loss is about a term, or the group around it.
func concerns(l formats.Loss, path string) bool {
	field := withoutIndices(l.Field)
	path, _, _ = strings.Cut(path, " in ")
	return field != "" && (field == path || strings.HasPrefix(path, field+"."))
}

// termsOf are the terms of a document by path, with the groups that hold none.
// The currency of an amount is the invoice's where nothing is said.
func termsOf(doc *model.Document) map[string]string {
	terms := map[string]string{}
	collectTerms("", model.ObjectOf(doc.Invoice), terms)
	var walk func(string, model.Object)
	walk = func(prefix string, o model.Object) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			switch f.Kind {
			case model.KindGroup:
				if g := o.Group(f); g.Present() {
					terms[prefix+f.Name+"{}"] = ""
					walk(prefix+f.Name+".", g)
				}
			case model.KindList:
				for i := range o.List(f).Len() {
					walk(prefix+f.Name+"["+strconv.Itoa(i)+"].", o.List(f).At(i))
				}
			case model.KindAmount:
				if a := o.Amount(f); a.Present && a.Currency.Present && a.Currency.Raw != doc.Invoice.CurrencyCode.Raw {
					terms[prefix+f.Name+" in "+a.Currency.Raw] = ""
				}
			}
		}
	}
	walk("", model.ObjectOf(doc.Invoice))
	return terms
}

func equalTerms(a, b map[string]string) bool { return len(differences(a, b)) == 0 }

func withoutGroups(terms map[string]string) map[string]string {
	for path := range terms {
		if strings.HasSuffix(path, "{}") {
			delete(terms, path)
		}
	}
	return terms
}
