package workbench

import (
	"context"
	"encoding/json"
	"errors"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/words"
	"einvoice/engine/xpath"
	"einvoice/engine/xpath/query"
	"einvoice/model"
	"einvoice/model/source"
	"einvoice/service/report"
)

// EvaluateRequest asks what an expression gives on a document.
type EvaluateRequest struct {
	Settings
	Given
	// Language of the expression: cel, evaluated at each node that Context selects, or xpath.
	Kind       string `json:"kind"`
	Context    string `json:"context"`
	Expression string `json:"expression"`
}

// Evaluated is what an expression gives.
type Evaluated struct {
	Values []Value `json:"values"`
	More   int     `json:"more"` // values beyond those of the answer
	// Mistake is what is wrong with the expression; null where nothing is.
	Mistake *Mistake `json:"mistake,omitempty"`
	// NotInRules is why rules cannot have an XPath expression.
	NotInRules string `json:"notInRules,omitempty"`
}

// Value is what an expression gives at one node.
type Value struct {
	Location string          `json:"location"`
	Span     *Span           `json:"span"`
	Value    json.RawMessage `json:"value"`
	Error    string          `json:"error,omitempty"`
}

// Mistake is one in a text of several lines; lines and columns count from 1.
type Mistake struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	End     int    `json:"end"`
	Message string `json:"message"`
	Warning bool   `json:"warning,omitempty"`
	Fixes   []Fix  `json:"fixes,omitempty"`
}

// Fix corrects a mistake by replacing its range.
type Fix struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Bounds of one evaluation.
const (
	mostValues = 500
	xpathSteps = 20_000_000
)

func (d *Desk) evaluate(ctx context.Context, r *EvaluateRequest) (*Evaluated, error) {
	desk, language, err := d.asked(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	doc, _, _, err := desk.shown(ctx, &r.Given)
	if err != nil {
		return nil, err
	}
	out := &Evaluated{Values: []Value{}}
	switch r.Kind {
	case "cel":
		err = desk.evaluateCEL(ctx, r, doc, out)
	case "xpath":
		err = evaluateXPath(ctx, r, doc, out)
	default:
		return nil, wrong("kind", "an expression is cel or xpath", "choose one of them")
	}
	if out.Mistake = mistakeIn(err); out.Mistake == nil && err != nil {
		if ended := ctx.Err(); ended != nil {
			return nil, ended
		}
		out.Mistake = &Mistake{Line: 1, Column: 1, End: 1, Message: err.Error()}
	}
	out.speak(language)
	return out, ctx.Err()
}

// speak says mistakes in a language.
func (e *Evaluated) speak(language *words.Language) {
	if e.Mistake != nil {
		e.Mistake.Message = language.Say(e.Mistake.Message)
	}
	e.NotInRules = language.Say(e.NotInRules)
	for i := range e.Values {
		e.Values[i].Error = language.Say(e.Values[i].Error)
	}
}

func mistakeIn(err error) *Mistake {
	if m, ok := errors.AsType[*expr.Error](err); ok {
		return &Mistake{Line: max(m.Line, 1), Column: max(m.Column, 1), End: max(m.Column, 1) + 1, Message: err.Error()}
	}
	if m, ok := errors.AsType[*xpath.Error](err); ok {
		return &Mistake{Line: 1, Column: max(m.Column, 1), End: max(m.Column, 1) + 1, Message: err.Error()}
	}
	return nil
}

func (d *Desk) evaluateCEL(ctx context.Context, r *EvaluateRequest, doc *model.Document, out *Evaluated) error {
	at := r.Context
	if at == "" {
		at = "/invoice"
	}
	values, err := d.service.Library().Evaluate(ctx, doc, at, r.Expression)
	if err != nil {
		return err
	}
	var offsets []int
	for i, v := range values {
		if i == mostValues {
			out.More = len(values) - mostValues
			break
		}
		value := Value{Location: v.Location, Value: json.RawMessage("null")}
		if v.Err != nil {
			value.Error = v.Err.Error()
		} else if text, err := report.EncodeValue(report.Flatten(doc, v.Value), ""); err == nil {
			value.Value = json.RawMessage(text)
		}
		offset := -1
		if doc.Source != nil && v.Line > 0 {
			if o, ok := doc.Source.OffsetOf(source.Position{Line: v.Line, Column: v.Column}); ok {
				offset = o
			}
		}
		offsets = append(offsets, offset)
		out.Values = append(out.Values, value)
	}
	place(out.Values, doc, offsets)
	return nil
}

func evaluateXPath(ctx context.Context, r *EvaluateRequest, doc *model.Document, out *Evaluated) error {
	x, err := xpath.ParseExpression(r.Expression)
	if err != nil {
		return err
	}
	e := &xpath.Evaluation{}
	e.Begin(doc.Source, budget.New(ctx, xpathSteps))
	found, err := query.Evaluate(x, e, doc)
	if err != nil {
		return err
	}
	if found.NotInRules != nil {
		out.NotInRules = found.NotInRules.Error()
	}
	if !found.IsSet {
		out.Values = append(out.Values, Value{Value: quoted(found.Value)})
		return nil
	}
	var offsets []int
	for i, n := range found.Nodes {
		if i == mostValues {
			out.More = len(found.Nodes) - mostValues
			break
		}
		offset := -1
		if doc.Source != nil && n.At != 0 {
			if o, ok := doc.Source.OffsetOf(doc.Source.Position(n.At)); ok {
				offset = o
			}
		}
		offsets = append(offsets, offset)
		out.Values = append(out.Values, Value{Location: n.Path, Value: quoted(shortened(xpath.NormalizeSpace(n.Value), model.KindText))})
	}
	place(out.Values, doc, offsets)
	return nil
}

func quoted(text string) json.RawMessage {
	data, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}

// place gives values their places; an offset below 0 is none.
func place(values []Value, doc *model.Document, offsets []int) {
	if doc.Source == nil {
		return
	}
	for i, span := range spansAt(doc.Source, offsets) {
		values[i].Span = span
	}
}
