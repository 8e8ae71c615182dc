package kosit_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jacoelho/xsd"

	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/kosit"
	"einvoice/service/validate"
)

var (
	reportXSD    = flag.String("report-xsd", "", "report.xsd of the configuration for XRechnung, to validate reports against")
	scenariosXSD = flag.String("scenarios-xsd", "", "scenarios.xsd of KoSIT's validator, which report.xsd refers to")
)

// A report is what programs read of a report in VARL.
type report struct {
	XMLName xml.Name `xml:"http://www.xoev.de/de/validator/varl/1 report"`
	Valid   bool     `xml:"valid,attr"`
	Version string   `xml:"varlVersion,attr"`
	Hash    string   `xml:"documentIdentification>documentHash>hashValue"`
	Name    string   `xml:"documentIdentification>documentReference"`
	Matched *struct {
		Scenario string `xml:"http://www.xoev.de/de/validator/framework/1/scenarios scenario>name"`
		ID       string `xml:"documentData>id"`
		Steps    []step `xml:"validationStepResult"`
	} `xml:"scenarioMatched"`
	None *struct {
		Steps []step `xml:"validationStepResult"`
	} `xml:"noScenarioMatched"`
	Accept *recommendation `xml:"assessment>accept"`
	Reject *recommendation `xml:"assessment>reject"`
}

type recommendation struct {
	Page struct {
		Kind string `xml:"data-report-type,attr"`
	} `xml:"explanation>html"`
}

type step struct {
	ID       string    `xml:"id,attr"`
	Valid    bool      `xml:"valid,attr"`
	Messages []message `xml:"message"`
}

type message struct {
	ID       string `xml:"id,attr"`
	Code     string `xml:"code,attr"`
	Level    string `xml:"level,attr"`
	Line     int    `xml:"lineNumber,attr"`
	Location string `xml:"xpathLocation,attr"`
	Text     string `xml:",chardata"`
}

func (s step) codes() (all []string) {
	for _, m := range s.Messages {
		all = append(all, m.Code+" "+m.Level)
	}
	slices.Sort(all)
	return all
}

// base is the shipped example of a syntax as an XRechnung, with texts replaced.
func base(t testing.TB, file string, replace ...string) []byte {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/"+file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("%s has no %q", file, replace[i])
		}
		text = strings.Replace(text, replace[i], replace[i+1], 1)
	}
	return []byte(text)
}

func open(t testing.TB) *validate.Service {
	t.Helper()
	s, err := validate.Open(validate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func builtIn(t testing.TB, s *validate.Service) *kosit.Configuration {
	t.Helper()
	c, err := kosit.BuiltIn(s.Library())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func check(t testing.TB, c *kosit.Configuration, s *validate.Service, data []byte) (*kosit.Result, *report) {
	t.Helper()
	result, err := c.Check(context.Background(), s, kosit.Input{Name: "a & b.xml", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	parsed := &report{}
	if err := xml.Unmarshal(result.Report, parsed); err != nil {
		t.Fatalf("%v in\n%s", err, result.Report)
	}
	validated(t, result.Report)
	if parsed.Name != "a & b.xml" || parsed.Version != "1.0.0" || (parsed.Accept == nil) == (parsed.Reject == nil) {
		t.Errorf("the report is about %q, version %q, accept %v, reject %v", parsed.Name, parsed.Version, parsed.Accept, parsed.Reject)
	}
	if (parsed.Accept != nil) != (result.Recommendation == kosit.Acceptable) {
		t.Errorf("the report and the result differ: %s", result.Recommendation)
	}
	return result, parsed
}

// validate checks a report against the published schema, where it is given.
func validated(t testing.TB, data []byte) {
	t.Helper()
	if *reportXSD == "" || *scenariosXSD == "" {
		return
	}
	both := `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
		<xs:import namespace="http://www.xoev.de/de/validator/framework/1/scenarios" schemaLocation="` + *scenariosXSD + `"/>
		<xs:import namespace="http://www.xoev.de/de/validator/varl/1" schemaLocation="` + *reportXSD + `"/></xs:schema>`
	source := xsd.Bytes("both.xsd", []byte(both)).WithResolver(xsd.ResolverFunc(func(_ context.Context, _, location string) (xsd.SchemaSource, error) {
		file, err := os.ReadFile(location)
		return xsd.Bytes(location, file), err
	}))
	engine, err := xsd.Compile(context.Background(), source)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Validate(context.Background(), bytes.NewReader(data)); err != nil {
		t.Errorf("not valid against report.xsd: %v\n%s", err, data)
	}
}

const (
	plainID = "urn:cen.eu:en16931:2017"
	xrID    = plainID + "#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
)

// Documents of the two syntaxes are accepted by the scenario of what they declare.
func TestAccepted(t *testing.T) {
	s := open(t)
	c := builtIn(t, s)
	for file, scenario := range map[string]string{"base-ubl.xml": "EN16931 (UBL Invoice)", "base-cii.xml": "EN16931 (CII)"} {
		result, r := check(t, c, s, base(t, file))
		if !result.Accepted() || r.Matched == nil || r.Matched.Scenario != scenario || !result.SchemaValid {
			t.Fatalf("%s: %s, %+v", file, result.Recommendation, r.Matched)
		}
		var ids []string
		for _, step := range r.Matched.Steps {
			ids = append(ids, step.ID)
		}
		if want := []string{"val-xsd", "val-sch.1", "val-xml"}; !slices.Equal(ids, want) {
			t.Errorf("%s: steps %v, want %v", file, ids, want)
		}
		if len(r.Hash) != 44 {
			t.Errorf("%s: the hash is %q", file, r.Hash)
		}
	}
}

// A violated rule rejects, with its code, level and place in the step of its Schematron
// file; a violated schema keeps the Schematron files from being run.
func TestRejected(t *testing.T) {
	s := open(t)
	c := builtIn(t, s)
	result, r := check(t, c, s, base(t, "base-ubl.xml", "<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>999<"))
	if result.Accepted() || r.Valid || r.Reject.Page.Kind != "report" {
		t.Fatalf("accepted: %s", result.Report)
	}
	found := r.Matched.Steps[1]
	at := slices.IndexFunc(found.Messages, func(m message) bool { return m.Code == "BR-CL-01" })
	if found.ID != "val-sch.1" || at < 0 {
		t.Fatalf("%+v", found)
	}
	m := found.Messages[at]
	const ubl = "urn:oasis:names:specification:ubl:schema:xsd:"
	if want := "/Q{" + ubl + "Invoice-2}Invoice[1]/Q{" + ubl + "CommonBasicComponents-2}InvoiceTypeCode[1]"; m.Location != want || m.Level != "error" || m.Line == 0 || m.Text == "" {
		t.Errorf("%+v", m)
	}

	result, r = check(t, c, s, base(t, "base-ubl.xml", "<cbc:ID>", "<cbc:Wrong/><cbc:ID>"))
	if result.SchemaValid || len(r.Matched.Steps) != 2 || r.Matched.Steps[0].Valid || r.Matched.Steps[0].Messages[0].Code != "cvc-complex-type.2.4.a" {
		t.Errorf("%+v", r.Matched.Steps)
	}
}

// What no scenario is for, or is not readable, is rejected; only the latter was not
// processed.
func TestNoScenario(t *testing.T) {
	s := open(t)
	c := builtIn(t, s)
	for name, tt := range map[string]struct {
		data      []byte
		processed bool
	}{
		"unknown identifier": {base(t, "base-ubl.xml", plainID, "urn:x"), true},
		"another document":   {[]byte(`<Order xmlns="urn:x"/>`), true},
		"not well-formed":    {[]byte(`<Invoice>`), false},
		"no XML":             {[]byte("%PDF-1.7"), false},
	} {
		result, r := check(t, c, s, tt.data)
		if result.Recommendation != kosit.Reject || result.Processed != tt.processed || r.None == nil || r.Matched != nil || r.Valid {
			t.Fatalf("%s: %+v", name, r)
		}
		if step := r.None.Steps[0]; step.ID != "val-xml" || step.Valid != tt.processed {
			t.Errorf("%s: %+v", name, step)
		}
	}
}

// The custom levels of a file decide, while messages have the level of the rule.
func TestCustomLevels(t *testing.T) {
	s := open(t)
	c := builtIn(t, s)
	faulty := base(t, "base-ubl.xml", "<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>999<")
	result, _ := check(t, c, s, faulty)
	var errorCodes []string
	for _, step := range result.Steps {
		for _, m := range step.Messages {
			if m.Level == "error" {
				errorCodes = append(errorCodes, m.Code)
			}
		}
	}
	if len(errorCodes) == 0 {
		t.Fatal("there is nothing to give another level")
	}
	level := `</resource><customLevel level="warning">` + strings.Join(errorCodes, "\n ") + `</customLevel>`
	edited, err := kosit.Load(s.Library(), bytes.ReplaceAll(c.Source, []byte("</resource>\n    </createReport>"), []byte(level+"</createReport>")))
	if err != nil {
		t.Fatal(err)
	}
	after, r := check(t, edited, s, faulty)
	if !after.Accepted() || r.Valid || after.SchematronValid {
		t.Errorf("%s, valid %v: %v", after.Recommendation, r.Valid, after.Descriptions())
	}
	if got := r.Matched.Steps[1].codes(); !slices.Contains(got, errorCodes[0]+" error") {
		t.Errorf("messages have %v", got)
	}

	// Without an acceptMatch every finding rejects.
	strict := cutBetween(c.Source, "<acceptMatch>", "</acceptMatch>", "")
	without, err := kosit.Load(s.Library(), strict)
	if err != nil {
		t.Fatal(err)
	}
	if result, _ := check(t, without, s, base(t, "base-ubl.xml")); result.Accepted() != result.SchematronValid {
		t.Errorf("accepted %v, Schematron valid %v", result.Accepted(), result.SchematronValid)
	}
}

// cutBetween replaces everything from one text to another.
func cutBetween(data []byte, from, to, with string) []byte {
	var out bytes.Buffer
	for {
		start := bytes.Index(data, []byte(from))
		if start < 0 {
			out.Write(data)
			return out.Bytes()
		}
		end := start + bytes.Index(data[start:], []byte(to)) + len(to)
		out.Write(data[:start])
		out.WriteString(with)
		data = data[end:]
	}
}

// Whatever is foreign in a configuration is refused, with the scenario and the reason.
func TestForeign(t *testing.T) {
	s := open(t)
	source := string(builtIn(t, s).Source)
	for name, tt := range map[string]struct{ old, new, want string }{
		"Schematron":  {"EN16931-CII-validation.xsl", "mine.xsl", "EN16931 XRechnung (CII): validateWithSchematron: \"resources/cii/16b/xsl/mine.xsl\" is foreign"},
		"schema":      {"UBL-Invoice-2.1.xsd", "mine.xsd", "validateWithXmlSchema: \"resources/ubl/2.1/xsd/maindoc/mine.xsd\" is not known here"},
		"report":      {"xrechnung-report.xsl", "mine.xsl", "createReport: \"resources/mine.xsl\" makes reports of a form that is not known here"},
		"profile":     {xrID + "&#39;", "urn:mine&#39;", "asks for no specification identifier (BT-24) of a profile that is known"},
		"accept":      {"<acceptMatch>/rep:report", "<acceptMatch>count(/rep:report", "acceptMatch: "},
		"match":       {"<match>exists(", "<match>every $x in (", "match: it is not understood"},
		"namespace":   {">urn:oasis:names:specification:ubl:schema:xsd:Invoice-2<", ">urn:mine<", "match: its prefix ubl stands for \"urn:mine\""},
		"level":       {`level="warning"`, `level="severe"`, "customLevel: the level \"severe\" is unknown"},
		"other rules": {"XRechnung-UBL-validation.xsl", "XRechnung-CII-validation.xsl", "XRechnung-CII-validation.xsl is for CII, and the schema UBL-Invoice-2.1.xsd for UBL"},
		"element":     {"validateWithSchematron>", "validateWithSchematrn>", "the element \"validateWithSchematrn\" is not known there"},
		"place":       {`<customLevel level="warning">`, `<levels/><customLevel level="warning">`, "createReport: the element \"levels\" is not known there"},
		"no XML":      {"<scenarios ", "<scenario ", "this is not a scenarios.xml"},
	} {
		edited := strings.ReplaceAll(source, tt.old, tt.new)
		if edited == source {
			t.Fatalf("%s: there is no %q", name, tt.old)
		}
		_, err := kosit.Load(s.Library(), []byte(edited))
		told, ok := errors.AsType[*problem.Error](err)
		if !ok || told.Code != kosit.CodeScenarios || told.Remedy == "" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\nlacks %q", name, err, tt.want)
		}
	}
	if _, err := kosit.Load(s.Library(), bytes.Repeat([]byte(" "), kosit.MaxScenarios+1)); err == nil {
		t.Error("scenarios of any size are taken")
	}
}

// A document that several scenarios match has none.
func TestSeveralScenarios(t *testing.T) {
	s := open(t)
	c := builtIn(t, s)
	twice := kosit.Join(c, c)
	result, r := check(t, twice, s, base(t, "base-ubl.xml"))
	if result.Accepted() || r.None == nil {
		t.Errorf("%+v", r)
	}
	if len(c.Scenarios) == len(twice.Scenarios) {
		t.Error("Join changed its argument")
	}
}

// The configuration that KoSIT publishes loads as it is, where its folder is given.
func TestPublishedConfiguration(t *testing.T) {
	if *reportXSD == "" {
		t.Skip("no configuration is given with -report-xsd")
	}
	file := filepath.Join(filepath.Dir(*reportXSD), "..", "scenarios.xml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no scenarios.xml beside the folder of report.xsd: " + err.Error())
	}
	s := open(t)
	published, err := kosit.Load(s.Library(), data)
	if err != nil {
		t.Fatal(err)
	}
	own := builtIn(t, s)
	var names, ours []string
	for _, scenario := range published.Scenarios {
		names = append(names, scenario.Name)
	}
	for _, scenario := range own.Scenarios {
		ours = append(ours, scenario.Name)
	}
	if !slices.Equal(names, ours) {
		t.Errorf("built in are %v, published %v", ours, names)
	}
	check(t, published, s, base(t, "base-ubl.xml"))
}

// BenchmarkCheck is a whole check with its report.
func BenchmarkCheck(b *testing.B) {
	s := open(b)
	c := builtIn(b, s)
	data := base(b, "base-ubl.xml")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Check(context.Background(), s, kosit.Input{Name: "a.xml", Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
