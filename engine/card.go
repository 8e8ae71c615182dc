package engine

import (
	"strings"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Card is all that is known of a rule, for people and for programs.
type Card struct {
	ID       string     `json:"id"`
	Ruleset  string     `json:"ruleset"`
	Version  string     `json:"version"`
	Layer    Layer      `json:"layer"`
	Level    Level      `json:"level"`
	Text     string     `json:"text"`
	Message  string     `json:"message"`
	Terms    []CardTerm `json:"terms"`
	Fields   []string   `json:"fields"`
	Forms    []CardForm `json:"forms"`
	Examples []string   `json:"examples"`
	File     string     `json:"file"`
	Line     int        `json:"line"`
}

// A CardTerm is a business term with its name in the standard.
type CardTerm struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// A CardForm is how the rule is decided, for all syntaxes or for one.
type CardForm struct {
	Syntax  model.Syntax `json:"syntax,omitempty"`
	Root    string       `json:"root,omitempty"` // the one document element that the form is about
	Applies bool         `json:"applies"`
	Level   Level        `json:"level"`
	Context string       `json:"context,omitempty"`
	Assert  string       `json:"assert,omitempty"`
	Reason  string       `json:"reason,omitempty"`
}

// Title is where the form applies, as the end of a heading.
func (f CardForm) Title() string {
	where := strings.ToUpper(string(f.Syntax))
	if f.Root != "" {
		where = f.Root
	}
	switch {
	case where == "":
		return ""
	case !f.Applies:
		return " not at all in " + where
	}
	return " in " + where
}

// Card gathers a rule's card.
func (r *Rule) Card(s *Ruleset) Card {
	c := Card{
		ID: r.ID, Ruleset: s.Name, Version: s.Version, Layer: r.Layer, Level: r.Level, Text: r.Text, Message: r.Message,
		Terms: []CardTerm{}, Fields: r.Fields, Examples: []string{}, File: r.file, Line: r.node.Line,
	}
	for _, code := range r.BTCodes {
		c.Terms = append(c.Terms, CardTerm{code, termName(code)})
	}
	if r.row != nil {
		c.Forms = append(c.Forms, CardForm{Syntax: r.On, Applies: true, Level: r.Level, Context: r.Context, Assert: r.row.decision()})
	} else if r.Context != "" {
		c.Forms = append(c.Forms, CardForm{Syntax: r.On, Applies: true, Level: r.Level, Context: r.Context, Assert: r.Assert})
	}
	for _, v := range r.Variants {
		form, _ := r.in(v.Syntax)
		if v.Root != "" && v.Level != "" {
			form.level = v.Level
		}
		c.Forms = append(c.Forms, CardForm{Syntax: v.Syntax, Root: v.Root, Applies: v.Applies, Level: form.level, Context: form.context, Assert: form.assert, Reason: v.Reason})
	}
	for i := range r.Examples {
		c.Examples = append(c.Examples, inline(r.Examples[i].place))
	}
	return c
}

// inline writes a YAML node on one line.
func inline(n *yaml.Node) string {
	flow := *n
	flow.Style = yaml.FlowStyle
	out, err := yaml.Marshal(&flow)
	if err != nil {
		return n.Value
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

func termName(code string) string {
	for _, t := range provider().byName {
		for i := range t.Fields {
			if t.Fields[i].BT == code {
				return t.Fields[i].Term
			}
		}
	}
	return ""
}

// A FunctionDoc documents one function of the rule language.
type FunctionDoc struct {
	Name       string
	Signatures []string
	Doc        string
	Example    string
}

// Functions documents the whole function library, in the order of its tables.
func Functions() []FunctionDoc {
	docs := make([]FunctionDoc, 0, len(functions))
	for _, f := range functions {
		d := FunctionDoc{Name: f.name, Doc: f.doc, Example: f.example}
		for _, o := range f.overloads {
			d.Signatures = append(d.Signatures, o.signature(f.name))
		}
		docs = append(docs, d)
	}
	return docs
}

func (o overload) signature(name string) string {
	args := make([]string, len(o.args))
	for i, a := range o.args {
		args[i] = typeName(a)
	}
	if o.member {
		name, args = args[0]+"."+name, args[1:]
	}
	return name + "(" + strings.Join(args, ", ") + ") -> " + typeName(o.result)
}
