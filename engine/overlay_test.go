package engine_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/model"
	"einvoice/rulesets"
)

var overlayFiles = map[string]string{
	"profiles/p.yaml": `profiles:
  - {id: p, name: P, standard: s, rulesets: [r], default: true, overlays: [own]}
overlays: [all]
`,
	"overlays/own.yaml": `overlay: own
title: The profile's own
owner: us
source: our page
levels:
  - {level: information, rules: [OWN], reason: because, until: open}
`,
	"overlays/all.yaml": `overlay: all
title: For all profiles
owner: us
source: somebody
documents:
  where: /invoice[currencyCode='EUR']
  except: [strict]
levels:
  - {level: warning, rules: [OWN, ONE, MANY-*], from: fatal, reason: because, until: open}
  - {level: warning, rules: [TERM], reason: because, owner: me, until: 2026-06-30}
  - {level: warning, rules: [SELLER], documents: {seller: [DE1, " 99 9 "]}, reason: because, until: open}
  - {level: warning, rules: [BUYER], documents: {buyer: [DE2]}, reason: because, until: open}
  - {level: warning, rules: [SYNTAX], documents: {syntax: cii}, reason: because, until: open}
`,
}

func folderOf(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// Overlays that a file of profiles names apply in every profile, after its own, where
// their conditions are met.
func TestOverlayLevels(t *testing.T) {
	l, err := engine.Open(folderOf(overlayFiles))
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Profile("p")
	if err != nil {
		t.Fatal(err)
	}
	stack, _, err := l.OverlaysOf(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	seller := &model.Seller{VatIdentifier: model.NewText("DE1")}
	other := &model.Seller{VatIdentifier: model.NewText("DE3"), Identifiers: []model.SellerIdentifier{{Identifier: model.NewText("99  9")}}}
	buyer := &model.Buyer{ElectronicAddress: &model.BuyerElectronicAddress{Identifier: model.NewText("DE2")}}
	for _, c := range []struct {
		rule     string
		level    engine.Level
		standard string
		invoice  model.Invoice
		want     engine.Level
		expired  int
	}{
		{"ONE", engine.Fatal, "", model.Invoice{}, engine.Warning, 0},
		{"ONE", engine.Fatal, "other", model.Invoice{}, engine.Warning, 0},
		{"ONE", engine.Fatal, "strict", model.Invoice{}, engine.Fatal, 0},
		{"ONE", engine.Fatal, "", model.Invoice{CurrencyCode: model.NewText("SEK")}, engine.Fatal, 0},
		{"ONE", engine.Information, "", model.Invoice{}, engine.Information, 0},
		{"ONE-1", engine.Fatal, "", model.Invoice{}, engine.Fatal, 0},
		{"MANY-1", engine.Fatal, "", model.Invoice{}, engine.Warning, 0},
		{"MANY", engine.Fatal, "", model.Invoice{}, engine.Fatal, 0},
		{"OWN", engine.Fatal, "", model.Invoice{}, engine.Information, 0},
		{"TERM", engine.Fatal, "", model.Invoice{IssueDate: model.NewDate("2026-06-30")}, engine.Warning, 0},
		{"TERM", engine.Fatal, "", model.Invoice{IssueDate: model.NewDate("2026-07-01")}, engine.Fatal, 1},
		{"SELLER", engine.Fatal, "", model.Invoice{}, engine.Fatal, 0},
		{"SELLER", engine.Fatal, "", model.Invoice{Seller: seller}, engine.Warning, 0},
		{"SELLER", engine.Fatal, "", model.Invoice{Seller: other}, engine.Warning, 0},
		{"BUYER", engine.Fatal, "", model.Invoice{Seller: seller}, engine.Fatal, 0},
		{"BUYER", engine.Fatal, "", model.Invoice{Buyer: buyer}, engine.Warning, 0},
		{"SYNTAX", engine.Fatal, "", model.Invoice{}, engine.Fatal, 0},
	} {
		t.Run(fmt.Sprintf("%s %s %s", c.rule, c.level, c.standard), func(t *testing.T) {
			if !c.invoice.CurrencyCode.Present {
				c.invoice.CurrencyCode = model.NewText("EUR")
			}
			doc := &model.Document{Invoice: &c.invoice}
			j := &engine.Judged{Document: doc, Profile: p, Rulesets: []string{"r"}, Standard: c.standard, Days: engine.DaysOf(doc.Invoice, "", "")}
			report := &engine.Report{Findings: []engine.Finding{{Rule: c.rule, Level: c.level}}}
			for range 2 { // a second time changes nothing
				expired, err := l.SetLevels(context.Background(), stack, j, report)
				if err != nil || len(expired) != c.expired {
					t.Fatalf("%d expired, %v", len(expired), err)
				}
				f := report.Findings[0]
				if f.Level != c.want || (f.PublishedLevel == c.level) != (c.want != c.level) || (f.Overlay != "") != (c.want != c.level) || report.Valid != (c.want != engine.Fatal) {
					t.Errorf("got %s, published as %q, overlay %q, valid %t", f.Level, f.PublishedLevel, f.Overlay, report.Valid)
				}
			}
		})
	}
}

// What the profile's own overlay says decides over the one of all profiles, also where a third
// is asked for, and does not contradict it.
func TestOverlayOfProfileDecides(t *testing.T) {
	files := maps.Clone(overlayFiles)
	files["overlays/asked.yaml"] = `overlay: asked
title: Asked for
on: {profiles: [p]}
owner: us
source: us
levels:
  - {level: warning, rules: [OTHER], reason: because, until: open}
`
	l, err := engine.Open(folderOf(files))
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Profile("p")
	if err != nil {
		t.Fatal(err)
	}
	stack, n, err := l.OverlaysOf(p, []string{"asked"})
	if err != nil || n != 1 || len(stack) != 3 || stack[1].Name != "own" || stack[2].Name != "all" {
		t.Fatalf("%d asked for, stack %v, %v", n, stack, err)
	}
	if stack, n, err := l.OverlaysOf(p, []string{"all"}); err != nil || n != 1 || len(stack) != 2 || stack[1].Name != "own" {
		t.Errorf("%d asked for, stack %v, %v", n, stack, err)
	}
}

// Overlays that ship change the level of BR-CL-23 for profiles of XRechnung. The gap that two of a
// folder leave is told all the same, at one of the folder, and none where those that ship fill it.
func TestGapBesideShipped(t *testing.T) {
	for _, c := range []struct{ on, want string }{
		{`["*"]`, "overlays/b.yaml:7:5: the level of BR-CL-23 is changed by xrechnung-3.0, xrechnung-3.0-cvd, xrechnung-3.0-extension, a, b for some documents, and for one with no buyerReference, profile en16931 by none: "},
		{"[en16931]", "overlays/b.yaml:7:5: the level of BR-CL-23 is changed by a, b for some documents, and for one with no buyerReference by none: "},
		{"[en16931, xrechnung-3.0]", "overlays/b.yaml:7:5: the level of BR-CL-23 is changed by xrechnung-3.0, a, b for some documents, and for one with no buyerReference, profile en16931 by none: "},
		{"[xrechnung-3.0]", ""},
	} {
		files := map[string]string{}
		for name, is := range map[string]string{"a": "=", "b": "!="} {
			files["overlays/"+name+".yaml"] = fmt.Sprintf("overlay: %s\ntitle: t\nowner: us\non: {profiles: %s}\ndocuments: {where: \"/invoice[buyerReference%s'A']\"}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: because, until: 2030-01-01}\n", name, c.on, is)
		}
		l, err := engine.Open(engine.Layered(folderOf(files), rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		gaps := l.Gaps()
		if (c.want == "") != (len(gaps) == 0) || len(gaps) > 1 || len(gaps) == 1 && !strings.HasPrefix(gaps[0].Error(), c.want) {
			t.Errorf("on %s: %v", c.on, gaps)
		}
	}
}

// A rule of an overlay is compared with those that the overlay adds, and with those that it rests
// on: what both find is told once.
func TestWarningsAreToldOnce(t *testing.T) {
	overlay := acmeOverlay
	for _, id := range []string{"ACME-2", "ACME-3"} {
		overlay += "  - {id: " + id + ", level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], message: m, text: t}\n"
	}
	warnings, err := lint.Warnings(acme(overlay, companyRules))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, w := range warnings {
		told[w.Error()]++
	}
	repeats := 0
	for text, n := range told {
		if strings.Contains(text, "wherever it fires") {
			repeats++
		}
		if n > 1 {
			t.Errorf("told %d times: %s", n, text)
		}
	}
	if repeats < 3 {
		t.Errorf("%d rules are said to repeat others, of 3", repeats)
	}
}

// An overlay that is asked for decides over those of the profiles and of all profiles: each is told once.
func TestNoticesAreToldOnce(t *testing.T) {
	overlay := func(name, limit string) string {
		return "overlay: " + name + "\ntitle: t\nowner: us\non: {rulesets: [company]}\nparameters: {limit: " + limit + "}\n"
	}
	l, err := engine.Open(engine.Layered(folderOf(map[string]string{
		"company/1/a.yaml": companyRules,
		"profiles/p.yaml":  "overlays: [every]\nprofiles:\n  - {id: p, name: P, standard: p, specificationIds: [\"urn:p\"], rulesets: [en16931, company], overlays: [mine]}\n",
		"overlays/a.yaml":  overlay("a", "4"), "overlays/every.yaml": overlay("every", "3"), "overlays/mine.yaml": overlay("mine", "2"),
	}), rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(l, false); err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, notice := range lint.Notices(l) {
		told[notice.Error()]++
	}
	for text, n := range told {
		if n > 1 {
			t.Errorf("told %d times: %s", n, text)
		}
	}
	if len(told) != 3 {
		t.Errorf("%d notices, of 3: %v", len(told), told)
	}
}

const acmeOverlay = `overlay: acme
title: What ACME asks
owner: Compliance
on: {profiles: [xrechnung-3.0]}
effective: {from: 2026-01-01}
documents: {buyer: [DE2]}
levels:
  - {rules: [BR-CL-23], level: information, until: 2030-01-01, reason: New units}
parameters: {limit: 500}
codeLists:
  - {list: untdid-4461, only: 30 58}
  - {list: acme-sites, codes: A B}
rulesets: [company]
rules:
  - {id: ACME-1, level: fatal, context: /invoice, assert: 'this.buyerReference.isInCodeList("acme-sites")', btCodes: [BT-10], message: m, text: t}
`

const companyRules = `ruleset: company
version: 1
layer: cius
parameters:
  limit: {type: decimal, default: 1000, text: From which amount on an order is needed}
rules:
  - {id: C-1, level: fatal, context: /invoice, assert: "this.totals.amountDueForPayment < ${limit}", btCodes: [BT-115], message: "Below ${limit}.", text: t}
`

func acme(overlay, company string) *engine.Library {
	l, err := engine.Open(engine.Layered(folderOf(map[string]string{"overlays/acme.yaml": overlay, "company/1/a.yaml": company}), rulesets.FS))
	if err != nil {
		panic(err) // a folder in memory opens
	}
	return l
}

// Every mistake of an overlay is told where it is.
func TestOverlayMistakes(t *testing.T) {
	const file = "overlays/acme.yaml:"
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"overlay: acme", "overlay: amce", file + `1:10: the overlay calls itself "amce"; it must be named as its file`},
		{"title: What ACME asks\n", "", file + "1:1: the overlay needs a title: what it is for, in a few words"},
		{"owner: Compliance\n", "", file + "7:5: the change of BR-CL-23 needs an owner, who answers for it: write it here, or at the top of the overlay"},
		{"owner: Compliance", "owner: Compliance\ncolour: red", file + `4:1: unknown key "colour" in an overlay; there are codeLists, constants, decidedBy, documents, effective, layer, levels, notWith, on, over, overlay, owner, parameters, repeat, rules, rulesets, source, tables, title`},
		{"on: {profiles: [xrechnung-3.0]}\n", "", file + "1:1: no profile names this overlay, so it needs the key on: the profiles or rulesets that it rests on"},
		{"profiles: [xrechnung-3.0]", "", file + "4:5: on needs profiles, rulesets or both: what the overlay rests on"},
		{"[xrechnung-3.0]", "[xrechung-3.0]", file + "4:5: the overlay rests on profile xrechung-3.0, which there is not; did you mean xrechnung-3.0?"},
		{"profiles: [xrechnung-3.0]", "rulesets: [xrechung/3.0]", file + `4:5: there is no ruleset "xrechung"; there are ` + families("company") + `; did you mean xrechnung?`},
		{"profiles: [xrechnung-3.0]", "rulesets: [en6931]", file + `4:5: there is no ruleset "en6931"; there are ` + families("company") + `; did you mean en16931?`},
		{"from: 2026-01-01", "from: 1.1.2026", file + `5:19: "1.1.2026" is not a day: write it as 2026-11-20`},
		{"from: 2026-01-01", "from: 2026-01-01, until: 2025-01-01", file + "5:12: effective ends on 2025-01-01, before it begins on 2026-01-01"},
		{"from: 2026-01-01", "", file + "5:12: effective needs from, until or both"},
		{"buyer: [DE2]", "root: Invoice", file + `6:19: "Invoice" is not a document element: use one of ubl:Invoice, cn:CreditNote, rsm:CrossIndustryInvoice`},
		{"buyer: [DE2]", `buyer: [""]`, file + "6:21: an identifier of a party is empty"},
		{"buyer: [DE2]", `where: "/invoice["`, file + "6:30: expected a name, and the expression ends"},
		{"buyer: [DE2]", "syntax: xml", file + `6:21: unknown syntax "xml": use one of ubl, cii`},
		{"[BR-CL-23]", "[BR-CL-32]", file + "8:5: levels names rule BR-CL-32, which nothing that the overlay rests on has; did you mean BR-CL-22?"},
		{"[BR-CL-23]", "[]", file + "8:5: a change of levels needs rules: the ids of those that it is about"},
		{"level: information", "level: info", file + `8:32: unknown level "info": use one of fatal, warning, information; did you mean information?`},
		{"level: information", "level: fatal", file + "8:5: rule BR-CL-23 is of level fatal already"},
		{"level: information", "from: information, level: information", file + "8:5: the change is from level information to the same level"},
		{"level: information, ", "", file + "8:5: a change of levels needs level: one of fatal, warning, information"},
		{", reason: New units", "", file + "8:5: the change of BR-CL-23 needs a reason, which reports and `einvoice rules show` tell"},
		{"until: 2030-01-01, ", "", file + `8:5: the change of BR-CL-23 needs until: its last day, or "open" where a source publishes it for good`},
		{"until: 2030-01-01", "until: open", file + "8:5: the change of BR-CL-23 is open and has no source: give it its last day, or say where it is published"},
		{"limit: 500", "limt: 500", file + "9:20: nothing that the overlay rests on declares the parameter limt; did you mean limit?"},
		{"limit: 500", "limit: much", file + `9:21: "much" is not a value of the parameter limit, which is of type decimal: write it as 1250.00`},
		{"limit: 500", "limit: 1000", file + "9:21: 1000 is the default of the parameter limit already"},
		{"only: 30 58", "only: 30 583", file + `11:5: the code list untdid-4461 has no code "583"`},
		{"only: 30 58", "codes: 30 58", file + "11:5: there is a code list untdid-4461 already: an overlay can take codes from it (only, without), and a rule's level can be lowered where codes are missing"},
		{"only: 30 58", "only: 30, without: 58", file + "11:5: a code list of an overlay needs list, its name, and one of codes (a new list), only or without (fewer codes of a list that there is)"},
		{"list: untdid-4461", "list: untdid-4462", file + `11:5: there is no code list "untdid-4462" (codelists/untdid-4462.yaml); did you mean untdid-4461?`},
		{"list: acme-sites", "list: acme-places", file + `12:5: no rule of the overlay asks its code list acme-places: remove it, or ask it with .isInCodeList("acme-places")`},
		{"list: acme-sites", "list: untdid-4461", file + "12:5: the code list untdid-4461 is changed twice"},
		{"rulesets: [company]", "rulesets: [compny]", file + `13:11: there is no ruleset "compny"; there are ` + families("company") + `; did you mean company?`},
		{"id: ACME-1", "id: BR-CL-23", file + "15:10: en16931/1.3.16 has a rule BR-CL-23: give this one an id of its own; an overlay changes the level of a rule under levels"},
		{"this.buyerReference", "this.buyerReferenc", file + "15:64: undefined field 'buyerReferenc': did you mean buyerReference?"},
	} {
		text := strings.Replace(acmeOverlay, c.old, c.new, 1)
		if c.old != "" && text == acmeOverlay {
			t.Fatalf("%q is not in the overlay", c.old)
		}
		got := ""
		if err := lint.Check(acme(text, companyRules), false); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.new, got, c.want)
		}
	}
}

// An overlay replaces a code list of one that it is over, without a rule of its own that asks it.
func TestOverlayReplacesList(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"acme-sites", ""},
		{"acme-places", `overlays/plant.yaml:6:5: no rule of the overlay asks its code list acme-places: remove it, or ask it with .isInCodeList("acme-places")`},
	} {
		l, err := engine.Open(engine.Layered(folderOf(map[string]string{"overlays/acme.yaml": acmeOverlay, "company/1/a.yaml": companyRules,
			"overlays/plant.yaml": "overlay: plant\ntitle: t\nowner: us\nover: [acme]\ncodeLists:\n  - {list: " + c.list + ", codes: B C}\n"}), rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := lint.Check(l, false); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.list, got, c.want)
		}
	}
}

// Parameters are declared completely, once, and used.
func TestParameterMistakes(t *testing.T) {
	const file = "company/1/a.yaml:"
	for _, c := range []struct{ old, new, want string }{
		{"type: decimal", "type: number", file + `5:17: unknown type "number": use one of text, decimal, integer, date`},
		{"default: 1000", "default: much", file + `5:10: the default: "much" is not a value of the parameter limit, which is of type decimal: write it as 1250.00`},
		{"default: 1000, ", "", file + "5:10: the parameter limit needs type, default and text"},
		{"type: decimal, default: 1000", "type: integer, default: 10.5", file + `5:10: the default: "10.5" is not a value of the parameter limit, which is of type integer: write it as 12`},
		{"type: decimal, default: 1000", "type: date, default: soon", file + `5:10: the default: "soon" is not a value of the parameter limit, which is of type date: write it as 2026-11-20`},
		{"type: decimal, default: 1000", `type: text, default: "a'b"`, file + `5:10: the default: "a'b" is not a value of the parameter limit: quotation marks, backslashes, braces and $ are not allowed in it`},
		{"${limit}", "1000", ""},
		{"parameters:", "constants: {limit: 1}\nparameters:", file + "6:10: limit is a constant or parameter already: give the parameter another name"},
	} {
		text := strings.Replace(companyRules, c.old, c.new, 1)
		got := ""
		if err := lint.Check(acme(acmeOverlay, text), false); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.new, got, c.want)
		}
	}
	unused := strings.ReplaceAll(companyRules, "${limit}", "1000")
	if err := lint.Check(acme(acmeOverlay, unused), false); err == nil || err.Error() != file+"5:10: no rule uses the parameter limit: remove it, or write ${limit} where it is meant" {
		t.Errorf("got %v", err)
	}
}

// A change of levels that has ended is a mistake on the day after its last.
func TestCheckTerms(t *testing.T) {
	l := acme(acmeOverlay, companyRules)
	if failures := lint.CheckTerms(l, "2030-01-01"); len(failures) != 0 {
		t.Errorf("got %v", failures)
	}
	want := "overlays/acme.yaml:8:5: the change of BR-CL-23 ended on 2030-01-01: remove it, or have Compliance decide on another term"
	if failures := lint.CheckTerms(l, "2030-01-02"); failures.Error() != want {
		t.Errorf("got %v", failures)
	}
}
