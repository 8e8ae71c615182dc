package workbench

import (
	"context"
	"errors"
	"sort"
	"strings"
	"unicode/utf8"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/source"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/validate"
	"einvoice/service/verdict"
	"einvoice/service/write"
)

// CheckRequest asks for the verdict on a document.
type CheckRequest struct {
	Settings
	Given
}

// Checked is the verdict on a document, with the places of what is wrong with it.
type Checked struct {
	// Valid is false where a rule of level fatal is violated, and where the document could
	// not be read.
	Valid   bool   `json:"valid"`
	Verdict string `json:"verdict"` // a sentence
	// Source is the document as a text to edit, which all places are in: the XML of a file, or
	// the request's text with plain ends of lines and declared as UTF-8. It is "" where the
	// request's text is that already.
	Source     string `json:"source"`
	Kind       string `json:"kind"` // ubl, cii, json ...; "" for what could not be read
	Attachment string `json:"attachment,omitempty"`
	Profile    string `json:"profile"`
	// Number, Seller, IssueDate and Payable are what people know an invoice by.
	Number    string               `json:"number"`
	Seller    string               `json:"seller"`
	IssueDate string               `json:"issueDate"`
	Payable   string               `json:"payable"`
	Counts    engine.Counts        `json:"counts"`
	Findings  []Finding            `json:"findings"`
	Omitted   int                  `json:"omitted"` // findings beyond those of the answer
	Rulesets  []engine.RulesetInfo `json:"rulesets"`
	RulesRun  int                  `json:"rulesRun"`
	Overlays  []engine.OverlayInfo `json:"overlays"`
	Date      *engine.DecidingDate `json:"date,omitempty"`
	Digest    string               `json:"digest"`
	// Problem is why the document could not be read; null where it could.
	Problem *Problem `json:"problem,omitempty"`
}

// Finding is a finding with its place in the text.
type Finding struct {
	*engine.Finding
	Span *Span `json:"span"` // null where it is nowhere in the text
}

// Problem is why a document cannot be read.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Span    *Span  `json:"span"`
}

// mostFindings bounds one answer.
const mostFindings = 2000

func (d *Desk) check(ctx context.Context, r *CheckRequest) (*Checked, error) {
	desk, language, err := d.asked(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	rules, err := desk.rulesOf(&r.Settings)
	if err != nil {
		return nil, err
	}
	var c *Checked
	if r.isJSON() {
		c, err = desk.checkJSON(ctx, r, language)
	} else {
		c, err = desk.checkXML(ctx, &r.Given, rules, language)
	}
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Field != "profile" {
		c, err = unreadable(r, e, language), nil
	}
	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		c, err = mistaken(editable(string(r.bytes())), e, language), nil
	}
	if c != nil && c.Source == r.Text {
		c.Source = ""
	}
	return c, err
}

func (d *Desk) checkXML(ctx context.Context, g *Given, rules validate.Rules, language *words.Language) (*Checked, error) {
	received, err := d.receive(ctx, g)
	if err != nil {
		return nil, err
	}
	doc := received.Document
	if e := withoutRules(doc); e != nil {
		c := refused(problemOf(e, language), doc.Source.Data)
		c.Kind, c.Attachment = string(doc.Syntax), doc.Attachment
		c.know(doc.Invoice)
		return c, nil
	}
	result, err := d.service.ValidateReceived(ctx, received, rules)
	if err != nil {
		return nil, err
	}
	c, err := judged(result.Report, language)
	if err != nil {
		return nil, err
	}
	c.Source, c.Kind, c.Attachment = doc.Source.Data, string(doc.Syntax), doc.Attachment
	c.know(doc.Invoice)
	locate(c.Findings, doc.Source)
	return c, nil
}

// withoutRules is why a document cannot be judged that can be read; nil for one that can.
func withoutRules(doc *model.Document) *problem.Error {
	name := formats.LegacyName(doc)
	if name == "" {
		return nil
	}
	return &problem.Error{Code: problem.CodeLegacy, Message: "the document is in " + name + ", for which there are no rules", Remedy: "transform it to a current format"}
}

// checkJSON judges an invoice in JSON as create does, so that places are those of its
// members.
func (d *Desk) checkJSON(ctx context.Context, r *CheckRequest, language *words.Language) (*Checked, error) {
	text := editable(string(r.bytes()))
	judgement, invoice, err := d.judgeJSON(ctx, &r.Settings, text)
	if err != nil {
		return nil, err
	}
	c, err := judged(judgement, language)
	if err != nil {
		return nil, err
	}
	c.Source, c.Kind = text, "json"
	c.know(invoice)
	members, at := membersOf(ctx, text), newSpans(text)
	for _, e := range members {
		at.ask(e.from)
		at.ask(e.to)
	}
	at.walk()
	for i := range c.Findings {
		for _, field := range c.Findings[i].Fields {
			if e, ok := members[field]; ok {
				c.Findings[i].Span = &Span{at.of(e.from), at.of(e.to)}
				break
			}
		}
	}
	return c, nil
}

// judgeJSON judges an invoice in JSON as create does, and completes it. The profile of the
// settings is that of the request, unless it chooses one itself.
func (d *Desk) judgeJSON(ctx context.Context, s *Settings, text string) (*engine.Report, *model.Invoice, error) {
	request, err := readRequest(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	if request.Options == nil {
		request.Options = &write.Options{}
	}
	request.Options.Language = model.NewText("en")
	if s.Profile != "" && !request.Options.Profile.Present {
		request.Options.Profile = model.NewText(s.Profile)
	}
	created, err := create.Document(ctx, d.service.Pages, catalogue.ToCreate()[0], request)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		return refused.Report, refused.Invoice, nil
	}
	if options, ok := errors.AsType[*problem.WrongOptions](err); ok {
		return nil, nil, wrong("profile", options.Wrong[0].Message, options.Wrong[0].Remedy)
	}
	if err != nil {
		return nil, nil, err
	}
	return created.Report, created.Invoice, nil
}

func judged(r *engine.Report, language *words.Language) (*Checked, error) {
	if err := r.Translate(language); err != nil {
		return nil, err
	}
	c := &Checked{
		Valid: r.Valid, Verdict: verdict.Sentence(r, language), Profile: r.Profile, Counts: r.Counts, Findings: []Finding{},
		Rulesets: r.Rulesets, RulesRun: r.RulesRun, Overlays: r.Overlays, Date: r.Date, Digest: r.Digest,
	}
	shown := engine.First(r.Findings, mostFindings)
	c.Omitted = len(r.Findings) - len(shown) + r.OmittedCount()
	for i := range shown {
		c.Findings = append(c.Findings, Finding{Finding: &shown[i]})
	}
	return c, nil
}

// know takes what people know an invoice by.
func (c *Checked) know(inv *model.Invoice) {
	c.Number, c.IssueDate = inv.Number.Raw, inv.IssueDate.Raw
	if inv.Seller != nil {
		c.Seller = inv.Seller.Name.Raw
	}
	if inv.Totals != nil {
		c.Payable = inv.Totals.AmountDueForPayment.Raw + " " + inv.CurrencyCode.Raw
	}
}

// locate finds the places of findings in the text of a document.
func locate(findings []Finding, t *source.Tree) {
	offsets := make([]int, len(findings))
	for i, f := range findings {
		offsets[i] = -1
		if f.Line == nil {
			continue
		}
		if offset, ok := t.OffsetOf(source.Position{Line: *f.Line, Column: *f.Column}); ok {
			offsets[i] = offset
		}
	}
	for i, span := range spansAt(t, offsets) {
		findings[i].Span = span
	}
}

// refAt is the element or attribute that begins at a byte offset; 0 without one.
func refAt(t *source.Tree, offset int) source.Ref {
	n := sort.Search(len(t.Elements)-1, func(i int) bool { return int(t.Elements[i+1].Offset) >= offset }) + 1
	if n < len(t.Elements) && int(t.Elements[n].Offset) == offset {
		return source.Node(n).Ref()
	}
	a := sort.Search(len(t.Attributes), func(i int) bool { return int(t.Attributes[i].Offset) >= offset })
	if a < len(t.Attributes) && int(t.Attributes[a].Offset) == offset {
		return source.Attr(a).Ref()
	}
	return 0
}

// unreadable is the verdict on what cannot be read.
func unreadable(r *CheckRequest, e *problem.Error, language *words.Language) *Checked {
	p := problemOf(e, language)
	c := refused(p, editable(correctable(r)))
	if p.Line > 0 && c.Source != "" {
		t := &source.Tree{Data: c.Source}
		if offset, ok := t.OffsetOf(e.Position); ok {
			at := newSpans(c.Source)
			at.ask(offset)
			at.walk()
			p.Span = &Span{at.of(offset), at.of(offset)}
		}
	}
	return c
}

// problemOf is an error in a language.
func problemOf(e *problem.Error, language *words.Language) *Problem {
	return &Problem{Code: e.Code, Message: language.Say(e.Message), Remedy: language.Say(e.Remedy), Line: e.Position.Line, Column: e.Position.Column}
}

// refused is the verdict on what cannot be judged.
func refused(p *Problem, source string) *Checked {
	return &Checked{Verdict: p.Message, Source: source, Findings: []Finding{}, Rulesets: []engine.RulesetInfo{}, Problem: p}
}

// ruleOfJSON names the findings about JSON that is not an invoice, as no rule does.
const ruleOfJSON = "JSON"

// mistaken is the verdict on JSON that is not an invoice yet: all mistakes with their places.
func mistaken(text string, e *jsoninvoice.Error, language *words.Language) *Checked {
	p := problemOfJSON(e, language)
	c := refused(p, text)
	c.Kind = "json"
	t, at := &source.Tree{Data: text}, newSpans(text)
	offsets := make([]int, len(e.Mistakes))
	for i, m := range e.Mistakes {
		offsets[i] = -1
		if offset, ok := t.OffsetOf(source.Position{Line: m.Line, Column: m.Column}); ok {
			offsets[i] = offset
			at.ask(offset)
		}
	}
	at.walk()
	for i, m := range e.Mistakes[:min(len(e.Mistakes), mostFindings)] {
		f := Finding{Finding: &engine.Finding{
			Rule: ruleOfJSON, Layer: engine.LayerSchema, Level: engine.Fatal, Line: &m.Line, Column: &m.Column, Message: language.Say(m.Message),
			Fields: []string{strings.TrimPrefix(m.Field, "invoice.")},
		}}
		if offsets[i] >= 0 {
			f.Span = &Span{at.of(offsets[i]), at.of(offsets[i])}
		}
		c.Findings = append(c.Findings, f)
	}
	c.Counts.Fatal, c.Omitted = e.Count(), e.Count()-len(c.Findings)
	return c
}

// problemOfJSON is the first mistake, which the others are listed beside.
func problemOfJSON(e *jsoninvoice.Error, language *words.Language) *Problem {
	p := &Problem{Code: problem.CodeRequest, Message: language.Say("the JSON is not an invoice yet"), Remedy: language.Say("correct what is listed")}
	if len(e.Mistakes) > 0 {
		p.Line, p.Column = e.Mistakes[0].Line, e.Mistakes[0].Column
	}
	return p
}

// correctable is what cannot be read as a text that a person can correct: of files, markup in UTF-8.
func correctable(r *CheckRequest) string {
	if r.Text != "" {
		return r.Text
	}
	text := strings.TrimPrefix(string(r.File), "\ufeff")
	if !utf8.ValidString(text) || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "<") && !r.isJSON() {
		return ""
	}
	return text
}

// membersOf are the extents of the values of an invoice's JSON, by their paths as findings
// have them.
func membersOf(ctx context.Context, text string) map[string]extent {
	members := map[string]extent{}
	root, err := jsoninvoice.Parse(ctx, []byte(text))
	if err != nil {
		return members
	}
	for _, m := range root.Members {
		if m.Name == "invoice" {
			root = m.Value
		}
	}
	walkMembers(text, "", root, members)
	return members
}

func walkMembers(text, path string, v *jsoninvoice.Value, into map[string]extent) {
	for _, m := range v.Members {
		at := model.Join(path, m.Name)
		into[at] = valueExtent(text, m.Value)
		walkMembers(text, at, m.Value, into)
	}
	for i, item := range v.Items {
		at := path + "[" + itoa(i) + "]"
		into[at] = valueExtent(text, item)
		walkMembers(text, at, item, into)
	}
}

// valueExtent is where a value is in the text: of an object or array, its first character.
func valueExtent(text string, v *jsoninvoice.Value) extent {
	from := v.Offset
	to := from + 1
	switch v.Kind {
	case jsoninvoice.String:
		for i := from + 1; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == '"' {
				return extent{from, i + 1, from + 1, i}
			}
		}
	case jsoninvoice.Number, jsoninvoice.Boolean:
		for to < len(text) && text[to] != ',' && text[to] != '}' && text[to] != ']' && text[to] > ' ' {
			to++
		}
		return extent{from, to, from, to}
	}
	return extent{from: from, to: to}
}
