package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/service"
	"einvoice/service/report"

	"github.com/spf13/cobra"
)

// explain prints how one rule was decided on one document.
func (o *validateOptions) explainRule(cmd *cobra.Command, s *service.Service, rules service.Rules, paths []string) error {
	if len(paths) != 1 {
		return fmt.Errorf("--explain takes one document, not %d", len(paths))
	}
	if o.output != "text" && o.output != "json" {
		return fmt.Errorf("--explain has the outputs text and json, not %s", o.output)
	}
	data, err := readInput(paths[0], cmd.InOrStdin(), int64(o.limits.Bytes))
	if err != nil {
		return err
	}
	result, err := s.Validate(cmd.Context(), data, rules)
	if err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	doc, err := s.Describe(cmd.Context(), data)
	if err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	explained, err := explanations(cmd.Context(), result, doc, o.explain)
	if err != nil {
		return err
	}
	e := explainer{w: cmd.OutOrStdout(), doc: doc, report: result.Report}
	violated := false
	for _, x := range explained {
		for _, n := range x.Nodes {
			violated = violated || !n.Holds
		}
		if o.output == "text" {
			e.print(x)
		}
	}
	if o.output == "json" {
		all := make([]jsoninvoice.Ordered, len(explained))
		for i := range explained {
			all[i] = e.inJSON(explained[i])
		}
		if err := writeJSON(cmd.OutOrStdout(), all); err != nil {
			return err
		}
	}
	if violated {
		return errInvalid
	}
	return nil
}

// An explained rule with the ruleset that it is of.
type explained struct {
	*engine.Explanation
	ruleset engine.RulesetInfo
}

// explanations are those of a rule in each ruleset that judged the document.
func explanations(ctx context.Context, result *service.Result, doc *model.Document, id string) ([]explained, error) {
	var all []explained
	var names []string
	for _, info := range result.Report.Rulesets {
		names = append(names, info.Name+" "+info.Version)
		set, ok := result.Validator().Ruleset(info.Name, info.Version)
		if !ok {
			continue
		}
		rule, ok := set.Rule(id)
		if !ok {
			continue
		}
		x, err := result.Validator().Explain(ctx, doc, rule)
		if err != nil {
			return nil, err
		}
		all = append(all, explained{x, info})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("rule %s is in none of the rulesets that judge this document (%s); `einvoice rules list` names the rules of all", id, strings.Join(names, ", "))
	}
	return all, nil
}

type explainer struct {
	w      io.Writer
	doc    *model.Document
	report *engine.Report
}

func (e *explainer) print(x explained) {
	fmt.Fprintf(e.w, "%s  %s  (%s %s)\n", x.Rule.ID, e.level(x), x.ruleset.Name, x.ruleset.Version)
	for _, line := range report.Wrap(x.Rule.Text, 92) {
		fmt.Fprintf(e.w, "  %s\n", line)
	}
	if x.Reason != "" {
		fmt.Fprintf(e.w, "\nAs %s decides it\n", e.doc.Syntax.Label())
		for _, line := range report.Wrap(x.Reason, 92) {
			fmt.Fprintf(e.w, "  %s\n", line)
		}
	}
	if !x.Applies {
		fmt.Fprintf(e.w, "\nThe rule is not decided for this document.\n")
		return
	}
	fmt.Fprintf(e.w, "\nFor each  %s\n", x.Form.Context.Value)
	if len(x.Nodes) == 0 {
		fmt.Fprintf(e.w, "\nThe document has none, so that the rule says nothing about it.\n")
	}
	for _, n := range x.Nodes {
		fmt.Fprintf(e.w, "\n%s %s%s\n", map[bool]string{true: "✓ holds at", false: "✗ violated at"}[n.Holds], position(n.Line, n.Column), n.Location)
		e.part(n.Assertion, 1)
	}
}

// level is the rule's, and that of its findings in this report if an overlay gave them
// another.
func (e *explainer) level(x explained) string {
	for _, f := range e.report.Findings {
		if f.Rule == x.Rule.ID && f.PublishedLevel != "" {
			return fmt.Sprintf("%s, here %s by an overlay of the profile", f.PublishedLevel, f.Level)
		}
	}
	return string(x.Form.Level)
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
	text, err := encode(e.flat(v.Value), "")
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
	return flatten(e.doc, value)
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

func (e *explainer) inJSON(x explained) jsoninvoice.Ordered {
	nodes := make([]jsoninvoice.Ordered, len(x.Nodes))
	for i, n := range x.Nodes {
		nodes[i] = jsoninvoice.Ordered{{Name: "location", Value: n.Location}, {Name: "line", Value: n.Line}, {Name: "column", Value: n.Column}, {Name: "holds", Value: n.Holds}, {Name: "assertion", Value: e.partInJSON(n.Assertion)}}
	}
	return jsoninvoice.Ordered{
		{Name: "rule", Value: x.Rule.ID}, {Name: "ruleset", Value: x.ruleset.Name}, {Name: "version", Value: x.ruleset.Version}, {Name: "level", Value: x.Form.Level},
		{Name: "text", Value: x.Rule.Text}, {Name: "reason", Value: x.Reason}, {Name: "applies", Value: x.Applies}, {Name: "context", Value: x.Form.Context.Value}, {Name: "nodes", Value: nodes},
	}
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
