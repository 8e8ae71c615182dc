package engine

import (
	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Rule is one rule of a ruleset as it is written.
type Rule struct {
	ID       string
	Level    Level
	Layer    Layer
	On       model.Syntax // "" for every syntax
	Context  string
	Assert   string
	BTCodes  []string
	Fields   []string
	Message  string
	Text     string
	Variants []Variant
	Examples []Example
	// NeverFires says why a published rule can reject nothing; it has no example
	// that fires, and a row of a table is not looked for.
	NeverFires string

	template *yaml.Node // the rule as written, if it holds constants

	row *row // set for a rule of a table, which has no assertion

	file   string
	node   *yaml.Node            // of the rule's id
	places map[string]*yaml.Node // of its other keys
}

// A Variant says what differs where the published artefacts differ by syntax.
type Variant struct {
	Syntax  model.Syntax
	Root    string // "" or the one document element it is about; then only Applies and Level say something
	Applies bool   // false: the artefact of this syntax does not decide the rule
	Level   Level
	Context string
	Assert  string
	Fields  []string // where the context differs, what they are relative to does
	Message string   // likewise, what it may show
	Reason  string

	places map[string]*yaml.Node
}

// An Example is an invoice the rule accepts or refuses: a base and what to
// change in it.
type Example struct {
	Fires  bool
	Syntax model.Syntax // "" for an invoice without a document, else only in that syntax
	Base   string       // name of the base invoice, "base" if not given
	Set    map[string]any
	place  *yaml.Node
}

// Raw is the rule's normative statement as findings quote it.
func (r *Rule) Raw() string { return "[" + r.ID + "](" + string(r.Layer) + ") " + r.Text }

// File and Line say where the rule is written.
func (r *Rule) File() string { return r.file }

// Line is the line of the rule's id.
func (r *Rule) Line() int { return r.node.Line }

// in is the rule as one syntax has it; ok is false where it does not apply.
func (r *Rule) in(syntax model.Syntax) (form ruleForm, ok bool) {
	form = ruleForm{rule: r, level: r.Level, context: r.Context, assert: r.Assert, fields: r.Fields, fieldsAt: r.places["fields"], message: r.Message, messageAt: r.places["message"], contextAt: r.places["context"], assertAt: r.places["assert"]}
	if r.On != "" && r.On != syntax {
		return form, false
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		if v.Syntax != syntax {
			continue
		}
		if v.Root != "" {
			form.roots = append(form.roots, v)
			continue
		}
		if !v.Applies {
			return form, false
		}
		if v.Level != "" {
			form.level = v.Level
		}
		if v.Context != "" {
			form.context, form.contextAt = v.Context, v.places["context"]
		}
		if v.places["fields"] != nil {
			form.fields, form.fieldsAt = v.Fields, v.places["fields"]
		}
		if v.Message != "" {
			form.message, form.messageAt = v.Message, v.places["message"]
		}
		if v.Assert != "" {
			form.assert, form.assertAt = v.Assert, v.places["assert"]
		}
	}
	return form, true
}

// A ruleForm is a rule as one syntax has it.
type ruleForm struct {
	rule      *Rule
	roots     []*Variant // what differs by document element
	level     Level
	context   string
	assert    string
	fields    []string
	fieldsAt  *yaml.Node
	message   string
	messageAt *yaml.Node
	contextAt *yaml.Node
	assertAt  *yaml.Node
}

// at is what differs in this document's element, nil for nothing.
func (f *ruleForm) at(doc *model.Document) *Variant {
	if len(f.roots) == 0 || doc.Source == nil {
		return nil
	}
	root := rootName(doc)
	for _, v := range f.roots {
		if v.Root == root {
			return v
		}
	}
	return nil
}

func rootName(doc *model.Document) string {
	return doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String()
}
