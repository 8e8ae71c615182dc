package engine

import (
	"slices"
	"strings"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Rule is one rule of a ruleset as it is written.
type Rule struct {
	ID       string
	Level    Level
	Layer    Layer
	On       model.Syntax // "" for every syntax
	Context  Located[string]
	Assert   Located[string]
	BTCodes  Located[[]string]
	Fields   Located[[]string]
	Message  Located[string]
	Text     string
	Variants []Variant
	// NeverFires says why a published rule can reject nothing; it has no example
	// that fires, and a row of a table is not looked for.
	NeverFires string
	// Effective is when the rule is in force.
	Effective Period
	// Replaces says why the rule has the id of a published one.
	Replaces string
	// Overlay is the name of the overlay that added the rule, or that changed a parameter
	// or code list of it; "" for none.
	Overlay string
	// Row is set for a rule that is a row of a table and has no assertion.
	Row *Row

	examples  func() []Example  // nil for none
	Template  *yaml.Node        // the rule as written, if it holds constants
	Constants map[string]string // of the ruleset, if it does
	file      string
	Node      *yaml.Node // of the rule's id
}

// A Variant says what differs where the published artefacts differ by syntax.
type Variant struct {
	Syntax  model.Syntax
	Root    string // "" or the one document element it is about; then only Applies and Level say something
	Applies bool   // false: the artefact of this syntax does not decide the rule
	Level   Level
	Context Located[string]
	Assert  Located[string]
	Fields  Located[[]string] // where the context differs, what they are relative to does
	Message Located[string]   // likewise, what it may show
	Reason  string
}

// An Example is an invoice that the rule must accept or refuse: a base invoice and
// what to change in it.
type Example struct {
	Fires   bool
	Syntax  model.Syntax // "" for an invoice without a document, else only in that syntax
	Base    string       // name of the base invoice, "base" if not given
	Changes []Change     // in the order of the file

	Node *yaml.Node
}

// A Change is one value that an example changes.
type Change struct {
	Path  string
	Value *yaml.Node
}

// Examples are the invoices that the rule must accept or refuse.
func (r *Rule) Examples() []Example {
	if r.examples == nil {
		return nil
	}
	return r.examples()
}

// Line is where the example is written in the file of its rule.
func (e *Example) Line() int { return e.Node.Line }

// String writes the example on one line, as the file has it.
func (e *Example) String() string {
	flow := *e.Node
	flow.Style = yaml.FlowStyle
	out, err := yaml.Marshal(&flow)
	if err != nil {
		return e.Node.Value
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// Clone is a rule of its own that says the same.
func (r *Rule) Clone() *Rule {
	c := *r
	c.Variants = slices.Clone(r.Variants)
	if w := r.Row; w != nil {
		c.Row = &Row{Kind: w.Kind, Path: w.Path, Rule: &c, except: w.except, list: w.list, codes: w.codes, rowAtWork: rowAtWork{known: w.known}}
	}
	return &c
}

// withLevel is the rule with another level, in every syntax.
func (r *Rule) withLevel(level Level) *Rule {
	c := r.Clone()
	c.Level = level
	for i := range c.Variants {
		if c.Variants[i].Level != "" {
			c.Variants[i].Level = level
		}
	}
	return c
}

// IsAlready reports whether the rule has a level, in every syntax.
func (r *Rule) IsAlready(level Level) bool {
	return r.Level == level && !slices.ContainsFunc(r.Variants, func(v Variant) bool { return v.Level != "" && v.Level != level })
}

// Raw is the rule's normative statement as findings quote it.
func (r *Rule) Raw() string { return rawOf(r.ID, r.Layer, r.Text) }

func rawOf(id string, layer Layer, text string) string {
	return "[" + id + "](" + string(layer) + ") " + text
}

// File is the file that the rule is written in.
func (r *Rule) File() string { return r.file }

// Line is the line of the rule's id.
func (r *Rule) Line() int { return r.Node.Line }

// A Form is a rule as one syntax has it.
type Form struct {
	Level   Level
	Context Located[string]
	Assert  Located[string]
	Fields  Located[[]string]
	Message Located[string]

	rule  *Rule
	roots []*Variant // what differs by document element
}

// Form is the rule as one syntax has it; ok is false where it does not apply.
func (r *Rule) Form(syntax model.Syntax) (form Form, ok bool) {
	form = Form{rule: r, Level: r.Level, Context: r.Context, Assert: r.Assert, Fields: r.Fields, Message: r.Message}
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
			form.Level = v.Level
		}
		form.Context = v.Context.Or(form.Context)
		form.Assert = v.Assert.Or(form.Assert)
		form.Fields = v.Fields.Or(form.Fields)
		form.Message = v.Message.Or(form.Message)
	}
	return form, r.Row != nil || form.Context.Value != "" || syntax == ""
}

// inDocument is what differs in this document's element, nil for nothing.
func (f *Form) inDocument(doc *model.Document) *Variant {
	if len(f.roots) == 0 || doc.Source == nil {
		return nil
	}
	root := documentElement(doc)
	for _, v := range f.roots {
		if v.Root == root {
			return v
		}
	}
	return nil
}

// documentElement is the qualified name of a document's root element.
func documentElement(doc *model.Document) string {
	return doc.Source.Spell(doc.Source.Name(doc.Source.Root()))
}

// Forms are the rule as the syntaxes have it, each form once.
func (r *Rule) Forms() (forms []Form) {
	for _, syntax := range Syntaxes {
		form, ok := r.Form(syntax)
		if !ok || form.Context.Value == "" {
			continue
		}
		same := func(other Form) bool {
			return other.Context.Node == form.Context.Node && other.Assert.Node == form.Assert.Node &&
				other.Fields.Node == form.Fields.Node && other.Message.Node == form.Message.Node
		}
		if !slices.ContainsFunc(forms, same) {
			forms = append(forms, form)
		}
	}
	return forms
}

// Check compiles the paths of the row, and looks for its list of codes.
func (w *Row) Check() error {
	if _, err := w.selecting(contextParser()); err != nil {
		return err
	}
	if w.Kind != RowCode {
		return nil
	}
	_, err := w.known()
	return err
}
