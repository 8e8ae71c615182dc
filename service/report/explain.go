package report

import (
	"fmt"
	"io"
	"strings"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/quote"
)

// An explainer writes how rules were decided on one document.
type explainer struct {
	w   io.Writer
	doc *model.Document
}

// ExplainText writes an explanation for people.
func ExplainText(w io.Writer, x *engine.Explained) {
	e := explainer{w, x.Document}
	for i := range x.Rules {
		e.print(&x.Rules[i])
	}
}

// ExplainJSON is an explanation as JSON: a list with the rule in each ruleset.
func ExplainJSON(x *engine.Explained) []jsoninvoice.Ordered {
	e := explainer{doc: x.Document}
	all := make([]jsoninvoice.Ordered, len(x.Rules))
	for i := range x.Rules {
		all[i] = e.inJSON(&x.Rules[i])
	}
	return all
}

// print writes the rule in one ruleset.
func (e *explainer) print(x *engine.ExplainedRule) {
	fmt.Fprintf(e.w, "%s  %s  (%s %s)\n", x.Rule.ID, explainedLevel(x), x.Ruleset.Name, x.Ruleset.Version)
	for _, line := range Wrap(x.Rule.Text, 92) {
		fmt.Fprintf(e.w, "  %s\n", line)
	}
	if x.Reason != "" {
		fmt.Fprintf(e.w, "\nAs %s decides it\n", e.doc.Syntax.Label())
		for _, line := range Wrap(x.Reason, 92) {
			fmt.Fprintf(e.w, "  %s\n", line)
		}
	}
	if !x.Applies {
		fmt.Fprintf(e.w, "\nThe rule is not decided for this document.\n")
		return
	}
	if x.Rule.Row != nil {
		e.row(x)
		return
	}
	fmt.Fprintf(e.w, "\nFor each  %s\n", x.Form.Context.Value)
	if len(x.Nodes) == 0 {
		fmt.Fprintf(e.w, "\nThe document has none, so that the rule says nothing about it.\n")
	}
	if x.Omitted > 0 {
		fmt.Fprintf(e.w, "\n%d more nodes are not shown.\n", x.Omitted)
	}
	for _, n := range x.Nodes {
		fmt.Fprintf(e.w, "\n%s %s%s\n", map[bool]string{true: "✓ holds at", false: "✗ violated at"}[n.Holds], position(n.Line, n.Column), n.Location)
		e.part(n.Assertion, 1)
	}
}

// explainedLevel is the rule's level, and that of its findings if an overlay gave them
// another.
func explainedLevel(x *engine.ExplainedRule) string {
	if x.PublishedLevel != "" {
		return fmt.Sprintf("%s, here %s by an overlay of the profile", x.PublishedLevel, x.Level)
	}
	return string(x.Level)
}

// row writes a row of a table, which has no assertion.
func (e *explainer) row(x *engine.ExplainedRule) {
	fmt.Fprintf(e.w, "\nFor each  %s\nasked     %s\n", x.Rule.Context.Value, x.Rule.Row)
	if len(x.Findings) == 0 {
		fmt.Fprintf(e.w, "\n✓ holds everywhere\n")
	}
	for _, f := range x.Findings {
		line, column := 0, 0
		if f.Line != nil {
			line, column = *f.Line, *f.Column
		}
		fmt.Fprintf(e.w, "\n✗ violated at %s%s\n", position(line, column), f.Location)
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
		return "no value: " + v.Err.Error()
	}
	text, err := EncodeValue(e.flat(v.Value), "")
	if err != nil {
		return "no value: " + err.Error()
	}
	return quote.Shorten(text, widest)
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
	return fmt.Sprintf("%s at %d:%d", o.Type.Name, at.Line, at.Column)
}

// term says of a value that is a term which one, and how and where it is written.
func (e *explainer) term(t model.Term) string {
	if !t.Of.Present() {
		return ""
	}
	words := "   " + strings.TrimSpace(t.Field.BT+" "+t.Field.Term)
	if !t.Of.Has(t.Field) {
		return words + ", absent"
	}
	if ref := t.Of.RefOf(t.Field); ref != 0 && e.doc.Source != nil {
		at := e.doc.Source.Position(ref)
		words += fmt.Sprintf(" at %d:%d", at.Line, at.Column)
	}
	return words + fmt.Sprintf(", written %q", quote.Fields(t.Of.Raw(t.Field), widest))
}

func (e *explainer) inJSON(x *engine.ExplainedRule) jsoninvoice.Ordered {
	nodes := make([]jsoninvoice.Ordered, len(x.Nodes))
	for i, n := range x.Nodes {
		nodes[i] = jsoninvoice.Ordered{{Name: "location", Value: n.Location}, {Name: "line", Value: n.Line}, {Name: "column", Value: n.Column}, {Name: "holds", Value: n.Holds}, {Name: "assertion", Value: e.partInJSON(n.Assertion)}}
	}
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
	out = append(out, jsoninvoice.Ordered{
		{Name: "text", Value: x.Rule.Text}, {Name: "reason", Value: x.Reason}, {Name: "applies", Value: x.Applies}, {Name: "context", Value: x.Form.Context.Value},
	}...)
	if asked != "" {
		out = append(out, jsoninvoice.OrderedMember{Name: "asked", Value: asked})
	}
	return append(out, jsoninvoice.Ordered{{Name: "nodes", Value: nodes}, {Name: "nodesOmitted", Value: x.Omitted}}...)
}

func (e *explainer) partInJSON(p engine.ExplainedPart) jsoninvoice.Ordered {
	out := jsoninvoice.Ordered{{Name: "expression", Value: p.Text}}
	if p.Value.Err != nil {
		out = append(out, jsoninvoice.OrderedMember{Name: "noValue", Value: p.Value.Err.Error()})
	} else {
		out = append(out, jsoninvoice.OrderedMember{Name: "value", Value: e.flat(p.Value.Value)})
	}
	if t := p.Value.Term; t.Of.Present() {
		out = append(out, jsoninvoice.OrderedMember{Name: "btCode", Value: t.Field.BT}, jsoninvoice.OrderedMember{Name: "term", Value: t.Field.Term})
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
