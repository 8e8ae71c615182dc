package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"einvoice/engine/expr"
	"einvoice/model"
)

// An Explanation says how a rule was decided on a document: for each node that its
// context selects, the value of its assertion and of every part of it.
type Explanation struct {
	Rule    *Rule
	Form    Form            // the rule as the document's syntax has it
	Reason  string          // of the variant that applies; "" where none does
	Applies bool            // false: the rule is not decided in this syntax
	Nodes   []ExplainedNode // in the order of the document; none of a row of a table
	// Omitted counts the nodes that were too many to be explained.
	Omitted int
}

// An ExplainedNode is the rule at one node.
type ExplainedNode struct {
	Line, Column int    // of the node in the document; 0 in none
	Location     string // the XPath of the node, over the invoice or the document
	Holds        bool
	Assertion    ExplainedPart
}

// An ExplainedPart is the value of an expression, and of the expressions in it.
type ExplainedPart struct {
	Text  string
	Value Value
	Parts []ExplainedPart
}

// longestExplained is how many elements of a list a part of an explanation keeps.
const longestExplained = 100

// Explain explains one rule of a library on a document, at no more than so many nodes, in
// their order in the document; 0 is for all. If there are more, those at which it is violated
// are chosen before others. A rule that is a row of a table has
// no assertion: it has no nodes here.
func (l *Library) Explain(ctx context.Context, doc *model.Document, rule *Rule, most int) (*Explanation, error) {
	return explain(ctx, l.env, doc, rule, most)
}

// Explain is Library.Explain for a rule that the validator runs, as overlays leave it.
func (v *Validator) Explain(ctx context.Context, doc *model.Document, rule *Rule, most int) (*Explanation, error) {
	return explain(ctx, v.env, doc, rule, most)
}

func explain(ctx context.Context, env *expr.Environment, doc *model.Document, rule *Rule, most int) (*Explanation, error) {
	form, applies := rule.Form(doc.Syntax)
	x := &Explanation{Rule: rule, Form: form, Applies: applies}
	for i := range rule.Variants {
		if v := &rule.Variants[i]; v.Syntax == doc.Syntax && v.Root == "" || v == form.inDocument(doc) {
			x.Reason = v.Reason
			x.Applies = x.Applies && v.Applies
		}
	}
	if !x.Applies || rule.Row != nil {
		return x, nil
	}
	whole, err := expr.PartsOf(form.Assert.Value)
	if err != nil {
		return nil, err
	}
	at, err := nodesToExplain(ctx, env, doc, &form, most)
	if err != nil {
		return nil, err
	}
	x.Omitted = at.omitted
	explained, err := explainPart(ctx, env, doc, form.Context.Value, whole, at)
	if err != nil {
		return nil, err
	}
	for _, parts := range explained {
		v := parts[0].Value
		holds, _ := v.Value.(bool)
		x.Nodes = append(x.Nodes, ExplainedNode{Line: v.Line, Column: v.Column, Location: v.Location, Holds: v.Err == nil && holds, Assertion: parts[0]})
	}
	return x, nil
}

// chosenNodes are the nodes of a context that are explained, by their numbers.
type chosenNodes struct {
	nodes   map[int]bool // nil for all
	omitted int
}

// nodesToExplain chooses among many nodes: explaining takes the more memory the more parts
// and nodes there are.
func nodesToExplain(ctx context.Context, env *expr.Environment, doc *model.Document, form *Form, most int) (chosenNodes, error) {
	if most == 0 {
		return chosenNodes{}, nil
	}
	values, err := evaluate(ctx, env, doc, form.Context.Value, form.Assert.Value, nil)
	if err != nil || len(values) <= most {
		return chosenNodes{}, err
	}
	chosen := chosenNodes{nodes: map[int]bool{}, omitted: len(values) - most}
	for _, wanted := range []bool{false, true} {
		for i, v := range values {
			if holds, _ := v.Value.(bool); holds == wanted && len(chosen.nodes) < most {
				chosen.nodes[i] = true
			}
		}
	}
	return chosen, nil
}

// explainPart evaluates a part and its parts at each node of a context. A part that has
// no value of its own, which a list has not where it uses a named value, is what is in it.
func explainPart(ctx context.Context, env *expr.Environment, doc *model.Document, contextPath string, part expr.Part, at chosenNodes) ([][]ExplainedPart, error) {
	values, err := evaluatePart(ctx, env, doc, contextPath, part, at)
	if err != nil {
		return nil, err
	}
	var inside [][]ExplainedPart // by node
	for _, inner := range part.Parts {
		explained, err := explainPart(ctx, env, doc, contextPath, inner, at)
		if err != nil {
			return nil, err
		}
		for i := range explained {
			if i == len(inside) {
				inside = append(inside, nil)
			}
			inside[i] = append(inside[i], explained[i]...)
		}
	}
	if values == nil {
		return inside, nil
	}
	out := make([][]ExplainedPart, len(values))
	for i := range values {
		p := ExplainedPart{Text: part.Text, Value: values[i]}
		if i < len(inside) { // evaluation may have ended early
			p.Parts = inside[i]
		}
		out[i] = []ExplainedPart{p}
	}
	return out, nil
}

// evaluatePart evaluates a part at each node, in the first of its forms that compiles;
// nil if none does.
func evaluatePart(ctx context.Context, env *expr.Environment, doc *model.Document, contextPath string, part expr.Part, at chosenNodes) ([]Value, error) {
	for _, whole := range part.Whole {
		values, err := evaluate(ctx, env, doc, contextPath, whole, at.nodes)
		if err == nil {
			for i := range values {
				if list, is := values[i].Value.([]any); is && len(list) > longestExplained {
					values[i].Value = append(slices.Clone(list[:longestExplained]), fmt.Sprintf("... (%d more)", len(list)-longestExplained))
				}
			}
			return values, nil
		}
		if mistake := new(expr.Error); !errors.As(err, &mistake) || len(part.Whole) == 1 {
			return nil, err
		}
	}
	return nil, nil
}
