package importer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/rulesets"
	"einvoice/service/importer/schematron"
	"einvoice/service/importer/xpath2"
	"einvoice/service/validate"
)

func translateSample(t *testing.T, phase string) *Translation {
	t.Helper()
	structure, err := validate.Structure()
	if err != nil {
		t.Fatal(err)
	}
	out, err := Import(os.DirFS("testdata"), "sample.sch", Options{Phase: phase, Structure: structure})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is translated decides as the Schematron says, on documents in which one thing differs.
func TestTranslationDecides(t *testing.T) {
	out := translateSample(t, "all")
	for _, c := range []struct{ old, new, fired string }{
		{"", "", ""},
		{"<cbc:ID>INV-2026-001</cbc:ID>", "<cbc:ID>INV-2026-001-and-much-more-than-thirty</cbc:ID>", "S-01"},
		{"<cbc:ID>INV-2026-001</cbc:ID>", "<cbc:ID>A-2026-001</cbc:ID>", "S-14"},
		{"<cbc:ID>INV-2026-001</cbc:ID>", "<cbc:ID>INV-2026</cbc:ID>", "S-14"},
		{"<cbc:DocumentCurrencyCode>EUR", "<cbc:DocumentCurrencyCode>CHF", "S-02 S-03"},
		{"<cbc:DocumentCurrencyCode>EUR", "<cbc:DocumentCurrencyCode>USD", "S-03"},
		{"<cbc:IssueDate>", "<cbc:Note>order 12345678901234567890</cbc:Note><cbc:IssueDate>", "S-04"},
		{"<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode>380 381", "S-13"},
		{"<cbc:IdentificationCode>DE", "<cbc:IdentificationCode>AT", "S-09"},
		{"<cbc:IdentificationCode>DE", "<cbc:IdentificationCode>de", ""},
		{">119.00</cbc:PayableAmount>", ">119.001</cbc:PayableAmount>", "A-01"},
		{"<cbc:DueDate>2026-12-20", "<cbc:DueDate>2027-01-19", ""},
		{"<cbc:DueDate>2026-12-20", "<cbc:DueDate>2027-01-20", "S-16"},
		// A code is compared with a number as XPath does, which reads exponents.
		{"<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode>3.8e2", "S-13"},
		{"<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode> 380.0", "S-13"},
		{"<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode>3.9E2", "S-13 S-19"},
		{"<cbc:PaymentMeansCode>58", "<cbc:PaymentMeansCode>5.9e+1", "S-20"},
		{"<cbc:IssueDate>2026-11-20</cbc:IssueDate>", "<cbc:IssueDate>2026-11-20</cbc:IssueDate><cbc:IssueTime>23:59:59.5+01:00</cbc:IssueTime>", ""},
		{"<cbc:IssueDate>2026-11-20</cbc:IssueDate>", "<cbc:IssueDate>2026-11-20</cbc:IssueDate><cbc:IssueTime>24:00:01</cbc:IssueTime>", "N-01"},
		{"<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>", "<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:BuyerReference>CAB</cbc:BuyerReference>", ""},
		{"<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>", "<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:BuyerReference>CAD</cbc:BuyerReference>", "N-02"},
		{"<cac:TaxTotal>", `<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">1</cbc:TaxAmount></cac:TaxTotal><cac:TaxTotal>`, "S-21"},
		{"<cbc:CustomizationID>", "<cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:CustomizationID>", ""},
		{"<cbc:CustomizationID>", "<cbc:UBLVersionID>2.10001</cbc:UBLVersionID><cbc:CustomizationID>", "S-22"},
		// In floating point both are more than 0.01 from 20.
		{`<cbc:Amount currencyID="EUR">10.00`, `<cbc:Amount currencyID="EUR">10.01`, "S-17"},
		{`<cbc:Amount currencyID="EUR">10.00`, `<cbc:Amount currencyID="EUR">9.99`, "S-17"},
		// As decimals, which the function takes, 100.00 is 0.01 from 100.01.
		{">100.00</cbc:TaxExclusiveAmount>", ">99.99</cbc:TaxExclusiveAmount>", "S-18"},
	} {
		if got := decide(t, out.Rules, c.old, c.new); got != c.fired {
			t.Errorf("%q for %q: %s fired, not %s", c.new, c.old, got, c.fired)
		}
	}
}

// decide runs rules on the base invoice with a change, and lists those that fire.
func decide(t *testing.T, rules []*Rule, old, change string) string {
	t.Helper()
	data, err := os.ReadFile("../../rulesets/examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(data), old, change, 1)
	if old != "" && changed == string(data) {
		t.Fatalf("%q is not in the base invoice", old)
	}
	doc, err := formats.Read([]byte(changed), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := library(t, rules).Validator("sample")
	if err != nil {
		t.Fatal(err)
	}
	report, err := v.Validate(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	var fired []string
	for _, f := range report.Findings {
		if f.Failed {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
		if !slices.Contains(fired, f.Rule) {
			fired = append(fired, f.Rule)
		}
	}
	slices.Sort(fired)
	return strings.Join(fired, " ")
}

// library is the rules as somebody finishes them.
func library(t *testing.T, rules []*Rule) *engine.Library {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, Header{Ruleset: "sample", Version: "1", Layer: "cius"}, rules); err != nil {
		t.Fatal(err)
	}
	written := strings.NewReplacer(`message: ""`, "message: m", `text: ""`, "text: t", "    examples: []\n", "").Replace(b.String())
	l, err := engine.Open(engine.Layered(fstest.MapFS{"sample/1/rules.yaml": {Data: []byte(written)}}, rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// What is not translated is listed with its line and why, and nothing is left out in silence.
func TestRefusals(t *testing.T) {
	out := translateSample(t, "all")
	var said bytes.Buffer
	Report(&said, out)
	for _, want := range []string{
		"L-03 never fires: an earlier rule",
		"L-04 never fires:",
		"S-11 is not translated: column 1: u:loop is more than one expression: give it in CEL (--functions)",
		"S-15 is not translated: column",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, said.String())
		}
	}
	if got := len(out.Rules) + len(out.Refused) + len(out.NeverFire); got != out.Asserts {
		t.Errorf("%d asserts are %d rules, refusals and rules that never fire", out.Asserts, got)
	}
	for _, r := range out.Refused {
		if r.Line == 0 {
			t.Errorf("%s has no line", r.ID)
		}
	}
}

// The rules of a pattern exclude each other, and a phase chooses patterns.
func TestPatternsAndPhases(t *testing.T) {
	out := translateSample(t, "few")
	contexts := map[string]string{}
	for _, r := range out.Rules {
		contexts[r.ID] = r.Context
	}
	want := map[string]string{
		"L-01": "//cac:InvoiceLine[cbc:ID = '1']/cac:Item",
		"L-02": "//cac:Item[not(self::cac:Item and parent::cac:InvoiceLine[cbc:ID = '1'])]",
	}
	if fmt.Sprint(contexts) != fmt.Sprint(want) {
		t.Errorf("%v", contexts)
	}
	_, err := Import(os.DirFS("testdata"), "sample.sch", Options{Phase: "none"})
	if at, is := errors.AsType[*schematron.Error](err); !is || !strings.Contains(at.Message, `no phase "none"; there are all, few`) {
		t.Errorf("%v", err)
	}
}

// The output is refused until its messages are written.
func TestMessagesAreTheAuthors(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Header{Ruleset: "sample", Version: "1", Layer: "cius"}, translateSample(t, "few").Rules); err != nil {
		t.Fatal(err)
	}
	l, err := engine.Open(engine.Layered(fstest.MapFS{"sample/1/rules.yaml": {Data: b.Bytes()}}, rulesets.FS))
	if err == nil {
		_, err = l.Ruleset("sample/1")
	}
	if err == nil {
		err = validate.CheckLibrary(l, false)
	}
	if err == nil || !strings.Contains(err.Error(), "message") {
		t.Errorf("%v", err)
	}
}

// Every function that --functions gives stands for the call, and hostile input ends.
func TestFunctionsAndHostileInput(t *testing.T) {
	structure, err := validate.Structure()
	if err != nil {
		t.Fatal(err)
	}
	out, err := Import(os.DirFS("testdata"), "sample.sch", Options{Structure: structure, Functions: map[string]string{"u:loop": `$1.startsWith("INV")`}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(out.Rules, func(r *Rule) bool { return r.ID == "S-11" && r.Assert == `(this.text("cbc:ID").startsWith("INV"))` }) {
		t.Error("S-11 does not call what was given")
	}
	for _, text := range []string{strings.Repeat("(", 100_000), strings.Repeat("not(", 500) + "1" + strings.Repeat(")", 500), "'", "$", "a[", "(: ", strings.Repeat("a/", 100_000), "1 2", "a b", ""} {
		if _, err := xpath2.Parse(text); err == nil {
			t.Errorf("%.20q is parsed", text)
		}
	}
	for _, text := range []string{"", "<a/>", "<a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", strings.Repeat("<a>", 1000)} {
		if _, err := Import(fstest.MapFS{"a.sch": {Data: []byte(text)}}, "a.sch", Options{}); err == nil {
			t.Errorf("%.20q is imported", text)
		}
	}
}

// FuzzParse parses anything, and translates what it parses.
func FuzzParse(f *testing.F) {
	structure, err := validate.Structure()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"a:b[1]/@c", "every $a in b satisfies $a = (1, 2)", "if (a) then b else c", "(a | b)/c[. castable as xs:date]", "count(for $x in a return b) idiv 2"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		n, err := xpath2.Parse(text)
		if err != nil {
			return
		}
		i := &importing{out: &Translation{}, t: newTranslator(Options{Structure: structure})}
		_ = caught(func() { i.t.condition(n, (&scope{}).inside(elementValue("this"))) })
		_ = caught(func() { i.t.places(n, &scope{}) })
	})
}

// A Schematron may be saved in every encoding that an invoice may have.
func TestEncodingsOfSchematron(t *testing.T) {
	data, err := os.ReadFile("testdata/sample.sch")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("testdata/parts/lines.sch")
	if err != nil {
		t.Fatal(err)
	}
	want, err := schematron.Read(os.DirFS("testdata"), "sample.sch", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, saved := range map[string]encoding.Encoding{
		"ISO-8859-1": charmap.ISO8859_1, "windows-1252": charmap.Windows1252,
		"UTF-8": unicode.UTF8BOM, "UTF-16": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		saved := func(text string) []byte {
			data, err := saved.NewEncoder().String(strings.Replace(text, `encoding="UTF-8"`, `encoding="`+name+`"`, 1))
			if err != nil {
				t.Fatal(err)
			}
			return []byte(data)
		}
		files := fstest.MapFS{"sample.sch": &fstest.MapFile{Data: saved(string(data))}, "parts/lines.sch": &fstest.MapFile{Data: saved(string(lines))}}
		if got, err := schematron.Read(files, "sample.sch", ""); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
