package schema_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"einvoice/formats/schema"
	"einvoice/formats/xmlparse"
	"einvoice/model/source"
)

// Each fault has the right rule and place, and a message that says how to correct it.
func TestFaults(t *testing.T) {
	const (
		supplier = "<cac:AccountingSupplierParty/>"
		amount   = `<cbc:PayableAmount currencyID="EUR">1.00</cbc:PayableAmount>`
	)
	for name, c := range map[string]struct {
		old, new string   // in the small invoice
		want     []string // rule, location and message of each fault
	}{
		"valid": {"", "", nil},
		"missing, with something behind it": {"<cbc:ID>1</cbc:ID><cbc:IssueDate>", "<cbc:IssueDate>", []string{
			"XSD-MISSING /ubl:Invoice/cbc:IssueDate cbc:ID is missing in ubl:Invoice, before cbc:IssueDate."}},
		"missing at the end": {"</cac:LegalMonetaryTotal>\n", "</cac:LegalMonetaryTotal></Invoice>", []string{
			"XSD-MISSING /ubl:Invoice cac:InvoiceLine is missing in ubl:Invoice."}},
		"missing in an empty element": {amount, "", []string{
			"XSD-MISSING /ubl:Invoice/cac:LegalMonetaryTotal cbc:PayableAmount is missing in cac:LegalMonetaryTotal."}},
		"two missing": {"<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-31</cbc:IssueDate>", "", []string{
			"XSD-MISSING /ubl:Invoice/cac:AccountingSupplierParty cbc:ID is missing in ubl:Invoice, before cac:AccountingSupplierParty.",
			"XSD-MISSING /ubl:Invoice/cac:AccountingSupplierParty cbc:IssueDate is missing in ubl:Invoice, before cac:AccountingSupplierParty."}},
		"out of order, both required": {"<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-31</cbc:IssueDate>", "<cbc:IssueDate>2026-01-31</cbc:IssueDate><cbc:ID>1</cbc:ID>", []string{
			"XSD-ORDER /ubl:Invoice/cbc:ID cbc:ID must come before cbc:IssueDate in ubl:Invoice."}},
		"out of order, optional": {supplier, supplier + "<cbc:Note>x</cbc:Note>", []string{
			"XSD-ORDER /ubl:Invoice/cbc:Note cbc:Note must come before cac:AccountingSupplierParty in ubl:Invoice."}},
		"repeated": {"<cbc:ID>1</cbc:ID>", "<cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID>", []string{
			"XSD-REPEATED /ubl:Invoice/cbc:ID[2] cbc:ID occurs more than once in ubl:Invoice; expected one of cbc:CopyIndicator, cbc:UUID, cbc:IssueDate."}},
		"repeated, not at once": {supplier, supplier + "<cbc:ID>2</cbc:ID>", []string{
			"XSD-REPEATED /ubl:Invoice/cbc:ID[2] cbc:ID occurs more than once in ubl:Invoice; expected cac:AccountingCustomerParty."}},
		"unexpected": {supplier, supplier + "<cbc:Unknown/>", []string{
			"XSD-UNEXPECTED /ubl:Invoice/cbc:Unknown cbc:Unknown is not expected here in ubl:Invoice; expected cac:AccountingCustomerParty."}},
		"unexpected, in no namespace": {supplier, supplier + "<Unknown xmlns=''><a/></Unknown>", []string{
			"XSD-UNEXPECTED /ubl:Invoice/Unknown Unknown is not expected here in ubl:Invoice; expected cac:AccountingCustomerParty."}},
		"no decimal": {"1.00<", "1,00<", []string{
			`XSD-VALUE /ubl:Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount cbc:PayableAmount is "1,00"; expected a decimal number such as 1200.50.`}},
		"no date": {"2026-01-31", "31.01.2026", []string{
			`XSD-VALUE /ubl:Invoice/cbc:IssueDate cbc:IssueDate is "31.01.2026"; expected a date such as 2026-03-31.`}},
		"attribute missing": {` currencyID="EUR">1.00`, ">1.00", []string{
			"XSD-ATTRIBUTE /ubl:Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount @currencyID is missing on cbc:PayableAmount."}},
		"attribute unexpected": {` currencyID="EUR">1.00`, ` currencyID="EUR" unit="x">1.00`, []string{
			"XSD-ATTRIBUTE /ubl:Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount/@unit @unit is not expected on cbc:PayableAmount; expected one of @currencyID, @currencyCodeListVersionID."}},
		"text between elements": {supplier, "text" + supplier, []string{
			`XSD-CONTENT /ubl:Invoice ubl:Invoice holds the text "text"; expected only elements.`}},
		"element in text": {"<cbc:ID>1</cbc:ID>", "<cbc:ID>1<b xmlns=''/></cbc:ID>", []string{
			"XSD-CONTENT /ubl:Invoice/cbc:ID/b cbc:ID holds the element b; expected text."}},
		"nil": {"<cbc:ID>1", "<cbc:ID xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='true'>1", []string{
			"XSD-NIL /ubl:Invoice/cbc:ID/@xsi:nil cbc:ID can not be nil; expected a value and no @xsi:nil."}},
		"unknown type": {"<cbc:ID>1", "<cbc:ID xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='x'>1", []string{
			`XSD-TYPE /ubl:Invoice/cbc:ID/@xsi:type The type "x" is not known; expected cbc:IDType or none.`}},
		"another type": {"<cbc:ID>1", "<cbc:ID xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='cbc:NameType'>1", []string{
			`XSD-TYPE /ubl:Invoice/cbc:ID/@xsi:type The type "cbc:NameType" is not derived from cbc:IDType; expected cbc:IDType or none.`}},
		"the same type": {"<cbc:ID>1", "<cbc:ID xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='cbc:IDType'>1", nil},
		"another root": {"<Invoice xmlns=", "<Invoice xmlns='urn:other' xmlns:old=", []string{
			"XSD-ROOT /Q{urn:other}Invoice The root element is Q{urn:other}Invoice; expected ubl:Invoice."}},
		"several, in their order": {"<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-31</cbc:IssueDate>", "<cbc:IssueDate>soon</cbc:IssueDate><cbc:DueDate>later</cbc:DueDate>", []string{
			"XSD-MISSING /ubl:Invoice/cbc:IssueDate cbc:ID is missing in ubl:Invoice, before cbc:IssueDate.",
			`XSD-VALUE /ubl:Invoice/cbc:IssueDate cbc:IssueDate is "soon"; expected a date such as 2026-03-31.`,
			`XSD-VALUE /ubl:Invoice/cbc:DueDate cbc:DueDate is "later"; expected a date such as 2026-03-31.`}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := invoice(1)
			if !strings.Contains(doc, c.old) {
				t.Fatalf("the invoice has no %q", c.old)
			}
			doc = strings.Replace(doc, c.old, c.new, 1)
			if end := strings.Index(doc, "</Invoice>"); end >= 0 {
				doc = doc[:end+len("</Invoice>")]
			}
			tree := parse(t, []byte(doc))
			var got []string
			for _, f := range load(t, "ubl-2.1-invoice").Check(tree, 100) {
				got = append(got, f.Rule+" "+tree.Path(f.Ref)+" "+f.Message)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// A fault says where the missing element belongs, and which elements are allowed
// there.
func TestFaultFields(t *testing.T) {
	tree := parse(t, []byte(strings.Replace(invoice(1), "<cbc:ID>1</cbc:ID>", "", 1)))
	faults := load(t, "ubl-2.1-invoice").Check(tree, 100)
	if len(faults) != 1 {
		t.Fatal(messages(tree, faults))
	}
	f := faults[0]
	if f.Parent != tree.Root() || f.Name != "cbc:ID" || tree.Position(f.Ref).Line != 4 {
		t.Errorf("got parent %d, name %s, position %v", f.Parent, f.Name, tree.Position(f.Ref))
	}
	want := []string{"ext:UBLExtensions", "cbc:UBLVersionID", "cbc:CustomizationID", "cbc:ProfileID", "cbc:ProfileExecutionID", "cbc:ID"}
	if !slices.Equal(f.Expected, want) {
		t.Errorf("expected %v, want %v", f.Expected, want)
	}
}

func TestCheckEndsAtMost(t *testing.T) {
	tree := parse(t, []byte(strings.ReplaceAll(invoice(50), "<cbc:Percent>19", "<cbc:Percent>many")))
	for _, most := range []int{1, 10, 100} {
		if got := len(load(t, "ubl-2.1-invoice").Check(tree, most)); got != min(most, 50) {
			t.Errorf("at most %d: got %d", most, got)
		}
	}
}

// A schema that is loaded after a document was parsed recognises its names.
func TestCheckNamesUnknownToTree(t *testing.T) {
	tree := parse(t, []byte(invoice(2)))
	names := map[source.Name]source.Name{}
	for i := range tree.Elements[1:] {
		names[tree.Elements[i+1].Name] = source.NoName
	}
	for i := range tree.Attributes {
		names[tree.Attributes[i].Name] = source.NoName
	}
	for known := range names { // as they would be if no schema had been loaded
		names[known] = source.UnknownName(len(tree.Unknown))
		tree.Unknown = append(tree.Unknown, known.QName())
	}
	for i := range tree.Elements[1:] {
		tree.Elements[i+1].Name = names[tree.Elements[i+1].Name]
	}
	for i := range tree.Attributes {
		tree.Attributes[i].Name = names[tree.Attributes[i].Name]
	}
	if faults := load(t, "ubl-2.1-invoice").Check(tree, 10); len(faults) > 0 {
		t.Error(messages(tree, faults))
	}
}

// A signature in an extension is checked, although any element is allowed there,
// because the schema declares it. Elements that are not declared are not checked.
func TestExtensions(t *testing.T) {
	content := func(xml string) string {
		return strings.Replace(invoice(1), "<cbc:ID>1", `<ext:UBLExtensions xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><ext:UBLExtension><ext:ExtensionContent>`+
			xml+`</ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions><cbc:ID>1`, 1)
	}
	key := func(xml string) string {
		return `<s:KeyInfo xmlns:s="http://www.w3.org/2000/09/xmldsig#"` + xml + `</s:KeyInfo>`
	}
	for name, c := range map[string]struct {
		xml   string
		rules []string
	}{
		"anything":             {"<a xmlns='urn:a' b='c'>d<e/></a>", nil},
		"nothing":              {"", []string{schema.RuleMissing}},
		"two":                  {"<a xmlns='urn:a'/><a xmlns='urn:a'/>", []string{schema.RuleUnexpected}},
		"no namespace":         {"<a xmlns=''/>", []string{schema.RuleUnexpected, schema.RuleMissing}},
		"known":                {key(`><s:KeyName>k</s:KeyName>`), nil},
		"known, with mistake":  {key(`><s:Key>k</s:Key>`), []string{schema.RuleUnexpected, schema.RuleMissing}},
		"known, deeper":        {"<a xmlns='urn:a'>" + key(``+`>`) + "</a>", []string{schema.RuleMissing}},
		"identifier":           {key(` Id="a"><s:KeyName>k</s:KeyName><a xmlns="urn:a">` + key(` Id="b"><s:KeyName/>`) + `</a>`), nil},
		"identifier repeated":  {key(` Id="a"><s:KeyName>k</s:KeyName><a xmlns="urn:a">` + key(` Id=" a"><s:KeyName/>`) + `</a>`), []string{schema.RuleID}},
		"identifier malformed": {key(` Id="1"><s:KeyName>k</s:KeyName>`), []string{schema.RuleValue}},
	} {
		tree := parse(t, []byte(content(c.xml)))
		var got []string
		faults := load(t, "ubl-2.1-invoice").Check(tree, 10)
		for _, f := range faults {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, c.rules) {
			t.Errorf("%s: want %v, got%s", name, c.rules, messages(tree, faults))
		}
	}
}

// Schemas and trees are safe for concurrent use.
func TestCheckConcurrently(t *testing.T) {
	right := parse(t, []byte(invoice(20)))
	wrong := parse(t, []byte(strings.ReplaceAll(invoice(20), "<cbc:Percent>19", "<cbc:Percent>many")))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				s, err := library.Schema("ubl-2.1-invoice")
				if err != nil {
					t.Error(err)
					return
				}
				if n := len(s.Check(right, 100)); n != 0 {
					t.Errorf("%d faults in the valid invoice", n)
				}
				if n := len(s.Check(wrong, 100)); n != 20 {
					t.Errorf("%d faults, want 20", n)
				}
			}
		})
	}
	wg.Wait()
}

// For any document, each fault has a rule, a place and a message.
func FuzzCheck(f *testing.F) {
	f.Add(invoice(1))
	f.Add(`<CrossIndustryInvoice xmlns="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"><a/>text</CrossIndustryInvoice>`)
	f.Add(`<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2" a="b"/>`)
	f.Fuzz(func(t *testing.T, doc string) {
		tree, err := xmlparse.Parse([]byte(doc), xmlparse.Limits{})
		if err != nil {
			return
		}
		for _, name := range byRoot {
			faults := load(t, name).Check(tree, 20)
			if len(faults) > 20 {
				t.Errorf("%d faults", len(faults))
			}
			for _, fault := range faults {
				if fault.Rule == "" || fault.Message == "" || tree.Path(fault.Ref) == "" || tree.Position(fault.Ref).Line == 0 {
					t.Errorf("incomplete: %+v", fault)
				}
			}
		}
	})
}
