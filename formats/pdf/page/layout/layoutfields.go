package layout

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"einvoice/model"
)

// resolve finds the fields of the model that the layout names.
func (l *Layout) resolve() error {
	invoice := model.InvoiceType()
	var r Resolver
	r.templates(invoice, &l.Title.Type, &l.Title.Number, &l.Title.Due, &l.Title.DueDate, &l.Payment.Terms)
	r.Entries(invoice, l.Information, l.Facts, l.Payment.Facts, l.Technical)
	for _, p := range l.Parties {
		var t *model.Type
		p.Groups, t = r.group(invoice, p.At)
		r.templates(t, &p.Name)
		for i := range p.Address {
			r.templates(t, &p.Address[i])
		}
		r.Entries(t, p.Details)
	}
	_, line := r.group(invoice, "lines")
	lines := &l.Lines
	r.templates(line, &lines.Position, &lines.Name, &lines.Description, &lines.Quantity, &lines.Unit,
		&lines.Price, &lines.Per, &lines.Rate, &lines.Category, &lines.Amount)
	if per := lines.Per.Template; per != nil && len(per.Parts) > 0 && (len(per.Parts) != 2 || per.Parts[0].Inner == nil || per.Parts[1].Inner == nil) {
		r.failed(errors.New("lines: per has two parts in brackets, the quantity and its unit"))
	}
	r.Entries(line, lines.Details...)
	for _, a := range l.Adjustments {
		var t *model.Type
		a.Groups, t = r.group(invoice, a.At)
		r.templates(t, &a.Reason, &a.Base, &a.Percentage, &a.Rate, &a.Category, &a.Amount)
	}
	var t *model.Type
	l.Vat.Groups, t = r.group(invoice, l.Vat.At)
	r.templates(t, &l.Vat.Category, &l.Vat.Code, &l.Vat.Reason, &l.Vat.ReasonCode, &l.Vat.Rate, &l.Vat.Taxable, &l.Vat.Tax)
	for _, row := range l.Totals {
		t := r.entry(invoice, row.Show)
		r.templates(t, &row.About)
	}
	l.Notes.Groups, t = r.group(invoice, l.Notes.At)
	r.templates(t, &l.Notes.Subject, &l.Notes.Text)
	l.Documents.Groups, t = r.group(invoice, l.Documents.At)
	r.templates(t, &l.Documents.Reference, &l.Documents.Description, &l.Documents.File, &l.Documents.Location)
	for _, a := range l.Payment.Agreed {
		var err error
		a.Regexp, err = regexp.Compile(a.Pattern)
		r.failed(err)
	}
	return errors.Join(r.Errs...)
}

// A Resolver finds fields by their paths, and collects the mistakes.
type Resolver struct{ Errs []error }

func (r *Resolver) failed(err error) {
	if err != nil {
		r.Errs = append(r.Errs, err)
	}
}

// group finds the fields on the path to a group or list, and its type.
func (r *Resolver) group(t *model.Type, path string) ([]*model.Field, *model.Type) {
	if path == "" {
		return nil, t
	}
	fields, err := fieldsOf(t, path)
	if err == nil && fields[len(fields)-1].Elem == nil {
		err = fmt.Errorf("%s is a term; name a group or list", path)
	}
	if err != nil {
		r.failed(err)
		return nil, t
	}
	return fields, fields[len(fields)-1].Elem
}

func (r *Resolver) templates(t *model.Type, sources ...*Source) {
	for _, s := range sources {
		var err error
		s.Template, err = parseTemplate(s.text, t)
		r.failed(err)
	}
}

// Entries resolves lists of entries for a group of the type.
func (r *Resolver) Entries(t *model.Type, lists ...[]*Entry) {
	for _, list := range lists {
		for _, e := range list {
			r.entry(t, e)
		}
	}
}

// entry resolves an entry and returns the type of the group that it is about.
func (r *Resolver) entry(t *model.Type, e *Entry) *model.Type {
	within := t
	if e.At != "" {
		e.Groups, within = r.group(t, e.At)
		if len(e.Groups) > 0 {
			e.Field = e.Groups[len(e.Groups)-1]
		}
	}
	switch {
	case len(e.Facts) > 0:
		r.Entries(within, e.Facts)
		return within
	case e.At == "" && e.Label == "":
		return r.term(t, e)
	}
	var err error
	e.Template, err = parseTemplate(e.Show, within)
	r.failed(err)
	if e.Label != "" {
		fields, err := fieldsOf(within, e.Label)
		r.failed(err)
		if err == nil {
			e.Field = fields[len(fields)-1]
		}
	}
	return within
}

// Literal is the text of an entry that shows no term; empty for others.
func (e *Entry) Literal() string {
	if e.Template == nil || len(e.Template.Parts) != 1 {
		return ""
	}
	return e.Template.Parts[0].Literal
}

// Moved is the entry for another group of the invoice that has the same terms; nil where the
// entry is not of the first group, or the other one lacks its terms.
func (e *Entry) Moved(from, to string) *Entry {
	moved := &Entry{At: e.At, Show: e.Show, Label: e.Label, Bare: e.Bare}
	path := &moved.At
	if e.At == "" {
		path = &moved.Show
	}
	rest, within := strings.CutPrefix(*path, from)
	if !within || len(e.Facts) > 0 {
		return nil
	}
	*path = to + rest
	var r Resolver
	if r.entry(model.InvoiceType(), moved); len(r.Errs) > 0 {
		return nil
	}
	return moved
}

// term resolves an entry that is the path of a term.
func (r *Resolver) term(t *model.Type, e *Entry) *model.Type {
	fields, err := fieldsOf(t, e.Show)
	if err != nil {
		r.failed(err)
		return t
	}
	last := len(fields) - 1
	if !fields[last].Kind.IsLeaf() {
		r.failed(fmt.Errorf("%s is a group; name one of its terms, or give it a template", e.Show))
		return t
	}
	e.Groups, e.Field = fields[:last], fields[last]
	e.Template = &Template{[]Part{{Path: fields[last:]}}}
	if last > 0 {
		return fields[last-1].Elem
	}
	return t
}

// fieldsOf are the fields on a path.
func fieldsOf(t *model.Type, path string) ([]*model.Field, error) {
	var fields []*model.Field
	for name := range strings.SplitSeq(path, ".") {
		f, ok := t.Field(name)
		if !ok {
			return nil, fmt.Errorf("%s has no field %s (in %s)", t.Name, name, path)
		}
		fields = append(fields, f)
		t = f.Elem
	}
	return fields, nil
}
