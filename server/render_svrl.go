package server

import (
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model/source"
)

// The parts of SVRL, the report language of ISO Schematron, that are used.
type (
	svrlOutput struct {
		XMLName  xml.Name       `xml:"svrl:schematron-output"`
		NS       string         `xml:"xmlns:svrl,attr"`
		Title    string         `xml:"title,attr"`
		Version  string         `xml:"schemaVersion,attr,omitempty"`
		Text     string         `xml:"svrl:text"`
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
		Text     string   `xml:"svrl:text"`
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

func renderSVRL(x *exchange, v *validation) error {
	out := svrlOutput{NS: "http://purl.oclc.org/dsdl/svrl", Title: v.report().Profile, Text: v.verdict()}
	for _, prefix := range slices.Sorted(maps.Keys(source.Prefixes)) {
		out.Prefixes = append(out.Prefixes, svrlPrefix{URI: source.Prefixes[prefix], Prefix: prefix})
	}
	versions := make([]string, 0, len(v.report().Rulesets))
	for _, s := range v.report().Rulesets {
		versions = append(versions, s.Name+" "+s.Version)
		out.Patterns = append(out.Patterns, &svrlPattern{ID: s.Name + "-" + s.Version, Name: s.Name + " " + s.Version + ", sha256 " + s.SHA256})
	}
	out.Version = strings.Join(versions, ", ")
	other := &svrlPattern{ID: "schema", Name: "XML schema and profile"}
	for _, f := range v.findings() {
		context, test, pattern := svrlTest(v, &f)
		into := other
		if i := slices.IndexFunc(out.Patterns, func(p *svrlPattern) bool { return p.ID == pattern }); i >= 0 {
			into = out.Patterns[i]
		}
		location := f.Location
		if location == "" {
			location = "/"
		}
		into.fired = append(into.fired, svrlFired{Context: context})
		into.asserts = append(into.asserts, svrlAssert{ID: f.Rule, Flag: string(f.Level), Location: location, Test: test, Text: "[" + f.Rule + "] " + f.Message})
	}
	out.Patterns = append(out.Patterns, other)
	body, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	return x.send(v.status(), "application/xml", append([]byte(xml.Header), append(body, '\n')...))
}

// svrlTest is what a finding's rule looks at and asks, in the rule language.
func svrlTest(v *validation, f *engine.Finding) (context, test, pattern string) {
	r, set := v.book.rule(v.report(), f.Rule)
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
