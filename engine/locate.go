package engine

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// finding is what every finding of a rule says, wherever it stands.
func (r *run) finding(p *program, ok bool) Finding {
	rule := p.form.rule
	f := Finding{Rule: rule.ID, Layer: rule.Layer, Level: p.form.level, BTCodes: rule.BTCodes, Raw: rule.Raw(), Failed: !ok}
	if v := p.form.at(r.doc); v != nil && v.Level != "" {
		f.Level = v.Level
	}
	if !ok {
		f.Message = "This rule could not be decided: " + r.err.Error() + ". Correct the value; until then the rule counts as violated."
		return f
	}
	p.messageOnce.Do(func() { p.message = p.library.parseMessage(p.form.message, p.this) })
	f.Message = p.message.render(r.frame)
	return f
}

// inModel places a finding of a rule over the invoice or the PDF around it.
func (r *run) inModel(top *root, p *program, node model.Object, ok bool) Finding {
	if top.typ == model.ContainerType() {
		return r.inContainer(p, node, ok)
	}
	return r.inInvoice(p, node, ok)
}

// inContainer places a finding of a rule over the PDF. It has no line: Location
// is the first of the rule's fields, as a path from /container. The fields of the
// finding are those in the invoice, which alone can be corrected in a request.
func (r *run) inContainer(p *program, node model.Object, ok bool) Finding {
	f := r.finding(p, ok)
	if r.index == nil {
		r.index = model.NewIndex(r.doc)
	}
	f.BTCodes = append([]string{}, f.BTCodes...)
	at := r.index.Path(node)
	for _, field := range p.fields {
		if field.absolute {
			path, _ := r.follow(model.ObjectOf(r.doc.Invoice), field.steps)
			f.Fields = append(f.Fields, path)
		} else if f.Location == "" {
			at, _ = r.follow(node, field.steps)
			f.Location = containerPath(at)
		}
	}
	if f.Location == "" {
		f.Location = containerPath(at)
	}
	return f
}

// containerPath writes a path of the container as XPath, which counts from 1.
func containerPath(path string) string {
	out := "/container"
	for _, step := range strings.Split(path, ".") {
		name, index, err := splitIndex(step)
		if out += "/" + name; err == nil && index >= 0 {
			out += fmt.Sprintf("[%d]", index+1)
		}
	}
	return strings.TrimSuffix(out, "/")
}

// inInvoice places a finding of a rule over the invoice: at the first field
// that is there, else at the nearest group around it that is.
func (r *run) inInvoice(p *program, node model.Object, ok bool) Finding {
	f := r.finding(p, ok)
	if r.index == nil {
		r.index = model.NewIndex(r.doc)
	}
	var at source.Ref
	for _, field := range p.fields {
		from := node
		if field.absolute {
			from = model.ObjectOf(r.doc.Invoice)
		}
		path, ref := r.follow(from, field.steps)
		f.Fields = append(f.Fields, path)
		if at == 0 {
			at = ref
		}
	}
	for o := node; at == 0 && o.Present(); o = r.index.Parent(o) {
		at = o.Ref()
	}
	r.place(&f, at)
	return f
}

// follow writes the path of a field and finds where it stands, 0 if it is absent.
func (r *run) follow(o model.Object, steps []*model.Field) (path string, at source.Ref) {
	path = r.index.Path(o)
	for i, step := range steps {
		path = model.Join(path, step.Name)
		if i == len(steps)-1 {
			return path, o.RefOf(step)
		}
		o = o.Group(step)
	}
	return path, 0
}

// inSource places a finding of a rule at its element.
func (r *run) inSource(p *program, n source.Node, ok bool) Finding {
	f := r.finding(p, ok)
	if len(p.form.fields) == 0 {
		r.nameTerm(&f, n.Ref())
	} else {
		r.nameFields(&f, p.form.fields, n.Ref())
	}
	r.place(&f, n.Ref())
	return f
}

// nameFields gives a finding in the source document the rule's fields: those
// from the invoice as they are, those relative to the group that was read there
// as far as it has them. Where what was read there is one term, of the rule's
// terms only theirs are involved.
func (r *run) nameFields(f *Finding, fields []string, at source.Ref) {
	if r.index == nil {
		r.index = model.NewIndex(r.doc)
	}
	group, known := r.index.GroupAt(at)
	var terms []string
	for _, text := range fields {
		of, absolute := group, strings.HasPrefix(text, "/")
		if absolute {
			of = model.ObjectOf(r.doc.Invoice)
		} else if !known {
			continue
		}
		field, err := parseFieldPath(text, of.Type)
		if err != nil {
			continue
		}
		path, _ := r.follow(of, field.steps)
		f.Fields = append(f.Fields, path)
		if code := field.steps[len(field.steps)-1].BT; !absolute && code != "" {
			terms = append(terms, code)
		}
	}
	if _, alone := r.index.TermAt(at); alone || len(f.BTCodes) == 0 {
		f.narrow(terms)
	}
}

// narrow leaves of a rule's many terms those that a finding is about.
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

// inTable places a finding of a table row at the node it is about.
func (r *run) inTable(w *row, at source.Ref) Finding {
	rule := w.rule
	f := Finding{Rule: rule.ID, Layer: rule.Layer, Level: rule.Level, BTCodes: rule.BTCodes, Raw: rule.Raw()}
	f.Message, f.Failed = w.message(r.doc.Source, at)
	r.nameTerm(&f, at)
	r.place(&f, at)
	return f
}

// nameTerm gives a finding in the source document the field that was read there.
func (r *run) nameTerm(f *Finding, at source.Ref) {
	if r.index == nil {
		r.index = model.NewIndex(r.doc)
	}
	term, known := r.index.TermAt(at)
	if !known {
		return
	}
	f.Fields = []string{model.Join(r.index.Path(term.Of), term.Field.Name)}
	if term.Field.BT != "" {
		f.narrow([]string{term.Field.BT})
	}
}

// place gives a finding its place, and a term list of its own.
func (r *run) place(f *Finding, at source.Ref) {
	if f.BTCodes == nil {
		f.BTCodes = []string{}
	} else {
		f.BTCodes = slices.Clone(f.BTCodes)
	}
	Place(f, r.doc, at)
}

// Place gives a finding line, column and location of a place in a document; the
// zero Ref means the root element, and without a document they stay null.
func Place(f *Finding, doc *model.Document, at source.Ref) {
	t := doc.Source
	if t == nil {
		return
	}
	if at == 0 {
		at = t.Root().Ref()
	}
	position := t.Position(at)
	f.Line, f.Column, f.Location = &position.Line, &position.Column, t.Path(at)
}
