package page

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"gopkg.in/yaml.v3"

	"einvoice/model"
)

//go:embed layout.yaml
var layoutFile []byte

// A layout says where the terms of an invoice stand; layout.yaml explains it.
type layout struct {
	Title struct {
		Type, Number, Due, Author source
	}
	Facts   []*entry
	Parties []*struct {
		At      string
		Name    source
		Address []source
		Details []*entry

		at []*model.Field
	}
	Lines struct {
		Position, Name, Description, Quantity, Unit source
		Price, Per, Rate, Category, Amount          source
		Details                                     [][]*entry
	}
	Adjustments []*struct {
		At                                    string
		Reason, Base, Percentage, Vat, Amount source

		at []*model.Field
	}
	Vat struct {
		At                                   string
		Category, Reason, Rate, Taxable, Tax source

		at []*model.Field
	}
	Totals []*struct {
		Show   *entry
		Weight string // strong, due or none
		About  source
	}
	Payment struct {
		Facts              []*entry
		Terms              source
		Transfers, Refunds []string
	}
	Notes struct {
		At            string
		Subject, Text source

		at []*model.Field
	}
	Documents struct {
		At                                     string
		Reference, Description, File, Location source

		at []*model.Field
	}
	Technical []*entry
}

// A source is a template as written, and compiled.
type source struct {
	text string
	*template
}

// UnmarshalYAML reads the template; it is compiled when its group is known.
func (s *source) UnmarshalYAML(n *yaml.Node) error { return n.Decode(&s.text) }

// An entry is a term, or what a template makes of a group, with a label.
type entry struct {
	At    string
	Show  string
	Label string
	Bare  bool // without a label
	Facts []*entry

	at    []*model.Field // groups and lists on the way
	show  *template
	label *model.Field
}

// UnmarshalYAML reads an entry, or the path of a term alone.
func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&e.Show)
	}
	type plain entry // without this method
	return n.Decode((*plain)(e))
}

var theLayout = sync.OnceValue(func() *layout {
	l, err := parseLayout(layoutFile)
	if err != nil {
		panic("render: layout.yaml: " + err.Error()) // part of the program
	}
	return l
})

func parseLayout(data []byte) (*layout, error) {
	l := &layout{}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(l); err != nil {
		return nil, err
	}
	return l, l.compile()
}

func (l *layout) compile() error {
	invoice := model.InvoiceType()
	var c compiler
	c.sources(invoice, &l.Title.Type, &l.Title.Number, &l.Title.Due, &l.Title.Author, &l.Payment.Terms)
	c.entries(invoice, l.Facts, l.Payment.Facts, l.Technical)
	for _, p := range l.Parties {
		var t *model.Type
		p.at, t = c.group(invoice, p.At)
		c.sources(t, &p.Name)
		for i := range p.Address {
			c.sources(t, &p.Address[i])
		}
		c.entries(t, p.Details)
	}
	_, line := c.group(invoice, "lines")
	lines := &l.Lines
	c.sources(line, &lines.Position, &lines.Name, &lines.Description, &lines.Quantity, &lines.Unit,
		&lines.Price, &lines.Per, &lines.Rate, &lines.Category, &lines.Amount)
	c.entries(line, lines.Details...)
	for _, a := range l.Adjustments {
		var t *model.Type
		a.at, t = c.group(invoice, a.At)
		c.sources(t, &a.Reason, &a.Base, &a.Percentage, &a.Vat, &a.Amount)
	}
	var t *model.Type
	l.Vat.at, t = c.group(invoice, l.Vat.At)
	c.sources(t, &l.Vat.Category, &l.Vat.Reason, &l.Vat.Rate, &l.Vat.Taxable, &l.Vat.Tax)
	for _, row := range l.Totals {
		t := c.entry(invoice, row.Show)
		c.sources(t, &row.About)
	}
	l.Notes.at, t = c.group(invoice, l.Notes.At)
	c.sources(t, &l.Notes.Subject, &l.Notes.Text)
	l.Documents.at, t = c.group(invoice, l.Documents.At)
	c.sources(t, &l.Documents.Reference, &l.Documents.Description, &l.Documents.File, &l.Documents.Location)
	return errors.Join(c.errs...)
}

// A compiler finds the fields that a layout names.
type compiler struct{ errs []error }

func (c *compiler) failed(err error) {
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

func (c *compiler) group(t *model.Type, path string) ([]*model.Field, *model.Type) {
	if path == "" {
		return nil, t
	}
	fields, err := fieldsOf(t, path)
	if err == nil && fields[len(fields)-1].Elem == nil {
		err = fmt.Errorf("%s is a term; name a group or list", path)
	}
	if err != nil {
		c.failed(err)
		return nil, t
	}
	return fields, fields[len(fields)-1].Elem
}

func (c *compiler) sources(t *model.Type, sources ...*source) {
	for _, s := range sources {
		var err error
		s.template, err = parseTemplate(s.text, t)
		c.failed(err)
	}
}

func (c *compiler) entries(t *model.Type, lists ...[]*entry) {
	for _, list := range lists {
		for _, e := range list {
			c.entry(t, e)
		}
	}
}

// entry compiles an entry and returns the type of the group it is about.
func (c *compiler) entry(t *model.Type, e *entry) *model.Type {
	within := t
	if e.At != "" {
		e.at, within = c.group(t, e.At)
		if len(e.at) > 0 {
			e.label = e.at[len(e.at)-1]
		}
	}
	switch {
	case len(e.Facts) > 0:
		c.entries(within, e.Facts)
		return within
	case e.At == "" && e.Label == "": // the path of a term
		fields, err := fieldsOf(t, e.Show)
		if err != nil {
			c.failed(err)
			return t
		}
		last := len(fields) - 1
		if !fields[last].Kind.IsLeaf() {
			c.failed(fmt.Errorf("%s is a group; name one of its terms, or give it a template", e.Show))
			return t
		}
		e.at, e.label = fields[:last], fields[last]
		if last > 0 {
			within = fields[last-1].Elem
		}
		e.show = &template{[]part{{path: fields[last:]}}}
		return within
	}
	var err error
	e.show, err = parseTemplate(e.Show, within)
	c.failed(err)
	if e.Label != "" {
		fields, err := fieldsOf(within, e.Label)
		c.failed(err)
		if err == nil {
			e.label = fields[len(fields)-1]
		}
	}
	return within
}

// each calls do for the group at a path, or for all groups of the lists on it.
func each(o model.Object, path []*model.Field, do func(model.Object)) {
	for i, f := range path {
		if f.Kind == model.KindList {
			list := o.List(f)
			for j := range list.Len() {
				each(list.At(j), path[i+1:], do)
			}
			return
		}
		o = o.Group(f)
	}
	if o.Present() {
		do(o)
	}
}

// A pair is a label with what it names.
type pair struct {
	label, value string
	apart        bool // begins a row: another group of a list is before it
}

// pairs are what entries have to say of a group. Of a list with several groups each
// begins a row, and so does what follows.
func (c *composer) pairs(entries []*entry, o model.Object) []pair {
	var pairs []pair
	apart := false
	add := func(more ...pair) {
		if len(more) > 0 {
			more[0].apart = more[0].apart || apart
			pairs, apart = append(pairs, more...), false
		}
	}
	for _, e := range entries {
		several := 0
		each(o, e.at, func(model.Object) { several++ })
		each(o, e.at, func(o model.Object) {
			if len(e.Facts) > 0 {
				apart = apart || several > 1
				add(c.pairs(e.Facts, o)...)
				return
			}
			value := c.fill(e.show, o)
			if value == "" {
				return
			}
			p := pair{value: value}
			if !e.Bare {
				p.label = c.language.label(e.label)
			}
			add(p)
		})
		apart = apart || several > 1 && len(e.Facts) > 0
	}
	return pairs
}
