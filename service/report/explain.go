package report

import (
	"fmt"
	"io"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
)

// An explainer writes how rules were decided on one document.
type explainer struct {
	w        io.Writer
	doc      *model.Document
	language *words.Language
}

func (e *explainer) say(sentence string) string { return e.language.Say(sentence) }

// ExplainText writes an explanation for people, in a language; nil is English. Expressions
// are as the rule has them.
func ExplainText(w io.Writer, x *engine.Explained, language *words.Language) {
	if w == nil || x == nil {
		return
	}
	e := explainer{w, x.Document, language}
	for _, line := range chosenRules(x.Report) {
		fmt.Fprintf(w, "%s\n", language.Say(line))
	}
	for i := range x.Rules {
		e.print(&x.Rules[i])
	}
}

// ExplainJSON returns an explanation as JSON: a list with the rule in each ruleset. The text
// of the rule is in a language; nil is English.
func ExplainJSON(x *engine.Explained, language *words.Language) []jsoninvoice.Ordered {
	if x == nil {
		return nil
	}
	e := explainer{doc: x.Document, language: language}
	all := make([]jsoninvoice.Ordered, len(x.Rules))
	for i := range x.Rules {
		all[i] = e.inJSON(&x.Rules[i])
	}
	return all
}

// print writes the rule in one ruleset.
func (e *explainer) print(x *engine.ExplainedRule) {
	fmt.Fprintf(e.w, "%s  %s  (%s %s)\n", x.Rule.ID, e.level(x), x.Ruleset.Name, x.Ruleset.Version)
	_, text := x.Rule.Said(e.language)
	for _, line := range Wrap(text, 92) {
		fmt.Fprintf(e.w, "  %s\n", line)
	}
	if whose := e.whose(x); whose != "" {
		fmt.Fprintln(e.w)
		for _, line := range Wrap(whose, 92) {
			fmt.Fprintf(e.w, "  %s\n", line)
		}
	}
	if x.NotInForce != "" {
		fmt.Fprintf(e.w, "\n%s\n", e.notInForce(x))
		return
	}
	if x.Reason != "" {
		fmt.Fprintf(e.w, "\n%s\n", e.say(fmt.Sprintf("As %s decides it", e.doc.Syntax.Label())))
		for _, line := range Wrap(e.say(x.Reason), 92) {
			fmt.Fprintf(e.w, "  %s\n", line)
		}
	}
	if !x.Applies {
		fmt.Fprintf(e.w, "\n%s\n", e.say("The rule is not decided for this document."))
		return
	}
	if x.Rule.Row != nil {
		e.row(x)
		return
	}
	fmt.Fprintf(e.w, "\n%s  %s\n", e.say("For each"), x.Form.Context.Value)
	if len(x.Nodes) == 0 {
		fmt.Fprintf(e.w, "\n%s\n", e.say("The document has none, so that the rule says nothing about it."))
	}
	if x.Omitted > 0 {
		fmt.Fprintf(e.w, "\n%s\n", e.say(fmt.Sprintf("%s more are not shown.", numeral.Count(x.Omitted, "node"))))
	}
	for _, n := range x.Nodes {
		outcome := "✗ " + e.say("violated at")
		if n.Holds {
			outcome = "✓ " + e.say("holds at")
		}
		fmt.Fprintf(e.w, "\n%s %s%s\n", outcome, position(n.Line, n.Column), n.Location)
		e.part(n.Assertion, 1)
	}
}

// level is the rule's level, and that of its findings if an overlay gave them another.
func (e *explainer) level(x *engine.ExplainedRule) string {
	if x.PublishedLevel != "" {
		return e.say(fmt.Sprintf("%s, here %s", x.PublishedLevel, x.Level))
	}
	return e.say(string(x.Level))
}

// whose says which overlay brought the findings about, or added or changed the rule.
func (e *explainer) whose(x *engine.ExplainedRule) string {
	if len(x.Findings) > 0 {
		return provenance(&x.Findings[0], e.language)
	}
	f := engine.Finding{Overlay: x.Rule.Overlay, Owner: x.Owner, Since: x.Since}
	return provenance(&f, e.language)
}

// notInForce says when a rule is in force that is not on the day that decides.
func (e *explainer) notInForce(x *engine.ExplainedRule) string {
	return e.say(fmt.Sprintf("The rule is not in force on %s; %s.", x.NotInForce, x.Rule.Effective))
}

// row writes a row of a table, which has no assertion.
func (e *explainer) row(x *engine.ExplainedRule) {
	fmt.Fprintf(e.w, "\n%-9s %s\n%-9s %s\n", e.say("For each"), x.Rule.Context.Value, e.say("asked"), x.Rule.Row)
	if len(x.Findings) == 0 {
		fmt.Fprintf(e.w, "\n✓ %s\n", e.say("holds everywhere"))
	}
	for _, f := range x.Findings {
		line, column := 0, 0
		if f.Line != nil {
			line, column = *f.Line, *f.Column
		}
		fmt.Fprintf(e.w, "\n✗ %s %s%s\n", e.say("violated at"), position(line, column), f.Location)
	}
}

func position(line, column int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d  ", line, column)
}

// widest is how much of an expression and of a value is printed, in characters.
const widest = 240

func (e *explainer) part(p engine.ExplainedPart, depth int) {
	text := quote.Fields(p.Text, widest)
	fmt.Fprintf(e.w, "%s%s = %s%s\n", strings.Repeat("  ", depth), text, e.value(p.Value), e.term(p.Value.Term))
	for _, inner := range p.Parts {
		e.part(inner, depth+1)
	}
}

func (e *explainer) value(v engine.Value) string {
	if v.Err != nil {
		return labelled(e.say("no value"), quote.Visible(e.say(v.Err.Error())), e.language)
	}
	text, err := EncodeValue(e.flat(v.Value), "")
	if err != nil {
		return labelled(e.say("no value"), e.say(err.Error()), e.language)
	}
	return quote.Visible(quote.Shorten(text, widest))
}

// flat is flatten, but for groups, which are their places.
func (e *explainer) flat(value any) any {
	switch v := value.(type) {
	case model.Object:
		return e.place(v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = e.flat(v[i])
		}
		return all
	}
	return Flatten(e.doc, value)
}

func (e *explainer) place(o model.Object) string {
	if e.doc.Source == nil || o.Ref() == 0 {
		return o.Type.Name
	}
	at := e.doc.Source.Position(o.Ref())
	return fmt.Sprintf("%s %s %d:%d", o.Type.Name, e.say("at"), at.Line, at.Column)
}

// term says of a value that is a term which one, and how and where it is written.
func (e *explainer) term(t model.Term) string {
	if !t.Of.Present() {
		return ""
	}
	label := "   " + strings.TrimSpace(t.Field.BT+" "+e.say(t.Field.Term))
	if !t.Of.Has(t.Field) {
		return label + ", " + e.say("absent")
	}
	if ref := t.Of.RefOf(t.Field); ref != 0 && e.doc.Source != nil {
		at := e.doc.Source.Position(ref)
		label += fmt.Sprintf(" %s %d:%d", e.say("at"), at.Line, at.Column)
	}
	return label + ", " + e.say(fmt.Sprintf("written %q", quote.Fields(t.Of.Raw(t.Field), widest)))
}

func (e *explainer) inJSON(x *engine.ExplainedRule) jsoninvoice.Ordered {
	nodes := make([]jsoninvoice.Ordered, len(x.Nodes))
	for i, n := range x.Nodes {
		nodes[i] = jsoninvoice.Ordered{{Name: "location", Value: n.Location}, {Name: "line", Value: n.Line}, {Name: "column", Value: n.Column}, {Name: "holds", Value: n.Holds}, {Name: "assertion", Value: e.partInJSON(n.Assertion)}}
	}
	_, text := x.Rule.Said(e.language)
	asked := ""
	if x.Rule.Row != nil {
		asked = x.Rule.Row.String()
		for _, f := range x.Findings {
			nodes = append(nodes, jsoninvoice.Ordered{{Name: "location", Value: f.Location}, {Name: "line", Value: f.Line}, {Name: "column", Value: f.Column}, {Name: "holds", Value: false}})
		}
	}
	out := jsoninvoice.Ordered{
		{Name: "rule", Value: x.Rule.ID}, {Name: "ruleset", Value: x.Ruleset.Name}, {Name: "version", Value: x.Ruleset.Version}, {Name: "level", Value: x.Level},
	}
	if x.PublishedLevel != "" {
		out = append(out, jsoninvoice.OrderedMember{Name: "publishedLevel", Value: x.PublishedLevel})
	}
	if x.Rule.Overlay != "" || len(x.Findings) > 0 && x.Findings[0].Overlay != "" {
		out = append(out, jsoninvoice.OrderedMember{Name: "whose", Value: e.whose(x)})
	}
	if x.NotInForce != "" {
		out = append(out, jsoninvoice.OrderedMember{Name: "notInForce", Value: e.notInForce(x)})
	}
	out = append(out, jsoninvoice.Ordered{
		{Name: "text", Value: text}, {Name: "reason", Value: e.say(x.Reason)}, {Name: "applies", Value: x.Applies}, {Name: "context", Value: x.Form.Context.Value},
	}...)
	if asked != "" {
		out = append(out, jsoninvoice.OrderedMember{Name: "asked", Value: asked})
	}
	return append(out, jsoninvoice.Ordered{{Name: "nodes", Value: nodes}, {Name: "nodesOmitted", Value: x.Omitted}}...)
}

func (e *explainer) partInJSON(p engine.ExplainedPart) jsoninvoice.Ordered {
	out := jsoninvoice.Ordered{{Name: "expression", Value: p.Text}}
	if p.Value.Err != nil {
		out = append(out, jsoninvoice.OrderedMember{Name: "noValue", Value: e.say(p.Value.Err.Error())})
	} else {
		out = append(out, jsoninvoice.OrderedMember{Name: "value", Value: e.flat(p.Value.Value)})
	}
	if t := p.Value.Term; t.Of.Present() {
		out = append(out, jsoninvoice.OrderedMember{Name: "btCode", Value: t.Field.BT}, jsoninvoice.OrderedMember{Name: "term", Value: e.say(t.Field.Term)})
		if t.Of.Has(t.Field) {
			out = append(out, jsoninvoice.OrderedMember{Name: "written", Value: t.Of.Raw(t.Field)})
		}
		if ref := t.Of.RefOf(t.Field); ref != 0 && e.doc.Source != nil {
			at := e.doc.Source.Position(ref)
			out = append(out, jsoninvoice.OrderedMember{Name: "line", Value: at.Line}, jsoninvoice.OrderedMember{Name: "column", Value: at.Column})
		}
	}
	if len(p.Parts) > 0 {
		parts := make([]jsoninvoice.Ordered, len(p.Parts))
		for i := range p.Parts {
			parts[i] = e.partInJSON(p.Parts[i])
		}
		out = append(out, jsoninvoice.OrderedMember{Name: "parts", Value: parts})
	}
	return out
}
