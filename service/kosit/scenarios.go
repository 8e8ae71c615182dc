package kosit

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats/xmlfile"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// CodeScenarios is the code of the error for a configuration that cannot take effect here.
const CodeScenarios = "KOSIT-SCENARIOS"

// MaxScenarios is the most bytes of a scenarios.xml.
const MaxScenarios = 4 << 20

// A Configuration is the scenarios by which documents are checked. It never changes, and
// any number of goroutines may use it.
type Configuration struct {
	Name, Author, Date string
	Scenarios          []*Scenario
	Source             []byte // the scenarios.xml
	// Language is that of messages in reports; nil for English.
	Language *words.Language
}

// A Scenario is what documents of one kind are checked against.
type Scenario struct {
	Name string

	match       *match
	schema      xmlResource
	schematron  []check
	profile     string            // its id
	levels      map[string]string // custom levels in the words of reports, by rule
	acceptMatch bool
	quoted      []byte // the scenario, as reports cite it
}

// A check is one Schematron file with the ruleset that has its rules.
type check struct {
	resource xmlResource
	ruleset  string // family/version
}

// The parts of scenarios.xml.
type (
	xmlScenarios struct {
		XMLName   xml.Name      `xml:"http://www.xoev.de/de/validator/framework/1/scenarios scenarios"`
		Name      string        `xml:"name"`
		Author    string        `xml:"author"`
		Date      string        `xml:"date"`
		Scenarios []xmlScenario `xml:"scenario"`
	}
	xmlScenario struct {
		Name       string         `xml:"name"`
		Namespaces []xmlNamespace `xml:"namespace"`
		Match      string         `xml:"match"`
		Schemas    []xmlResource  `xml:"validateWithXmlSchema>resource"`
		Schematron []xmlResource  `xml:"validateWithSchematron>resource"`
		Report     xmlReport      `xml:"createReport"`
		Accept     string         `xml:"acceptMatch"`
		About      xmlOther       `xml:"description"`
		Others     []xmlOther     `xml:",any"`
		Inner      []byte         `xml:",innerxml"`
	}
	xmlOther struct {
		XMLName xml.Name
	}
	xmlNamespace struct {
		Prefix string `xml:"prefix,attr"`
		URI    string `xml:",chardata"`
	}
	xmlResource struct {
		Name     string `xml:"name"`
		Location string `xml:"location"`
	}
	xmlReport struct {
		Resource xmlResource `xml:"resource"`
		Levels   []xmlLevel  `xml:"customLevel"`
		Others   []xmlOther  `xml:",any"`
	}
	xmlLevel struct {
		Level string `xml:"level,attr"`
		Rules string `xml:",chardata"`
	}
)

// Load reads a scenarios.xml. Each scenario has to be for documents of one known profile
// and to consist of files that are known here; a configuration with anything else is
// refused as a whole, with all reasons: documents would be rejected, or accepted, for want
// of a scenario. The files themselves are not read.
func Load(library *engine.Library, data []byte) (*Configuration, error) {
	if len(data) > MaxScenarios {
		return nil, &problem.Error{Code: CodeScenarios, Message: fmt.Sprintf("the scenarios have %d bytes, more than the %d that are taken", len(data), MaxScenarios)}
	}
	var parsed xmlScenarios
	if err := xmlfile.Unmarshal(data, &parsed); err != nil {
		if errors.Is(err, io.EOF) { // nothing but blanks and comments
			err = errors.New("it has no element")
		}
		return nil, &problem.Error{
			Code: CodeScenarios, Message: fmt.Sprintf("this is not a scenarios.xml: %s", quote.Shorten(err.Error(), quote.Most)),
			Remedy: "name the scenarios.xml of the validator's configuration", Cause: err,
		}
	}
	c := &Configuration{Name: oneLine(parsed.Name), Author: oneLine(parsed.Author), Date: oneLine(parsed.Date), Source: data}
	var faults []error
	for i := range parsed.Scenarios {
		s, err := newScenario(library, &parsed.Scenarios[i])
		if err != nil {
			faults = append(faults, fmt.Errorf("  %s: %w", oneLine(parsed.Scenarios[i].Name), err))
			continue
		}
		c.Scenarios = append(c.Scenarios, s)
	}
	if len(parsed.Scenarios) == 0 {
		faults = append(faults, errors.New("  there is no scenario"))
	}
	if len(faults) > 0 {
		return nil, &problem.Error{
			Code: CodeScenarios, Message: "the configuration cannot take effect here:\n" + errors.Join(faults...).Error() + "\n",
			Remedy: "rules of your own become rulesets (rules in YAML, --rulesets); take such scenarios out, or leave out the file for the scenarios of XRechnung", Cause: errors.Join(faults...),
		}
	}
	return c, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// newScenario understands a scenario as a profile.
func newScenario(library *engine.Library, x *xmlScenario) (*Scenario, error) {
	if err := foreign("", x.Others); err != nil {
		return nil, err
	}
	if err := foreign("createReport: ", x.Report.Others); err != nil {
		return nil, err
	}
	known := readCatalogue()
	prefixes := map[string]string{}
	for _, n := range x.Namespaces {
		prefixes[n.Prefix] = strings.TrimSpace(n.URI)
	}
	s := &Scenario{Name: oneLine(x.Name), levels: map[string]string{}}
	var err error
	if s.match, err = newMatch(strings.TrimSpace(x.Match), prefixes); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	profile, err := profileIn(library, s.match.literals)
	if err != nil {
		return nil, err
	}
	s.profile = profile.ID
	schema, err := only(x.Schemas, known.Schemas)
	if err != nil {
		return nil, err
	}
	s.schema = x.Schemas[0].trimmed()
	if s.schematron, err = checks(x.Schematron, schema, profile); err != nil {
		return nil, err
	}
	if at := strings.TrimSpace(x.Report.Resource.Location); at != "" && find(known.Reports, at) == nil {
		return nil, fmt.Errorf("createReport: %s makes reports of a form that is not known here; known are %s", quote.Value(at), names(known.Reports))
	}
	switch accept := strings.Join(strings.Fields(x.Accept), ""); accept {
	case "", known.AcceptMatch:
		s.acceptMatch = accept != ""
	default:
		return nil, fmt.Errorf("acceptMatch: %s is not understood; %s and none are", quote.Value(oneLine(x.Accept)), known.AcceptMatch)
	}
	for _, l := range x.Report.Levels {
		if !slices.Contains(levels, l.Level) {
			return nil, fmt.Errorf("customLevel: the level %s is unknown; use one of %s", quote.Value(l.Level), strings.Join(levels, ", "))
		}
		for _, rule := range strings.Fields(l.Rules) {
			s.levels[rule] = l.Level
		}
	}
	s.quoted, err = quoteScenario(x.Inner)
	return s, err
}

// foreign refuses elements that a scenario does not have, or not there: a misspelt one may be a
// check that would be left out.
func foreign(where string, others []xmlOther) error {
	if len(others) == 0 {
		return nil
	}
	return fmt.Errorf("%sthe element %s is not known there", where, quote.Value(others[0].XMLName.Local))
}

func (r *xmlResource) trimmed() xmlResource {
	return xmlResource{oneLine(r.Name), strings.TrimSpace(r.Location)}
}

// profileIn is the one profile whose identifier is among the literals of a match.
func profileIn(library *engine.Library, literals []string) (*engine.Profile, error) {
	profiles, err := library.Profiles()
	if err != nil {
		return nil, err
	}
	var found []*engine.Profile
	for _, p := range profiles {
		if slices.ContainsFunc(p.SpecificationIDs, func(id string) bool { return slices.Contains(literals, id) }) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, errors.New("match: it asks for no specification identifier (BT-24) of a profile that is known here")
	}
	return nil, fmt.Errorf("match: it asks for several profiles, %s and %s among them; write a scenario for each", found[0].Name, found[1].Name)
}

// only is the one known schema that a scenario has.
func only(given []xmlResource, known []resource) (*resource, error) {
	if len(given) != 1 {
		return nil, fmt.Errorf("validateWithXmlSchema: it has %d resources; one is understood", len(given))
	}
	found := find(known, given[0].Location)
	if found == nil {
		return nil, fmt.Errorf("validateWithXmlSchema: %s is not known here; known are %s", quote.Value(strings.TrimSpace(given[0].Location)), names(known))
	}
	return found, nil
}

// checks finds the rulesets of Schematron files.
func checks(given []xmlResource, schema *resource, profile *engine.Profile) ([]check, error) {
	known := readCatalogue().Schematron
	all := make([]check, len(given))
	for i := range given {
		location := strings.TrimSpace(given[i].Location)
		found := find(known, location)
		switch {
		case found == nil:
			return nil, fmt.Errorf("validateWithSchematron: %s is foreign: Schematron is not run here, and only the rules of %s are built in", quote.Value(location), names(known))
		case found.Syntax != schema.Syntax:
			return nil, fmt.Errorf("validateWithSchematron: %s is for %s, and the schema %s for %s", found.File, found.Syntax.Label(), schema.File, schema.Syntax.Label())
		}
		at := slices.IndexFunc(profile.Rulesets, func(ref string) bool { return ref == found.Family || strings.HasPrefix(ref, found.Family+"/") })
		if at < 0 {
			return nil, fmt.Errorf("validateWithSchematron: %s is not part of the profile %s", found.File, profile.Name)
		}
		all[i] = check{given[i].trimmed(), profile.Rulesets[at]}
		if slices.ContainsFunc(all[:i], func(c check) bool { return c.ruleset == all[i].ruleset }) {
			return nil, fmt.Errorf("validateWithSchematron: %s is given twice", found.File)
		}
	}
	return all, nil
}

// quoteScenario copies a scenario with the prefix that reports have for it. Comments are
// left out.
func quoteScenario(inner []byte) ([]byte, error) {
	var out bytes.Buffer
	d := xml.NewDecoder(bytes.NewReader(inner))
	out.WriteString("<s:scenario>")
	for {
		token, err := d.RawToken()
		switch t := token.(type) {
		case xml.StartElement:
			out.WriteString("<s:" + t.Name.Local)
			for _, a := range t.Attr {
				if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
					continue
				}
				out.WriteString(" " + a.Name.Local + `="`)
				_ = xml.EscapeText(&out, []byte(a.Value)) // a Buffer takes everything
				out.WriteByte('"')
			}
			out.WriteByte('>')
		case xml.EndElement:
			out.WriteString("</s:" + t.Name.Local + ">")
		case xml.CharData:
			out.WriteString(escape(string(t)))
		}
		if token == nil {
			out.WriteString("</s:scenario>")
			if err.Error() == "EOF" {
				return out.Bytes(), nil
			}
			return nil, err
		}
	}
}

// Join makes one configuration of several: a document may match a scenario of any. What
// it is called, and its source, are those of the first.
func Join(all ...*Configuration) *Configuration {
	joined := *all[0]
	for _, c := range all[1:] {
		joined.Scenarios = append(slices.Clip(joined.Scenarios), c.Scenarios...)
	}
	return &joined
}
