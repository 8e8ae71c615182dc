package kosit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/validate"
)

// The levels of messages in reports, and of custom levels.
const (
	levelError       = "error"
	levelWarning     = "warning"
	levelInformation = "information"
)

var levels = []string{levelError, levelWarning, levelInformation}

// levelOf is the word of reports for a level.
func levelOf(l engine.Level) string {
	switch l {
	case engine.Fatal:
		return levelError
	case engine.Warning:
		return levelWarning
	}
	return levelInformation
}

// The steps of a check, as reports name them. The Schematron files count from 1.
const (
	stepSchema     = "val-xsd"
	stepSchematron = "val-sch."
	stepXML        = "val-xml"
)

// A Recommendation is what becomes of a document.
type Recommendation string

// The recommendations.
const (
	Acceptable Recommendation = "ACCEPTABLE"
	Reject     Recommendation = "REJECT"
)

// An Input is a document to check.
type Input struct {
	Name string // as reports refer to it
	Data []byte
}

// A Result is the outcome of checking one document.
type Result struct {
	Name     string
	Scenario string // "" where none matched
	// Processed reports whether the document could be looked at: one that is not well-formed
	// XML could not.
	Processed       bool
	Recommendation  Recommendation
	SchemaValid     bool
	SchematronValid bool // every Schematron file was run and reports nothing
	Steps           []Step
	Report          []byte // in VARL
	HTML            []byte // the page that the report contains

	data  []byte // of the document
	began time.Time
}

// A Step is what one part of the check found.
type Step struct {
	ID       string
	Resource []xmlResource
	Messages []Message
}

// A Message is one finding.
type Message struct {
	ID           string
	Code         string // of the rule
	Level        string // error, warning or information, as the rule has it
	CustomLevel  string // the level that decides
	Line, Column int    // from 1; 0 where not known
	Location     string // XPath; "" where not known
	Text         string
}

// Valid reports whether no message is an error or a warning.
func (s *Step) Valid() bool {
	return !slices.ContainsFunc(s.Messages, func(m Message) bool { return m.Level != levelInformation })
}

// Accepted reports whether the document is acceptable.
func (r *Result) Accepted() bool { return r.Processed && r.Recommendation == Acceptable }

// Check checks a document. What is wrong with it, and that it cannot be read, is in the
// result; an error is one of the check itself, such as the end of the context.
func (c *Configuration) Check(ctx context.Context, s *validate.Service, in Input) (*Result, error) {
	r := &Result{Name: in.Name, Processed: true, Recommendation: Reject, data: in.Data, began: time.Now()}
	about := &subject{}
	received, err := s.Receive(ctx, in.Data, validate.Accept{})
	if told, ok := errors.AsType[*problem.Error](err); ok {
		r.Steps = []Step{{ID: stepXML}}
		if !slices.Contains(readCatalogue().OtherDocuments, told.Code) {
			r.Processed = false
			r.Steps[0].Messages = []Message{unreadable(told, c.Language)}
		}
		return r, c.write(r, about)
	}
	if err != nil {
		return nil, err
	}
	about.document = received.Document
	if about.scenario, err = c.scenario(ctx, received.Document); err != nil {
		return nil, err
	}
	if about.scenario == nil {
		r.Steps = []Step{{ID: stepXML}}
		return r, c.write(r, about)
	}
	if err := about.scenario.check(ctx, s, received.Document, c.Language, r); err != nil {
		return nil, err
	}
	return r, c.write(r, about)
}

// unreadable is the message for a document that cannot be read.
func unreadable(e *problem.Error, language *words.Language) Message {
	text := language.Say(e.Message)
	if e.Remedy != "" {
		text += language.Say("; ") + language.Say(e.Remedy)
	}
	return Message{
		ID: stepXML + ".1", Code: "generic-error", Level: levelError, CustomLevel: levelError,
		Line: e.Position.Line, Column: e.Position.Column, Text: fmt.Sprintf("%s [%s]", text, e.Code),
	}
}

// scenario is the one that a document matches; nil if none does, or more than one.
func (c *Configuration) scenario(ctx context.Context, doc *model.Document) (*Scenario, error) {
	var found *Scenario
	for _, s := range c.Scenarios {
		matches, err := s.match.of(ctx, doc)
		if err != nil {
			return nil, fmt.Errorf("match of scenario %s: %w", s.Name, err)
		}
		if matches && found != nil {
			return nil, nil
		}
		if matches {
			found = s
		}
	}
	return found, nil
}

// check runs the rules of the scenario. Where the XML schema is violated, its findings are
// all there is to say: the Schematron files are not run then.
func (s *Scenario) check(ctx context.Context, with *validate.Service, doc *model.Document, language *words.Language, r *Result) error {
	own, err := s.own(with.Library())
	if err != nil {
		return err
	}
	refs := make([]string, len(s.schematron))
	for i, c := range s.schematron {
		refs[i] = c.ruleset
	}
	result, err := with.ValidateDocument(ctx, doc, validate.Rules{Rulesets: append(refs, own.rulesets...), Overlays: own.overlays})
	if err == nil {
		err = result.Report.Translate(language)
	}
	if err != nil {
		return err
	}
	r.Scenario = s.Name
	r.SchemaValid = result.Report.SchemaValid != nil && *result.Report.SchemaValid
	steps := []Step{{ID: stepSchema, Resource: []xmlResource{s.schema}}}
	if r.SchemaValid {
		for i, c := range s.schematron {
			steps = append(steps, Step{ID: fmt.Sprint(stepSchematron, i+1), Resource: []xmlResource{c.resource}})
		}
		for _, info := range result.Report.Rulesets[len(s.schematron):] {
			steps = append(steps, Step{ID: fmt.Sprint(stepSchematron, len(steps)), Resource: []xmlResource{resourceOf(info)}})
		}
	}
	place, err := s.places(with.Library(), result.Report)
	if err != nil {
		return err
	}
	for i := range result.Report.Findings {
		f := &result.Report.Findings[i]
		if at := place(f.Layer, f.Rule); at < len(steps) {
			s.addFinding(&steps[at], f)
		}
	}
	for _, o := range result.Report.Omitted {
		if at := place(o.Layer, o.Rule); at < len(steps) {
			s.add(&steps[at], o.Decided, o.PublishedLevel, Message{Code: o.Rule, Level: levelOf(o.Level), Text: language.Say(fmt.Sprintf("Further findings of this rule, which are not listed: %d.", o.Count))})
		}
	}
	r.Steps = append(steps, Step{ID: stepXML})
	r.SchematronValid = r.SchemaValid && !slices.ContainsFunc(steps[1:], func(s Step) bool { return len(s.Messages) > 0 })
	if s.accepts(r) {
		r.Recommendation = Acceptable
	}
	return nil
}

// places tells in which step a finding belongs: 0 is the schema, others are those of the
// Schematron files and of the rulesets after them. What no rule finds, such as that a table is
// not up to date, is in the last of them.
func (s *Scenario) places(library *engine.Library, report *engine.Report) (func(engine.Layer, string) int, error) {
	sets := make([]*engine.Ruleset, len(report.Rulesets))
	for i, info := range report.Rulesets {
		var err error
		if sets[i], err = library.Ruleset(info.Name + "/" + info.Version); err != nil {
			return nil, err
		}
	}
	return func(layer engine.Layer, rule string) int {
		if layer == engine.LayerSchema {
			return 0
		}
		for i, set := range sets {
			if _, has := set.Rule(rule); has {
				return 1 + i
			}
		}
		return len(sets)
	}, nil
}

// addFinding appends the messages of a finding: one of the schema is one for each
// constraint that it violates, as the validator has them.
func (s *Scenario) addFinding(step *Step, f *engine.Finding) {
	m := Message{Code: f.Rule, Level: levelOf(f.Level), Text: f.Message, Location: locate(f.Location)}
	if f.Line != nil && f.Column != nil {
		m.Line, m.Column = *f.Line, *f.Column
	}
	if f.Constraints == nil {
		m.Text = fmt.Sprintf("[%s]-%s", f.Rule, m.Text) // as the published rules begin; clients show the text alone
		s.add(step, f.Decided, f.PublishedLevel, m)
		return
	}
	m.Text = fmt.Sprintf("%s [%s]", m.Text, f.Rule)
	for _, constraint := range f.Constraints {
		m.Code = constraint
		s.add(step, f.Decided, f.PublishedLevel, m)
	}
}

// add appends a message, with its id and the level that decides: that of an overlay of one's own,
// which may have changed the published one, else the custom level of the scenario.
func (s *Scenario) add(step *Step, isOwn bool, published engine.Level, m Message) {
	m.ID = fmt.Sprintf("%s.%d", step.ID, len(step.Messages)+1)
	m.CustomLevel = m.Level
	if custom, ok := s.levels[m.Code]; ok && !isOwn {
		m.CustomLevel = custom
	}
	if published != "" {
		m.Level = levelOf(published)
	}
	step.Messages = append(step.Messages, m)
}

// accepts decides. Without an acceptMatch any finding of a rule rejects, whatever its
// level; with it, the custom levels decide.
func (s *Scenario) accepts(r *Result) bool {
	if !s.acceptMatch {
		return r.SchemaValid && r.SchematronValid
	}
	return !slices.ContainsFunc(r.Steps, func(step Step) bool {
		return slices.ContainsFunc(step.Messages, func(m Message) bool { return m.CustomLevel == levelError })
	})
}

// Descriptions are the messages of all steps, for a summary: errors first.
func (r *Result) Descriptions() []string {
	var texts []string
	for _, level := range levels {
		for _, step := range r.Steps {
			for _, m := range step.Messages {
				if m.CustomLevel != level {
					continue
				}
				text := strings.TrimSpace(m.Text)
				if !strings.HasPrefix(text, "["+m.Code+"]") {
					text = fmt.Sprintf("[%s] %s", m.Code, text)
				}
				texts = append(texts, text)
			}
		}
	}
	return texts
}
