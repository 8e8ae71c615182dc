package create_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/hybrid"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/write"
)

// smallest is a request with changes: paths of JSON members to values, nil to
// leave them out.
func smallest(t *testing.T, changes map[string]any) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/smallest.json")
	if err != nil {
		t.Fatal(err)
	}
	if changes == nil {
		return data
	}
	var request map[string]any
	if err := json.Unmarshal(data, &request); err != nil {
		t.Fatal(err)
	}
	for path, value := range changes {
		at := request
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			if at[step] == nil {
				at[step] = map[string]any{}
			}
			at = at[step].(map[string]any)
		}
		if at[steps[len(steps)-1]] = value; value == nil {
			delete(at, steps[len(steps)-1])
		}
	}
	changed, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func makeOne(t *testing.T, format string, changes map[string]any) (*write.Made, error) {
	t.Helper()
	request, err := create.ReadRequest(t.Context(), smallest(t, changes))
	if err != nil {
		t.Fatal(err)
	}
	return create.Document(context.Background(), kittest.Kit(t).Pages, format, request)
}

// finding is the finding of a rule in a refused request.
func finding(t *testing.T, err error, rule string) engine.Finding {
	t.Helper()
	refused, ok := errors.AsType[*write.Refused](err)
	if !ok {
		t.Fatalf("got %v, want it refused", err)
	}
	i := slices.IndexFunc(refused.Report.Findings, func(f engine.Finding) bool { return f.Rule == rule })
	if i < 0 {
		t.Fatalf("%s is not among the findings: %v", rule, err)
	}
	f := refused.Report.Findings[i]
	if refused.Report.Valid || f.Line != nil || f.Column != nil {
		t.Errorf("valid %v, line %v, column %v", refused.Report.Valid, f.Line, f.Column)
	}
	return f
}

func TestSmallestInvoice(t *testing.T) {
	for _, c := range []struct{ format, syntax, root, id string }{
		{"xrechnung", "", "ubl:Invoice", "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"},
		{"xrechnung", "cii", "rsm:CrossIndustryInvoice", "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"},
		{"ubl", "", "ubl:Invoice", "urn:cen.eu:en16931:2017"},
		{"cii", "", "rsm:CrossIndustryInvoice", "urn:cen.eu:en16931:2017"},
	} {
		t.Run(c.format+c.syntax, func(t *testing.T) {
			changes := map[string]any{"invoice.typeCode": "380"}
			if c.syntax != "" {
				changes["options.syntax"] = c.syntax
			}
			made, err := makeOne(t, c.format, changes)
			if err != nil {
				t.Fatal(err)
			}
			if made.Root != c.root || made.FileName != "2026-0117.xml" || !made.Report.Valid || made.Report.RulesRun == 0 || !*made.Report.SchemaValid {
				t.Errorf("got %s, %s, %+v", made.Root, made.FileName, made.Report)
			}
			doc, err := formats.Read(made.Data, hybrid.Options())
			if err != nil {
				t.Fatal(err)
			}
			inv := doc.Invoice
			if inv.SpecificationID.Raw != c.id || inv.TypeCode.Raw != "380" {
				t.Errorf("BT-24 %q, BT-3 %q", inv.SpecificationID.Raw, inv.TypeCode.Raw)
			}
			if wants := c.format == "xrechnung"; inv.BusinessProcessType.Present != wants {
				t.Errorf("BT-23 %q", inv.BusinessProcessType.Raw)
			}
			totals := inv.Totals
			for want, got := range map[string]string{
				"285.00": totals.SumOfLineNetAmounts.Raw, "54.15": totals.TaxTotalAmount.Raw, "339.15": totals.AmountDueForPayment.Raw, "1": inv.Lines[0].Identifier.Raw,
			} {
				if got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
			again, err := makeOne(t, c.format, changes)
			if err != nil || string(again.Data) != string(made.Data) {
				t.Errorf("the same request gives another document, %v", err)
			}
		})
	}
}

func TestStamps(t *testing.T) {
	stamped := func(format string, changes map[string]any) (id, process, code string, report *engine.Report) {
		t.Helper()
		made, err := makeOne(t, format, changes)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(made.Data, hybrid.Options())
		if err != nil {
			t.Fatal(err)
		}
		return doc.Invoice.SpecificationID.Raw, doc.Invoice.BusinessProcessType.Raw, doc.Invoice.TypeCode.Raw, made.Report
	}
	if _, _, code, _ := stamped("xrechnung", nil); code != "380" {
		t.Errorf("XRechnung has the type code %q by default", code)
	}
	if _, process, _, _ := stamped("xrechnung", map[string]any{"options.businessProcess": "urn:x"}); process != "urn:x" {
		t.Errorf("the business process asked for became %q", process)
	}
	if _, process, _, _ := stamped("xrechnung", map[string]any{"invoice.businessProcessType": "urn:y"}); process != "urn:y" {
		t.Errorf("the invoice's business process became %q", process)
	}
	if _, process, _, report := stamped("xrechnung", map[string]any{"invoice.businessProcessType": "urn:y", "options.businessProcess": "urn:x"}); process != "urn:x" || len(report.Findings) != 1 ||
		report.Findings[0].Rule != "WRITTEN-OTHERWISE" || report.Findings[0].Fields[0] != "businessProcessType" {
		t.Errorf("of two business processes %q was taken, and the other was told by %+v", process, report.Findings)
	}
	id, _, _, report := stamped("xrechnung", map[string]any{"invoice.specificationId": "urn:old"})
	if !strings.HasSuffix(id, "xrechnung_3.0") || len(report.Findings) != 1 || report.Findings[0].Rule != "STAMPED" || report.Findings[0].Fields[0] != "specificationId" {
		t.Errorf("an identifier that is not the format's became %q, and was told by %+v", id, report.Findings)
	}
	if id, _, _, _ := stamped("ubl", map[string]any{"options.profile": "xrechnung-3.0-extension", "invoice.typeCode": "380"}); !strings.HasSuffix(id, "extension:xrechnung_3.0") {
		t.Errorf("the profile asked for gave %q", id)
	}
}

// A credit note's code makes a credit note in UBL.
func TestCreditNote(t *testing.T) {
	made, err := makeOne(t, "ubl", map[string]any{"invoice.typeCode": "381"})
	if err != nil {
		t.Fatal(err)
	}
	if made.Root != "cn:CreditNote" || !strings.Contains(string(made.Data), "<CreditNote xmlns=") {
		t.Errorf("got %s", made.Root)
	}
}

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct {
		format  string
		changes map[string]any
		field   string
		message string
	}{
		{"edifact", nil, "", `there is no format "edifact" to create; use one of ubl, cii, xrechnung, facturx, zugferd`},
		{"ubl", map[string]any{"options.profile": "x"}, "options.profile", `ubl has no profile "x"; use one of en16931`},
		{"ubl", map[string]any{"options.profile": "extended"}, "options.profile", `ubl has no profile "extended", which is one of facturx, zugferd; create that format, or use one of en16931`},
		{"ubl", map[string]any{"options.syntax": "cii"}, "options.syntax", `ubl is not written in "cii"; use one of ubl`},
	} {
		_, err := makeOne(t, c.format, c.changes)
		e, ok := errors.AsType[*problem.Error](err)
		if !ok || e.Code != problem.CodeOption || e.Field != c.field || !strings.Contains(err.Error(), c.message) {
			t.Errorf("got %v", err)
		}
	}
}

func TestUnreadableRequests(t *testing.T) {
	for request, want := range map[string]string{
		`{}`:                            `the request has no member "invoice"`,
		`[]`:                            `this is an array; write an object`,
		`{"invoice": {}, "option": {}}`: `did you mean "options"?`,
		`{"invoice": {"lines": [{"netAmout": 1}]}}`: `/invoice/lines/0/netAmout: there is no such member; did you mean "netAmount"?`,
	} {
		_, err := create.ReadRequest(t.Context(), []byte(request))
		if e, ok := errors.AsType[*jsoninvoice.Error](err); !ok || !strings.Contains(err.Error(), want) || strings.HasPrefix(e.Mistakes[0].Field, "invoice") {
			t.Errorf("%s: got %v", request, err)
		}
	}
	// A file may hold the invoice alone.
	r, err := create.ReadRequestOrInvoice(t.Context(), []byte(`{"number": "1"}`))
	if err != nil || r.Invoice.Number.Raw != "1" {
		t.Errorf("got %+v, %v", r, err)
	}
}

// An attachment that is not allowed is refused with its place in the request.
func TestAttachmentsOffTheList(t *testing.T) {
	for _, mime := range []string{"application/zip", "application/octet-stream", "image/jpg", "APPLICATION/PDF", ""} {
		for _, format := range catalogue.ToCreate() {
			_, err := makeOne(t, format, map[string]any{"invoice.supportingDocuments": []map[string]any{
				{"reference": "1", "attachment": "AA==", "attachmentMimeCode": "application/pdf", "attachmentFileName": "a.pdf"},
				// The text of the reference could not be written either: nothing was tried.
				{"reference": "2\u0001", "attachment": "AA==", "attachmentMimeCode": mime, "attachmentFileName": "b.zip"},
			}})
			f := finding(t, err, "BR-CL-24")
			if !slices.Equal(f.Fields, []string{"supportingDocuments[1].attachmentMimeCode"}) || !slices.Equal(f.BTCodes, []string{"BT-125-1"}) || f.Layer != engine.LayerEN16931 {
				t.Errorf("%q in %s: %+v", mime, format, f)
			}
		}
	}
}

// What is supplied is checked, not corrected, and findings name it.
func TestSuppliedAmountsAreChecked(t *testing.T) {
	for _, c := range []struct {
		rule, path string
		value      any
		field      string
	}{
		{"BR-CO-10", "invoice.totals", map[string]any{"sumOfLineNetAmounts": "285.01"}, "totals.sumOfLineNetAmounts"},
		{"BR-CO-14", "invoice.totals", map[string]any{"taxTotalAmount": "54.14"}, "totals.taxTotalAmount"},
		{"BR-CO-16", "invoice.totals", map[string]any{"amountDueForPayment": 1}, "totals.amountDueForPayment"},
		{"BR-S-08", "invoice.vatBreakdowns", []map[string]any{{"categoryCode": "S", "rate": 19, "taxableAmount": 200, "taxAmount": 38}}, "vatBreakdowns[0].taxableAmount"},
		{"BR-CO-17", "invoice.vatBreakdowns", []map[string]any{{"categoryCode": "S", "rate": 19, "taxAmount": "60"}}, "vatBreakdowns[0].taxAmount"},
		{"BR-DE-15", "invoice.buyerReference", nil, "buyerReference"},
	} {
		_, err := makeOne(t, "xrechnung", map[string]any{c.path: c.value})
		if f := finding(t, err, c.rule); !slices.Contains(f.Fields, c.field) {
			t.Errorf("%s names %q, want %s", c.rule, f.Fields, c.field)
		}
	}
}

// Nothing of a request is dropped: what has no place refuses it.
func TestTermsWithoutAPlace(t *testing.T) {
	_, err := makeOne(t, "cii", map[string]any{"invoice.typeCode": "380", "invoice.thirdPartyPayments": []map[string]any{{"type": "x", "amount": 0, "description": "y"}}})
	if f := finding(t, err, "SUM-WITHOUT-PLACE"); f.Fields[0] != "thirdPartyPayments" || f.BTCodes[0] != "BG-DEX-09" {
		t.Errorf("got %+v", f)
	}
	part := map[string]any{"item": map[string]any{"name": "part"}, "price": map[string]any{"netPrice": 1}}
	line := map[string]any{
		"invoicedQuantity": 1, "invoicedQuantityUnitCode": "HUR", "price": map[string]any{"netPrice": 2}, "item": map[string]any{"name": "whole"},
		"vat": map[string]any{"categoryCode": "S", "rate": 19}, "subLines": []any{part, part},
	}
	_, err = makeOne(t, "cii", map[string]any{"invoice.lines": []any{line}})
	f := finding(t, err, "NO-PLACE")
	if refused, _ := errors.AsType[*write.Refused](err); len(refused.Report.Findings) != 1 || f.Fields[0] != "lines[0].subLines" {
		t.Errorf("got %+v", refused.Report.Findings)
	}
	_, err = makeOne(t, "cii", map[string]any{"invoice.projectName": "Alpha", "invoice.payer": map[string]any{"name": "Z"}})
	if f := finding(t, err, "NO-PLACE"); f.Fields[0] != "payer.name" || !strings.Contains(f.Message, `"Z"`) { // one value is named
		t.Errorf("got %+v", f)
	}
	_, err = makeOne(t, "ubl", map[string]any{"invoice.buyerReference": "a\u0001b"})
	if f := finding(t, err, "XML-CHARACTER"); f.Fields[0] != "buyerReference" || !strings.Contains(f.Message, "U+0001") {
		t.Errorf("got %+v", f)
	}
}

// The reason of an exemption is the seller's to state; the amounts beside it are
// computed.
func TestExemption(t *testing.T) {
	lines := []map[string]any{{"invoicedQuantity": 2, "invoicedQuantityUnitCode": "HUR", "price": map[string]any{"netPrice": 50}, "vat": map[string]any{"categoryCode": "E", "rate": 0}, "item": map[string]any{"name": "x"}}}
	_, err := makeOne(t, "xrechnung", map[string]any{"invoice.lines": lines})
	finding(t, err, "BR-E-10")
	made, err := makeOne(t, "xrechnung", map[string]any{"invoice.lines": lines, "invoice.vatBreakdowns": []map[string]any{{"categoryCode": "E", "exemptionReasonText": "§ 4 UStG"}}})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(made.Data, hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	if b := doc.Invoice.VatBreakdowns[0]; b.TaxableAmount.Raw != "100.00" || b.TaxAmount.Raw != "0.00" || b.Rate.Raw != "0" {
		t.Errorf("got %+v", b)
	}
}

// The VAT total in the accounting currency comes from a rate or is given.
func TestAccountingCurrency(t *testing.T) {
	for want, option := range map[string]map[string]any{
		"611.35": {"options.vatAccountingCurrencyRate": "11.29"},
		"612.00": {"options.vatAmountInAccountingCurrency": "612.00"},
	} {
		option["invoice.vatAccountingCurrencyCode"] = "SEK"
		made, err := makeOne(t, "xrechnung", option)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(made.Data), `<cbc:TaxAmount currencyID="SEK">`+want+`</cbc:TaxAmount>`) {
			t.Errorf("%s is not in the document", want)
		}
	}
	_, err := makeOne(t, "xrechnung", map[string]any{"invoice.vatAccountingCurrencyCode": "SEK"})
	if f := finding(t, err, "REQUEST-ACCOUNTING-VAT"); !strings.Contains(f.Message, "options.vatAccountingCurrencyRate") {
		t.Error(f.Message)
	}
}

func TestFileNames(t *testing.T) {
	for number, want := range map[string]string{"RE/2026 17": "RE-2026-17.xml", "../../etc/passwd": "etc-passwd.xml", "№": "invoice.xml", strings.Repeat("9", 200): strings.Repeat("9", 100) + ".xml"} {
		made, err := makeOne(t, "xrechnung", map[string]any{"invoice.number": number})
		if err != nil {
			t.Fatal(err)
		}
		if made.FileName != want {
			t.Errorf("%q is saved as %q, want %q", number, made.FileName, want)
		}
	}
}

// Every profile that can be asked for exists and has an identifier to stamp.
func TestFormatsAreKnown(t *testing.T) {
	l := kittest.Library(t)
	for _, format := range catalogue.ToCreate() {
		if err := checkFormat(l, format); err != nil {
			t.Error(err)
		}
	}
}

// One creator serves many requests at once.
func TestCreatingAtOnce(t *testing.T) {
	creator := kittest.Kit(t)
	data := smallest(t, map[string]any{"invoice.typeCode": "380"})
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			r, err := create.ReadRequest(t.Context(), data)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := create.Document(context.Background(), creator.Pages, catalogue.ToCreate()[i%3], r); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// A transformed document says what it lacks for its new profile, and what of the
// old one was replaced.
func TestTransform(t *testing.T) {
	data, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
	if err != nil {
		t.Fatal(err)
	}
	creator := kittest.Kit(t)
	transformed := func(with transform.Options) *write.Made {
		t.Helper()
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		made, err := transform.Document(context.Background(), creator.Pages, "xrechnung", doc, with)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	made := transformed(transform.Options{})
	lacks := slices.IndexFunc(made.Report.Findings, func(f engine.Finding) bool { return f.Rule == "BR-DE-15" })
	if made.Report.Valid || lacks < 0 || !slices.Equal(made.Report.Findings[lacks].Fields, []string{"buyerReference"}) {
		t.Errorf("without a buyer reference: %+v", made.Report.Findings)
	}
	if made.Root != "rsm:CrossIndustryInvoice" {
		t.Errorf("a document in CII became %s", made.Root)
	}
	inUBL := transform.Options{BuyerReference: "04011000-12345-03"}
	inUBL.Syntax = model.NewText("ubl")
	made = transformed(inUBL)
	if !made.Report.Valid || made.Root != "ubl:Invoice" || made.Profile.ID != "xrechnung-3.0" || !strings.Contains(string(made.Data), "<cbc:BuyerReference>04011000-12345-03<") {
		t.Errorf("with one: %s, %+v", made.Root, made.Report.Findings)
	}
	told := slices.IndexFunc(made.Losses, func(l formats.Loss) bool { return l.Field == "specificationId" })
	if told < 0 || made.Losses[told].Kind != binding.Changed || made.Losses[told].Value != "urn:cen.eu:en16931:2017" || made.Losses[told].Line == 0 {
		t.Errorf("the identifier that was replaced is reported as %+v", made.Losses)
	}
}

// A supplied amount that the rules tolerate, and that is not what the lines give, is a
// warning with both values: nobody else would tell.
func TestSuppliedAmounts(t *testing.T) {
	for _, c := range []struct {
		changes map[string]any
		field   string
		message string
	}{
		{map[string]any{"invoice.vatBreakdowns": []any{map[string]any{"categoryCode": "S", "rate": 19, "taxableAmount": "285.00", "taxAmount": "53.20"}}},
			"vatBreakdowns[0].taxAmount", "The amount 53.20 differs from 54.15"},
		{map[string]any{"invoice.lines": []any{map[string]any{
			"invoicedQuantity": 3, "invoicedQuantityUnitCode": "HUR", "netAmount": "200.00", "price": map[string]any{"netPrice": "95.00"},
			"vat": map[string]any{"categoryCode": "S", "rate": 19}, "item": map[string]any{"name": "Beratung"},
		}}}, "lines[0].netAmount", "The amount 200.00 differs from 285.00"},
	} {
		c.changes["invoice.typeCode"] = "380"
		made, err := makeOne(t, "ubl", c.changes)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range made.Report.Findings {
			if f.Rule == "AMOUNT-DIFFERS" && f.Level == engine.Warning && f.Fields[0] == c.field && strings.HasPrefix(f.Message, c.message) {
				found = true
			}
		}
		if !found {
			t.Errorf("%s: %+v", c.field, made.Report.Findings)
		}
	}
}

// The VAT total in the accounting currency (BT-111) may be given in three ways. Whichever are given, none is left
// out without a word, and none is an amount that a rate has made vanish.
func TestAccountingVatGivenTwice(t *testing.T) {
	amounts := []any{nil, "49.82", "50.00", 0} // 54.15 at 0.92 are 49.82
	for _, stated := range amounts {
		for _, option := range amounts {
			for _, rate := range []any{nil, "0.92", "1", "0.00001", 0, "-0.92"} {
				changes := map[string]any{"invoice.typeCode": "380", "invoice.vatAccountingCurrencyCode": "SEK"}
				values := map[string]bool{}
				if stated != nil {
					changes["invoice.totals"] = map[string]any{"taxTotalAmountInAccountingCurrency": stated}
					values[fmt.Sprint(stated)] = true
				}
				if option != nil {
					changes["options.vatAmountInAccountingCurrency"] = option
					values[fmt.Sprint(option)] = true
				}
				if rate != nil {
					changes["options.vatAccountingCurrencyRate"] = rate
					values[map[any]string{"0.92": "49.82", "1": "54.15", "0.00001": "0"}[rate]] = true
				}
				if len(values) == 0 {
					continue
				}
				made, err := makeOne(t, "ubl", changes)
				if wrong, ok := errors.AsType[*problem.WrongOptions](err); rate == 0 || rate == "-0.92" {
					if !ok || wrong.Wrong[0].Field != "options.vatAccountingCurrencyRate" {
						t.Errorf("rate %v: %v", rate, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				told := slices.ContainsFunc(made.Report.Findings, func(f engine.Finding) bool {
					return f.Rule == "AMOUNT-DIFFERS" && f.Fields[0] == "totals.taxTotalAmountInAccountingCurrency"
				})
				if told != (len(values) > 1) {
					t.Errorf("stated %v, option %v, rate %v: told is %t", stated, option, rate, told)
				}
			}
		}
	}
}

// checkFormat finds every profile and syntax of a format.
func checkFormat(l *engine.Library, format string) error {
	f, err := catalogue.Creatable(format)
	if err != nil {
		return err
	}
	for _, profile := range f.Create.Profiles {
		for _, syntax := range f.Create.Syntaxes {
			o := &write.Options{Profile: model.NewText(profile.Name), Syntax: model.NewText(string(syntax))}
			if _, err := create.Find(operation.New(l, operation.Config{}).Pages, format, o); err != nil {
				return fmt.Errorf("%s, %s: %w", format, profile, err)
			}
		}
	}
	for profile := range catalogue.Read().BusinessProcesses {
		if _, err := l.Profile(profile); err != nil {
			return err
		}
	}
	return nil
}
