package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/model/source"
)

// finding makes a finding of a rule, without its position; err says why the rule
// could not be decided, nil that it is violated.
func (r *run) finding(c *compiledRule, err error) Finding {
	f := c.form.rule.finding(r.levelOf(c))
	f.said.form = &c.form
	if err == nil && r.start(c.number) {
		f.Message, f.said.values = c.says(&r.activation)
		err = r.stop(c.number)
	}
	if err != nil {
		r.fail(&f, err)
	}
	return f
}

// levelOf is the level of a rule in the document.
func (r *run) levelOf(c *compiledRule) Level {
	if v := c.form.inDocument(r.doc); v != nil && v.Level != "" {
		return v.Level
	}
	return c.form.Level
}

// finding makes a finding with what is the same in all findings of the rule.
func (r *Rule) finding(level Level) Finding {
	return Finding{Rule: r.ID, Layer: r.Layer, Level: level, BTCodes: r.BTCodes.Value, Raw: r.Raw(), Overlay: r.Overlay, said: &said{rule: r}}
}

// fail makes a finding say that its rule could not be decided.
func (r *run) fail(f *Finding, err error) {
	f.Failed = true
	if errors.Is(err, budget.ErrSteps) {
		f.Message = fmt.Sprintf("Rule %s needs too many steps: more than %d on this document. It counts as violated. Have its author let it go through fewer "+
			"elements; nothing in the document has to be corrected.", f.Rule, r.budget.Limit())
		return
	}
	f.Message = "This rule could not be decided: " + err.Error()
	if expr.InDocument(err) {
		f.Message += ". Correct the value; until then the rule counts as violated."
		return
	}
	f.Message += ". It counts as violated. Have its author ask first whether there is a value (has, filled, size); nothing in the document " +
		"has to be corrected."
}

// undecided is a finding of a rule whose nodes cannot be found.
func (r *run) undecided(c *compiledRule, at source.Ref, err error) Finding {
	f := r.finding(c, err)
	r.locate(&f, at)
	return f
}

// undecidedRow is a finding of a row that could not be decided.
func (r *run) undecidedRow(w *Row, at source.Ref, err error) Finding {
	f := w.Rule.finding(w.Rule.Level)
	r.fail(&f, err)
	r.locate(&f, at)
	return f
}

// inModel is a finding of a rule over the invoice or the PDF around it.
func (r *run) inModel(c *compiledRule, group model.Object, err error) Finding {
	if r.root.Type != model.InvoiceType() {
		return r.inSurroundings(c, group, err)
	}
	return r.inInvoice(c, group, err)
}

// inSurroundings is a finding of a rule over the PDF or the batch. It has no line: Location
// is the first of the rule's fields, as a path from /container or /batch. The fields of the
// finding are those in the invoice, which alone can be corrected in a request.
func (r *run) inSurroundings(c *compiledRule, group model.Object, err error) Finding {
	f := r.finding(c, err)
	f.BTCodes = append([]string{}, f.BTCodes...)
	at := r.positions().Path(group)
	for _, field := range c.fields {
		if field.absolute {
			path, _ := r.follow(model.ObjectOf(r.doc.Invoice), field.steps)
			f.Fields = append(f.Fields, path)
		} else if f.Location == "" {
			at, _ = r.follow(group, field.steps)
			f.Location = rootPath(r.root.Name, at)
		}
	}
	if f.Location == "" {
		f.Location = rootPath(r.root.Name, at)
	}
	return f
}

// rootPath writes a path below a root as XPath, which counts from 1.
func rootPath(root, path string) string {
	out := "/" + root
	for _, step := range strings.Split(path, ".") {
		name, index, _ := strings.Cut(step, "[")
		out += "/" + name
		if i, err := strconv.Atoi(strings.TrimSuffix(index, "]")); err == nil {
			out += fmt.Sprintf("[%d]", i+1)
		}
	}
	return strings.TrimSuffix(out, "/")
}

// inInvoice is a finding of a rule over the invoice, located at the first field
// that is there, else at the nearest group around it that is.
func (r *run) inInvoice(c *compiledRule, group model.Object, err error) Finding {
	f := r.finding(c, err)
	var at source.Ref
	for _, field := range c.fields {
		from := group
		if field.absolute {
			from = model.ObjectOf(r.doc.Invoice)
		}
		path, ref := r.follow(from, field.steps)
		f.Fields = append(f.Fields, path)
		if at == 0 {
			at = ref
		}
	}
	for o := group; at == 0 && o.Present(); o = r.positions().Parent(o) {
		at = o.Ref()
	}
	r.locate(&f, at)
	return f
}

// follow writes the path of a field and finds where it is, 0 if it is absent.
func (r *run) follow(o model.Object, steps []*model.Field) (path string, at source.Ref) {
	path = r.positions().Path(o)
	for i, step := range steps {
		path = model.Join(path, step.Name)
		if i == len(steps)-1 {
			return path, o.RefOf(step)
		}
		o = o.Group(step)
	}
	return path, 0
}

// inSource is a finding of a rule at its element. At the document element, a rule
// is about the invoice as a whole, and the finding is at its first field.
func (r *run) inSource(c *compiledRule, n source.Node, err error) Finding {
	f := r.finding(c, err)
	at := n.Ref()
	where := at
	if len(c.form.Fields.Value) > 0 {
		if first := r.nameFields(&f, c, at); n == r.doc.Source.Root() && first != 0 {
			where = first
		}
	}
	if f.Fields == nil {
		r.nameTerm(&f, at)
	}
	if f.Fields == nil { // such as rules of countries, which are about the document
		r.nameFields(&f, c, at)
	}
	r.locate(&f, where)
	return f
}

// nameFields gives a finding in the source document the rule's fields: those that
// begin at the invoice, and those that the group has that was read from the
// element or around it. Where a single term was read from the element, the finding names, of
// the terms of the rule, only those of these fields. It returns where the first of the
// relative fields is that is present, 0 if none is.
func (r *run) nameFields(f *Finding, c *compiledRule, at source.Ref) (first source.Ref) {
	group := r.positions().Around(r.doc.Source, at)
	var terms []string
	for _, field := range c.fieldsOf(group.Type) {
		of := group
		if field.absolute {
			of = model.ObjectOf(r.doc.Invoice)
		}
		path, ref := r.follow(of, field.steps)
		f.Fields = append(f.Fields, path)
		if field.absolute {
			continue
		}
		if first == 0 {
			first = ref
		}
		if code := field.steps[len(field.steps)-1].BT; code != "" {
			terms = append(terms, code)
		}
	}
	if _, alone := r.positions().TermAt(at); alone || len(f.BTCodes) == 0 {
		f.narrow(terms)
	}
	return first
}

// narrow keeps, of the terms of a rule, those that a finding is about.
func (f *Finding) narrow(terms []string) {
	if len(f.BTCodes) == 0 {
		f.BTCodes = terms
		return
	}
	var involved []string
	for _, code := range f.BTCodes {
		if slices.Contains(terms, code) {
			involved = append(involved, code)
		}
	}
	if involved != nil {
		f.BTCodes = involved
	}
}

// inTable is a finding of a table row at the node it is about.
func (r *run) inTable(w *Row, at source.Ref) Finding {
	f := w.Rule.finding(w.Rule.Level)
	f.Message, f.said.code, f.Failed = w.message(r.doc.Source, at)
	r.nameTerm(&f, at)
	r.locate(&f, at)
	return f
}

// nameTerm gives a finding in the source document the field that was read from the
// node, or the group that it is about. No group names what is wrong with an empty element.
func (r *run) nameTerm(f *Finding, at source.Ref) {
	path, field := r.positions().FieldAt(at)
	if t := r.doc.Source; field == nil && (at < 0 || t.FirstChild(source.Node(at)) != 0 || t.Text(source.Node(at)) != "") {
		path = r.positions().Path(r.positions().Around(t, at))
	}
	if path == "" {
		return
	}
	f.Fields = []string{path}
	if field != nil && field.BT != "" {
		f.narrow([]string{field.BT})
	}
}

// locate gives a finding its position, and a list of terms of its own.
func (r *run) locate(f *Finding, at source.Ref) {
	if f.BTCodes == nil {
		f.BTCodes = []string{}
	} else {
		f.BTCodes = slices.Clone(f.BTCodes)
	}
	f.Locate(r.doc, at)
}

// Locate gives a finding line, column and location of a node in a document; the
// zero Ref means the root element, and without a document they stay null.
func (f *Finding) Locate(doc *model.Document, at source.Ref) {
	t := doc.Source
	if t == nil {
		return
	}
	if at == 0 {
		at = t.Root().Ref()
	}
	position := t.Position(at)
	f.Line, f.Column, f.Location = &position.Line, &position.Column, quote.Shorten(t.Path(at), quote.LongestPath)
}

// positions is the index of where groups and terms are in the document.
func (r *run) positions() *model.Index {
	if !r.indexed {
		r.index.Make(r.doc)
		r.indexed = true
	}
	return &r.index
}
