package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model/source"
	"einvoice/service/verdict"
)

// The parts of SVRL, the report language of ISO Schematron, that are used.
type (
	svrlOutput struct {
		XMLName  xml.Name       `xml:"svrl:schematron-output"`
		NS       string         `xml:"xmlns:svrl,attr"`
		Title    string         `xml:"title,attr"`
		Version  string         `xml:"schemaVersion,attr,omitempty"`
		Text     []string       `xml:"svrl:text"`
		Prefixes []svrlPrefix   `xml:"svrl:ns-prefix-in-attribute-values"`
		Patterns []*svrlPattern // active-pattern, fired-rule and failed-assert stand side by side
	}
	svrlPrefix struct {
		URI    string `xml:"uri,attr"`
		Prefix string `xml:"prefix,attr"`
	}
	svrlPattern struct {
		XMLName xml.Name `xml:"svrl:active-pattern"`
		ID      string   `xml:"id,attr"`
		Name    string   `xml:"name,attr"`

		fired   []svrlFired
		asserts []svrlAssert
	}
	svrlFired struct {
		XMLName xml.Name `xml:"svrl:fired-rule"`
		Context string   `xml:"context,attr"`
	}
	svrlAssert struct {
		XMLName  xml.Name `xml:"svrl:failed-assert"`
		ID       string   `xml:"id,attr"`
		Flag     string   `xml:"flag,attr"`
		Location string   `xml:"location,attr"`
		Test     string   `xml:"test,attr"`
		Whose    *svrlDiagnostic
		Text     string `xml:"svrl:text"`
	}
	// svrlDiagnostic says whose a finding is.
	svrlDiagnostic struct {
		XMLName    xml.Name `xml:"svrl:diagnostic-reference"`
		Diagnostic string   `xml:"diagnostic,attr"`
		Text       string   `xml:",chardata"`
	}
)

// MarshalXML writes the pattern and, behind it, what it found: SVRL is flat.
func (p *svrlPattern) MarshalXML(e *xml.Encoder, _ xml.StartElement) error {
	type bare svrlPattern
	if err := e.Encode((*bare)(p)); err != nil {
		return err
	}
	for i := range p.asserts {
		if err := e.Encode(p.fired[i]); err != nil {
			return err
		}
		if err := e.Encode(p.asserts[i]); err != nil {
			return err
		}
	}
	return nil
}

var errOneDocument = errors.New("SVRL reports one document; name one file, or use another format such as jsonl")

// svrlWriter writes the SVRL of one document: SVRL has no form for several.
type svrlWriter struct {
	w         io.Writer
	options   Options
	documents int
}

func newSVRL(w io.Writer, options Options) Writer { return &svrlWriter{w: w, options: options} }

func (s *svrlWriter) Encode(o *Outcome) (Part, error) {
	if o.Err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, o.Err)
	}
	return xml.MarshalIndent(s.output(o), "", "  ")
}

func (s *svrlWriter) Write(part Part) error {
	if s.documents++; s.documents > 1 {
		return errOneDocument
	}
	_, err := fmt.Fprintf(s.w, "%s%s\n", xml.Header, part.([]byte))
	return err
}

func (s *svrlWriter) Close(*Summary) error { return nil }

func (s *svrlWriter) output(o *Outcome) *svrlOutput {
	out := &svrlOutput{NS: "http://purl.oclc.org/dsdl/svrl", Title: verdict.Rules(o.Report), Text: []string{verdict.Sentence(o.Report, s.options.Words)}}
	for _, line := range chosenRules(o.Report) {
		out.Text = append(out.Text, s.options.Words.Say(line))
	}
	for _, prefix := range slices.Sorted(maps.Keys(source.Prefixes)) {
		out.Prefixes = append(out.Prefixes, svrlPrefix{URI: source.Prefixes[prefix], Prefix: prefix})
	}
	versions := make([]string, 0, len(o.Report.Rulesets))
	for _, r := range o.Report.Rulesets {
		versions = append(versions, r.Name+" "+r.Version)
		out.Patterns = append(out.Patterns, &svrlPattern{ID: r.Name + "-" + r.Version, Name: exactly(&r) + ", sha256 " + r.SHA256})
		if newer := notNewest(&r); newer != "" {
			out.Text = append(out.Text, s.options.Words.Say(newer))
		}
	}
	out.Version = strings.Join(versions, ", ")
	other := &svrlPattern{ID: "schema", Name: "XML schema and profile"}
	shown := s.options.findings(o)
	if more := notShown(o, len(shown), s.options.Words); more != "" {
		out.Text = append(out.Text, more)
	}
	for _, f := range shown {
		context, test, pattern := s.test(o.Report, &f)
		into := other
		if i := slices.IndexFunc(out.Patterns, func(p *svrlPattern) bool { return p.ID == pattern }); i >= 0 {
			into = out.Patterns[i]
		}
		location := f.Location
		if location == "" {
			location = "/"
		}
		into.fired = append(into.fired, svrlFired{Context: context})
		assert := svrlAssert{ID: f.Rule, Flag: string(f.Level), Location: location, Test: test, Text: "[" + f.Rule + "] " + f.Message}
		if whose := provenanceOn(o.Report, &f, s.options.Words); whose != "" {
			assert.Whose = &svrlDiagnostic{Diagnostic: "overlay-" + strings.ReplaceAll(f.Overlay, ", ", "-"), Text: whose}
		}
		into.asserts = append(into.asserts, assert)
	}
	out.Patterns = append(out.Patterns, other)
	return out
}

// test is what a finding's rule looks at and asks, in the rule language.
func (s *svrlWriter) test(report *engine.Report, f *engine.Finding) (context, test, pattern string) {
	r, set := s.options.rule(report, f.Rule)
	if r == nil {
		return "/", f.Raw, "schema"
	}
	context, test = "/", r.Text
	if r.Context.Value != "" {
		context = r.Context.Value
	}
	if r.Assert.Value != "" {
		test = r.Assert.Value
	}
	return context, test, set.Name + "-" + set.Version
}
