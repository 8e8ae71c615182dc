package engine_test

import (
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/model"
	"einvoice/rulesets"
)

// tables is a library whose ruleset holds these tables, and a variant of it.
func tables(yaml string) fstest.MapFS {
	return fstest.MapFS{
		"r/1/tables.yaml":       {Data: []byte("ruleset: r\nversion: 1\nlayer: profile\ntables:\n" + yaml)},
		"codelists/colour.yaml": {Data: []byte("list: colour\ntitle: colours\nversion: 1\ncodes: RED GREEN\n")},
	}
}

func cii(t *testing.T, inside string) *model.Document {
	t.Helper()
	doc, err := read([]byte(`<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"><rsm:ExchangedDocument>` + inside + `</rsm:ExchangedDocument></rsm:CrossIndustryInvoice>`))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestTablesOfCodes(t *testing.T) {
	l, err := engine.Open(tables(`
  - kind: code
    list: colour
    on: cii
    level: fatal
    context: /rsm:CrossIndustryInvoice
    contexts:
      rsm:ExchangedDocument: {R-1: ram:TypeCode}
      rsm:ExchangedDocument/ram:IncludedNote: {R-2: ram:Content/@languageID}
  - kind: code
    codes: 102 205
    on: cii
    level: warning
    context: /rsm:CrossIndustryInvoice/rsm:ExchangedDocument
    rows:
      R-3: ram:ID
  - kind: atMostOnce
    on: cii
    level: warning
    contexts:
      "//rsm:ExchangedDocument[ram:ID=ram:Name]": {R-4: ram:ID}
`))
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(l, true); err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("r")
	if err != nil {
		t.Fatal(err)
	}
	for inside, want := range map[string]string{
		"<ram:TypeCode>RED</ram:TypeCode>":                                      "",
		"<ram:TypeCode/>":                                                       "",
		"<ram:TypeCode>RED</ram:TypeCode><ram:ID>205</ram:ID>":                  "",
		"<ram:TypeCode>red</ram:TypeCode>":                                      `R-1 fatal /rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:TypeCode "red" is none of the codes allowed here. Write a code of the list colour into ram:TypeCode in rsm:CrossIndustryInvoice/rsm:ExchangedDocument.`,
		"<ram:TypeCode> RED</ram:TypeCode>":                                     `R-1 fatal /rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:TypeCode " RED" is none of the codes allowed here. Write a code of the list colour into ram:TypeCode in rsm:CrossIndustryInvoice/rsm:ExchangedDocument.`,
		`<ram:IncludedNote><ram:Content languageID="BLUE"/></ram:IncludedNote>`: `R-2 fatal /rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:IncludedNote/ram:Content/@languageID "BLUE" is none of the codes allowed here. Write a code of the list colour into ram:Content/@languageID in rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:IncludedNote.`,
		"<ram:ID>103</ram:ID>":                                                  `R-3 warning /rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:ID "103" is none of the codes allowed here. Write 102 or 205 into ram:ID in rsm:CrossIndustryInvoice/rsm:ExchangedDocument.`,
		"<ram:ID>102</ram:ID><ram:ID>205</ram:ID><ram:Name>A</ram:Name><ram:Name>205</ram:Name>": `R-4 warning /rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:ID[2] Keep one ram:ID in rsm:ExchangedDocument[ram:ID=ram:Name] and remove the others.`,
		"<ram:ID>102</ram:ID><ram:ID>205</ram:ID><ram:Name>A</ram:Name>":                         "",
	} {
		report, err := v.Validate(t.Context(), cii(t, inside))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range report.Findings {
			got = append(got, strings.Join([]string{f.Rule, string(f.Level), f.Location, f.Message}, " "))
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s\n got %q\nwant %q", inside, got, want)
		}
	}
}

func TestMistakesInTables(t *testing.T) {
	for yaml, want := range map[string]string{
		"{kind: code, on: cii, level: fatal, context: /*, rows: {R-1: ram:ID}}":                                                         "needs list or codes",
		"{kind: code, codes: A, list: colour, on: cii, level: fatal, context: /*, rows: {R-1: ram:ID}}":                                 "needs list or codes",
		"{kind: absent, codes: A, on: cii, level: fatal, context: /*, rows: {R-1: ram:ID}}":                                             "needs list or codes",
		"{kind: code, list: smell, on: cii, level: fatal, context: /*, rows: {R-1: ram:ID}}":                                            `no code list "smell"`,
		"{kind: absent, on: cii, level: fatal, context: /*}":                                                                            "rows or contexts",
		"{kind: absent, on: cii, level: fatal, rows: {R-1: ram:ID}}":                                                                    "rows need a context",
		"{kind: absent, on: cii, level: fatal, context: /* | //ram:ID, contexts: {ram:A: {R-1: ram:ID}}}":                               "below one context only",
		"{kind: absent, on: cii, level: fatal, context: /*, rows: {R-1: ram:ID}, contexts: {ram:IncludedNote: {R-2: ram:SubjectCode}}}": "rows or contexts",
		"{kind: absent, level: fatal, context: /*, rows: {R-1: ram:ID}}":                                                                "needs kind, level and on",
	} {
		l, err := engine.Open(tables("  - " + yaml + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := lint.Check(l, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", yaml, err, want)
		}
	}
}

// A variant of a version serves only who asks for it; it may take over only some
// rules.
func TestVariantsOfAVersion(t *testing.T) {
	fs := tables("  - {kind: absent, on: cii, level: fatal, context: /rsm:CrossIndustryInvoice, rows: {R-1: ram:A, R-2: ram:B, R-3: ram:C}}\n")
	fs["r/1-small/tables.yaml"] = &fstest.MapFile{Data: []byte("ruleset: r\nversion: 1-small\nlayer: profile\nextends: r/1\nonly: R-3 R-1\n")}
	fs["profiles/p.yaml"] = &fstest.MapFile{Data: []byte("profiles:\n  - {id: small, name: Small, standard: r, specificationIds: [urn:small], rulesets: [r/1-small]}\n  - {id: other, name: Other, standard: r, default: true, rulesets: [r]}\n")}
	l, err := engine.Open(fs)
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(l, true); err != nil {
		t.Fatal(err)
	}
	for declared, want := range map[string]string{"urn:small": "R-1 R-3", "urn:large": "R-1 R-2 R-3"} {
		ref, err := l.VersionFor("r", &model.Invoice{SpecificationID: model.NewText(declared)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Ruleset(ref)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range s.Rules {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s runs %s with %s, want %s", declared, ref, got, want)
		}
	}
	fs["r/1-small/tables.yaml"].Data = append(fs["r/1-small/tables.yaml"].Data, "without: [R-9]\n"...)
	if l, err = engine.Open(fs); err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(l, true); err == nil || !strings.Contains(err.Error(), "R-9") {
		t.Errorf("without names a rule that is not there: %v", err)
	}
}

// Each profile of Factur-X runs its own version, every other document that of
// profile EN 16931.
func TestVersionsOfFacturX(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	for declared, want := range map[string]string{
		"urn:factur-x.eu:1p0:minimum":                                           "1.09-minimum",
		"urn:factur-x.eu:1p0:basicwl":                                           "1.09-basicwl",
		"urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic":           "1.09-basic",
		"urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended":       "1.09-extended",
		"urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended":        "1.09-extended",
		"urn:cen.eu:en16931:2017":                                               "1.09",
		"urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0": "1.09",
		"": "1.09",
	} {
		ref, err := l.VersionFor("facturx", &model.Invoice{SpecificationID: model.NewText(declared)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Ruleset(ref)
		if err != nil {
			t.Fatal(err)
		}
		if s.Version != want {
			t.Errorf("%q runs %s, want %s", declared, s.Version, want)
		}
	}
}

// Validators of one library share its rules and prepare them while others run.
func TestValidatorsSideBySide(t *testing.T) {
	l, err := engine.Open(tables("  - {kind: exactlyOnce, on: cii, level: fatal, context: /rsm:CrossIndustryInvoice/rsm:ExchangedDocument, rows: {R-1: ram:ID}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	doc := cii(t, "<ram:ID>1</ram:ID>")
	var wait sync.WaitGroup
	for range 8 {
		v, err := l.Validator("r")
		if err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			for range 50 {
				report, err := v.Validate(t.Context(), doc)
				if err != nil || len(report.Findings) != 0 {
					t.Errorf("%v %+v", err, report)
					return
				}
			}
		})
	}
	wait.Wait()
}
