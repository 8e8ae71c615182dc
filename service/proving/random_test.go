package proving

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/importer"
	"einvoice/service/validate"
)

var (
	randomAsserts = flag.Int("random-asserts", 400, "how many random asserts are translated and held against Saxon")
	randomSeed    = flag.Uint64("random-seed", 1, "of the random asserts")
)

// Rules that were translated of expressions made at random decide as Saxon decides the
// expressions, wherever it has a value. An expression that is refused is not compared.
func TestRandomTranslations(t *testing.T) {
	saxon := Saxon{Jars: *saxonFolder}
	if err := saxon.Ready(); err != nil {
		t.Skip(err)
	}
	g := &generator{Rand: rand.New(rand.NewPCG(*randomSeed, 2))} //nolint:gosec // no secret
	tests, contexts := map[string]string{}, map[string]string{}
	for i := range *randomAsserts {
		id := fmt.Sprintf("R-%04d", i)
		contexts[id] = contextNames[g.IntN(len(contextNames))]
		tests[id] = g.boolean(contexts[id], 3)
	}
	folder := t.TempDir()
	sch, sheetFile := filepath.Join(folder, "random.sch"), filepath.Join(folder, "random.xslt")
	writeSchematron(t, sch, contexts, tests)
	writeStylesheet(t, sheetFile, contexts, tests)

	structure, err := validate.Structure()
	if err != nil {
		t.Fatal(err)
	}
	out, err := importer.Import(os.DirFS(folder), "random.sch", importer.Options{Structure: structure})
	if err != nil {
		t.Fatal(err)
	}
	library, err := importer.Try(importer.Header{Ruleset: "random", Version: "1", Layer: "cius"}, out.Rules, out.CodeLists, rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	assertions := map[string]string{}
	for _, r := range out.Rules {
		assertions[r.ID] = r.Assert
	}
	p, documents := documentsFor(t, library, sch)
	theirs := decidedBySaxon(t, saxon, sheetFile, documents, contexts, tests)
	compared, fires, wrong := 0, 0, map[string]bool{}
	for i, data := range documents {
		ours := p[i]
		for id, assertion := range assertions {
			if _, noValue := theirs[i][id+"?"]; noValue {
				continue
			}
			compared++
			_, fired := ours[id]
			if _, want := theirs[i][id]; want != fired && !wrong[id] {
				wrong[id] = true
				t.Errorf("%s in %s: %s\n\tis %s\n\tfires %t, Saxon %t on\n%s", id, contexts[id], tests[id], assertion, fired, want, data)
			} else if want {
				fires++
			}
		}
	}
	t.Logf("%d of %d asserts translated; %d verdicts on %d documents, %d fired, %d rules differ", len(assertions), len(tests), compared, len(documents), fires, len(wrong))
	if len(assertions) < len(tests)/4 || fires == 0 || fires == compared {
		t.Error("too little was compared")
	}
}

var staticErrors = regexp.MustCompile(`(?s)Error .{1,900}? on line\s+([0-9]+)\s+column`)

// decidedBySaxon has Saxon decide the documents. Expressions that have no value on any document
// keep it from reading the others, so they are marked by its messages, a line for each.
func decidedBySaxon(t *testing.T, saxon Saxon, file string, documents [][]byte, contexts, tests map[string]string) []fired {
	t.Helper()
	for range 20 {
		verdicts, stops, err := saxon.run(t.Context(), file, documents)
		if err == nil && len(stops) == 0 {
			return verdicts
		}
		found := staticErrors.FindAllStringSubmatch(fmt.Sprint(err), -1)
		if found == nil {
			t.Fatal(err, stops)
		}
		for _, m := range found {
			line, _ := strconv.Atoi(m[1])
			tests[fmt.Sprintf("R-%04d", line-1)] = ""
		}
		writeStylesheet(t, file, contexts, tests)
	}
	t.Fatal("Saxon reads the stylesheet after no number of corrections")
	return nil
}

// known are values of which it is known that Saxon and rules read them in different ways: -0 is
// below 0 for Saxon, and numbers have a number of digits in rules.
var known = regexp.MustCompile(`>-0(\.0+)?<|[0-9]{35}`)

// documentsFor makes documents for the asserts of a Schematron, and has our rules decide them.
func documentsFor(t *testing.T, library *engine.Library, sch string) (ours []fired, documents [][]byte) {
	t.Helper()
	p, err := newProving(library, Options{Rulesets: []string{"random"}})
	if err != nil {
		t.Fatal(err)
	}
	if p.bases, err = bases(library, ""); err != nil {
		t.Fatal(err)
	}
	s, err := readSheet(sch)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, a := range s.asserts {
		for _, m := range a.documents(p.bases, 9, 0) {
			m.data = m.write()
			if m.data == nil || seen[string(m.data)] || known.Match(m.data) {
				continue
			}
			seen[string(m.data)] = true
			verdict, err := p.decideOne(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if verdict != nil {
				ours, documents = append(ours, verdict), append(documents, m.data)
			}
		}
	}
	return ours, documents
}

const randomNames = `xmlns:inv="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:xs="http://www.w3.org/2001/XMLSchema"`

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // into memory
	return b.String()
}

func writeSchematron(t *testing.T, file string, contexts, tests map[string]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">`)
	for prefix, uri := range map[string]string{
		"inv": "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
		"cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
		"cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
	} {
		fmt.Fprintf(&b, `<ns prefix="%s" uri="%s"/>`, prefix, uri)
	}
	for i := range len(tests) {
		id := fmt.Sprintf("R-%04d", i)
		fmt.Fprintf(&b, "<pattern><rule context=\"%s\"><assert id=\"%s\" test=\"%s\"/></rule></pattern>\n", contexts[id], id, escaped(tests[id]))
	}
	b.WriteString("</schema>")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeStylesheet has Saxon decide each assert by itself: one without a value is marked.
func writeStylesheet(t *testing.T, file string, contexts, tests map[string]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" ` + randomNames + `><xsl:template match="/"><o>`)
	for i := range len(tests) {
		id := fmt.Sprintf("R-%04d", i)
		if tests[id] == "" {
			fmt.Fprintf(&b, "<failed-assert id=\"%s?\"/>\n", id)
			continue
		}
		fmt.Fprintf(&b, "<xsl:try><xsl:for-each select=\"//%s\"><xsl:if test=\"not(%s)\"><failed-assert id=\"%s\"/></xsl:if></xsl:for-each><xsl:catch><failed-assert id=\"%s?\"/></xsl:catch></xsl:try>\n",
			contexts[id], escaped(tests[id]), id, id)
	}
	b.WriteString("</o></xsl:template></xsl:stylesheet>")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A generator makes XPath 2.0 as artefacts write it.
type generator struct{ *rand.Rand }

var contextNames = []string{"inv:Invoice", "cac:InvoiceLine", "cac:TaxSubtotal", "cac:Party", "cac:LegalMonetaryTotal"}

// pathsAt lead from a context to what may be there once, several times or not at all.
var pathsAt = map[string][]string{
	"inv:Invoice": {
		"cbc:ID", "cbc:IssueDate", "cbc:DueDate", "cbc:Note", "cbc:InvoiceTypeCode", "cbc:DocumentCurrencyCode", "cac:InvoiceLine/cbc:ID",
		"cac:InvoiceLine/cbc:LineExtensionAmount", "cac:TaxTotal/cbc:TaxAmount", "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:Percent",
		"cac:LegalMonetaryTotal/cbc:PayableAmount", "cac:LegalMonetaryTotal/cbc:LineExtensionAmount/@currencyID", "cac:AllowanceCharge/cbc:Amount", "//cbc:Percent", "*/cbc:ID",
	},
	"cac:InvoiceLine":        {"cbc:ID", "cbc:InvoicedQuantity", "cbc:InvoicedQuantity/@unitCode", "cbc:LineExtensionAmount", "cac:Item/cbc:Name", "cac:Price/cbc:PriceAmount", "cac:Price/cbc:BaseQuantity", "../cbc:ID", "../cac:InvoiceLine/cbc:ID", "cbc:Note"},
	"cac:TaxSubtotal":        {"cbc:TaxableAmount", "cbc:TaxAmount", "cac:TaxCategory/cbc:ID", "cac:TaxCategory/cbc:Percent", "../cbc:TaxAmount", "../../cac:InvoiceLine/cbc:LineExtensionAmount", "cbc:TaxAmount/@currencyID"},
	"cac:Party":              {"cbc:EndpointID", "cbc:EndpointID/@schemeID", "cac:PartyName/cbc:Name", "cac:PartyIdentification/cbc:ID", "cac:PostalAddress/cac:Country/cbc:IdentificationCode", "cac:PartyTaxScheme/cbc:CompanyID", "cac:Contact/cbc:Telephone", ".//cbc:ID"},
	"cac:LegalMonetaryTotal": {"cbc:LineExtensionAmount", "cbc:TaxExclusiveAmount", "cbc:TaxInclusiveAmount", "cbc:PayableAmount", "cbc:PrepaidAmount", "cbc:AllowanceTotalAmount", "../cac:InvoiceLine/cbc:LineExtensionAmount", "../cac:TaxTotal/cbc:TaxAmount"},
}

var randomTexts = []string{"EUR", "S", "1", "01", "380", "INV", "", " ", "DE", "kg", "a", "19", "19.00", "2026-11-20", "-", "0"}

func (g *generator) one(all []string) string { return all[g.IntN(len(all))] }

func (g *generator) literal() string { return "'" + g.one(randomTexts) + "'" }

// choose runs one of several makers.
func (g *generator) choose(makers ...func() string) string { return makers[g.IntN(len(makers))]() }

func (g *generator) path(at string) string {
	p := g.one(pathsAt[at])
	switch g.IntN(8) {
	case 0:
		return p + g.one([]string{"[. != '']", "[string-length(.) > 2]", "[1]", "[last()]", "[position() < 2]", "[contains(., '1')]", "[number(.) > 1]", "[normalize-space(.) = 'S']"})
	case 1:
		return "(" + p + " | " + g.one(pathsAt[at]) + ")"
	}
	return p
}

// sequence is any number of values.
func (g *generator) sequence(at string, deep int) string {
	if deep <= 0 {
		return g.path(at)
	}
	return g.choose(
		func() string { return g.path(at) },
		func() string { return g.path(at) },
		func() string { return "distinct-values(" + g.sequence(at, deep-1) + ")" },
		func() string { return "(" + g.sequence(at, deep-1) + ", " + g.literal() + ")" },
		func() string { return "(" + g.literal() + ", " + g.literal() + ", " + g.literal() + ")" },
		func() string { return "for $f in " + g.path(at) + " return " + g.bound("$f", deep-1) },
		func() string {
			return "tokenize(" + g.text(at, deep-1) + ", " + g.one([]string{"'-'", `'\s'`, "'[0-9]'"}) + ")"
		},
		func() string { return "index-of(" + g.sequence(at, deep-1) + ", " + g.literal() + ")" },
		func() string { return "data(" + g.path(at) + ")" },
		func() string {
			return g.path(at) + "/" + g.one([]string{"string(.)", "number(.)", "normalize-space(.)", "xs:decimal(.)", "string-length(.)", "upper-case(.)"})
		},
	)
}

// bound is one value of a variable.
func (g *generator) bound(v string, _ int) string {
	return fmt.Sprintf(g.one([]string{"string(%s)", "normalize-space(%s)", "%s", "concat(%s, 'x')", "number(%s)", "substring(%s, 2)", "string-length(%s)"}), v)
}

func (g *generator) text(at string, deep int) string {
	if deep <= 0 {
		return g.choose(func() string { return "string(" + g.one(pathsAt[at]) + "[1])" }, g.literal)
	}
	inner := func() string { return g.text(at, deep-1) }
	return g.choose(
		func() string { return "string(" + g.path(at) + ")" },
		func() string { return "normalize-space(" + g.path(at) + ")" },
		func() string { return "concat(" + inner() + ", " + inner() + ")" },
		func() string { return fmt.Sprintf("substring(%s, %d, %d)", inner(), g.IntN(4)-1, g.IntN(4)) },
		func() string { return fmt.Sprintf("substring(%s, %d)", inner(), g.IntN(5)-1) },
		func() string { return "substring-before(" + inner() + ", " + g.literal() + ")" },
		func() string { return "substring-after(" + inner() + ", " + g.literal() + ")" },
		func() string { return "upper-case(" + inner() + ")" },
		func() string { return "lower-case(" + inner() + ")" },
		func() string { return "translate(" + inner() + ", 'INV-', 'inv')" },
		func() string {
			return "string-join(" + g.sequence(at, deep-1) + ", " + g.one([]string{"''", "','", "'-'"}) + ")"
		},
		func() string {
			return "replace(" + inner() + ", " + g.one([]string{"'[0-9]'", `'\s+'`, "'^I'", "'-'"}) + ", " + g.one([]string{"''", "'x'"}) + ")"
		},
		func() string { return fmt.Sprintf("tokenize(%s, '-')[%d]", inner(), g.IntN(3)+1) },
		func() string { return g.one([]string{"local-name(.)", "name(.)", "local-name(*[1])"}) },
		func() string { return "(" + g.path(at) + ")[1]" },
		func() string { return "(if (" + g.boolean(at, deep-1) + ") then " + inner() + " else " + inner() + ")" },
		g.literal,
	)
}

func (g *generator) number(at string, deep int) string {
	if deep <= 0 {
		return g.choose(func() string { return "number(" + g.path(at) + ")" }, func() string { return g.one([]string{"0", "1", "2", "0.01", "100", "-1", "19.5"}) })
	}
	inner := func() string { return g.number(at, deep-1) }
	return g.choose(
		func() string { return "count(" + g.sequence(at, deep-1) + ")" },
		func() string { return "sum(" + g.path(at) + ")" },
		func() string { return "sum(" + g.path(at) + "/xs:decimal(.))" },
		func() string { return "sum(for $s in " + g.path(at) + " return number($s))" },
		func() string { return "number(" + g.path(at) + ")" },
		func() string { return "xs:decimal(" + g.path(at) + ")" },
		func() string { return "string-length(" + g.text(at, deep-1) + ")" },
		func() string { return "round(" + inner() + ")" },
		func() string { return "round(" + inner() + " * 100) div 100" },
		func() string { return "abs(" + inner() + ")" },
		func() string { return "floor(" + inner() + ")" },
		func() string { return "(" + inner() + g.one([]string{" + ", " - ", " * "}) + inner() + ")" },
		// a division by zero has no value in rules, and an infinite one in XPath
		func() string { return "(" + inner() + " div " + g.one([]string{"100", "3", "0.5"}) + ")" },
		func() string { return "(if (" + g.boolean(at, deep-1) + ") then " + inner() + " else " + inner() + ")" },
		func() string { return g.path(at) },
	)
}

var comparisons = []string{" = ", " != ", " < ", " <= ", " > ", " >= ", " eq ", " ne ", " lt ", " ge "}

func (g *generator) boolean(at string, deep int) string {
	if deep <= 0 {
		return g.path(at)
	}
	inner := func() string { return g.boolean(at, deep-1) }
	return g.choose(
		func() string { return g.number(at, deep-1) + g.one(comparisons) + g.number(at, deep-1) },
		func() string { return g.text(at, deep-1) + g.one(comparisons[:2]) + g.text(at, deep-1) },
		func() string { return g.sequence(at, deep-1) + g.one(comparisons[:2]) + g.sequence(at, deep-1) },
		func() string { return g.sequence(at, deep-1) + g.one(comparisons[:6]) + g.number(at, deep-1) },
		func() string { return "not(" + inner() + ")" },
		func() string { return "(" + inner() + ") and (" + inner() + ")" },
		func() string { return "(" + inner() + ") or (" + inner() + ")" },
		func() string { return "exists(" + g.sequence(at, deep-1) + ")" },
		func() string { return "empty(" + g.sequence(at, deep-1) + ")" },
		func() string { return "boolean(" + g.sequence(at, deep-1) + ")" },
		func() string {
			return g.one([]string{"some", "every"}) + " $q in " + g.path(at) + " satisfies " + g.bound("$q", 1) + g.one(comparisons[:2]) + g.choose(g.literal, func() string { return g.path(at) })
		},
		func() string { return "(if (" + inner() + ") then " + inner() + " else " + inner() + ")" },
		func() string {
			return g.one([]string{"contains", "starts-with", "ends-with"}) + "(" + g.text(at, deep-1) + ", " + g.literal() + ")"
		},
		func() string {
			return "matches(" + g.text(at, deep-1) + ", " + g.one([]string{"'^[A-Z]'", `'\d+$'`, "'^$'", "'.'"}) + ")"
		},
		func() string {
			return g.path(at) + " castable as " + g.one([]string{"xs:decimal", "xs:date", "xs:integer", "xs:double"})
		},
		func() string { return g.text(at, deep-1) },
		func() string { return g.number(at, deep-1) },
	)
}
