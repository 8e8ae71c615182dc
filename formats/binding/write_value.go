package binding

import (
	"strings"
	"unicode/utf8"

	"einvoice/model"
)

// attributes writes the attributes of an element. What the table puts into them
// tells nothing: it only says what the element is.
func (w *writer) attributes(o *outline) said {
	told := nothing
	if o.text != nil && o.text.kind == valueTerm {
		switch o.text.field.Kind {
		case model.KindAmount:
			w.currency(o)
		case model.KindDate:
			if w.owner(&o.text.target).Has(o.text.field) {
				w.out = append(w.out, w.layout.dateAttr...)
			}
		}
	}
	for i := range o.attributes {
		a := &o.attributes[i]
		if a.name == w.layout.currency {
			continue
		}
		start := len(w.out)
		w.out = append(append(append(w.out, ' '), a.name...), `="`...)
		open := len(w.out)
		term := w.value(&a.value, true) == something
		if len(w.out) == open && !term {
			w.out = w.out[:start]
			continue
		}
		w.out = append(w.out, '"')
		if term {
			told = something
		}
	}
	return told
}

// currency writes the currency of an amount: its own, or the one that the table
// says. Without either it is the invoice's, which need not be repeated.
func (w *writer) currency(o *outline) {
	amount := w.owner(&o.text.target).Amount(o.text.field)
	if !amount.Present && o.text.otherwise == nil {
		return
	}
	own := w.owner(&w.layout.ownCode).Text(w.layout.ownCode.field)
	code, needed := own, w.layout.always
	for i := range o.attributes {
		if a := &o.attributes[i]; a.name == w.layout.currency && a.kind == valueEqual {
			code, needed = w.owner(&a.target).Text(a.field), true
		}
	}
	if amount.Currency.Present && (needed || trim(amount.Currency.Raw) != trim(own.Raw)) {
		code, needed = &amount.Currency, true
	}
	if !needed || !code.Present {
		return
	}
	w.out = append(append(append(w.out, ' '), w.layout.currency...), `="`...)
	w.escape(code.Raw, true, w.slots[0], w.layout.ownCode.field)
	w.out = append(w.out, '"')
}

// value writes what an attribute or element holds.
func (w *writer) value(v *value, attribute bool) said {
	owner := w.owner(&v.target)
	switch {
	case v.kind == valueFixed:
		w.out = append(w.out, v.fixed...)
		return tableOnly
	case v.kind == valueEqual:
		w.escape(owner.Text(v.field).Raw, attribute, owner, v.field)
		return tableOnly
	case !w.here(v.outside):
		return nothing
	}
	front := nothing
	if v.prefix != nil && w.prefixed(v.prefix, owner, v.field) {
		front = something
	}
	if !owner.Has(v.field) {
		if v.otherwise != nil && w.substitute(v) {
			return tableOnly
		}
		return front
	}
	switch v.field.Kind {
	case model.KindText:
		raw := owner.Text(v.field).Raw
		if v.codes != nil {
			code, ok := v.codes.toDocument(raw)
			if !ok {
				w.leave(owner, v.field, "the code "+raw+" means something else in "+w.format.Name)
				return nothing
			}
			raw = code
		}
		w.escape(raw, attribute, owner, v.field)
	case model.KindBinary:
		w.escape(owner.Binary(v.field).Raw, attribute, owner, v.field)
	case model.KindNumber, model.KindAmount:
		w.number(owner.Number(v.field), attribute, owner, v.field)
	case model.KindDate:
		w.date(owner.Date(v.field), attribute, owner, v.field)
	}
	w.place(owner, v.field)
	return something
}

func (w *writer) number(n *model.Number, attribute bool, owner model.Object, f *model.Field) {
	if n.Valid {
		w.out = n.Value.Append(w.out)
		return
	}
	w.escape(n.Raw, attribute, owner, f)
}

func (w *writer) date(d *model.Date, attribute bool, owner model.Object, f *model.Field) {
	if !d.Valid {
		w.escape(d.Raw, attribute, owner, f)
		return
	}
	w.out = append(w.out, w.layout.date(*d)...)
	if said := trim(d.Raw); said != d.ISO() && said != d.Compact() {
		w.lose(Loss{Kind: Changed, Group: owner, Field: f, Value: d.Raw, Reason: "a date of EN 16931 has no time zone"})
	}
}

// prefixed writes the term in front of a text, where there is one, and reports
// whether it did.
func (w *writer) prefixed(p *prefixed, owner model.Object, text *model.Field) bool {
	front := w.owner(&p.target)
	if !front.Has(p.field) {
		if _, _, ok := p.split(owner.Raw(text)); ok {
			w.lose(Loss{Kind: Changed, Group: owner, Field: text, Value: owner.Raw(text), Reason: w.format.Name + " takes the beginning of this text for " + p.field.BT})
		}
		return false
	}
	code := front.Raw(p.field)
	if utf8.RuneCountInString(code) != p.length || strings.Contains(code, p.mark) {
		w.leave(front, p.field, w.format.Name+" writes this code in front of the text, where it is not recognised unless it has three characters")
		return false
	}
	w.out = append(w.out, p.mark...)
	w.escape(code, false, front, p.field)
	w.out = append(w.out, p.mark...)
	w.place(front, p.field)
	return true
}

// substitute writes what the schema demands in place of a term.
func (w *writer) substitute(v *value) bool {
	s := v.otherwise
	start := len(w.out)
	switch {
	case s.text != "":
		w.out = append(w.out, s.text...)
	case s.total != nil:
		sum := model.NewDecimal(0)
		list := w.owner(&s.list).List(s.list.field)
		if list.Len() == 0 {
			return false
		}
		for i := range list.Len() {
			sum = sum.Add(list.At(i).Number(s.total).Value)
		}
		w.out = sum.Append(w.out)
	default:
		a, b := w.operand(&s.operands[0]), w.operand(&s.operands[1])
		if !a.Valid || !b.Valid {
			return false
		}
		result := a.Value.Add(b.Value)
		if s.minus {
			result = a.Value.Sub(b.Value)
		}
		w.out = result.Append(w.out)
	}
	w.lose(Loss{Kind: Added, Group: w.owner(&v.target), Field: v.field, Value: string(w.out[start:]), Reason: "the schema of " + w.format.Name + " demands a value here"})
	return true
}

func (w *writer) operand(t *target) *model.Number { return w.owner(t).Number(t.field) }

// toDocument translates a code of the model; ok is false if the document's code
// of that name means something else.
func (c *codes) toDocument(raw string) (code string, ok bool) {
	code = trim(raw)
	if own, marked := strings.CutPrefix(code, string(c.syntax)+":"); marked {
		return own, true
	}
	for _, p := range c.pairs {
		if p.model == code {
			return p.document, true
		}
	}
	for _, p := range c.pairs {
		if p.document == code {
			return "", false
		}
	}
	return raw, true
}

// ibanShaped reports whether a text is written like an IBAN, whether or not its
// check digits are right: that is for rules to say.
func ibanShaped(raw string) bool {
	s := strings.ReplaceAll(trim(raw), " ", "")
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter, digit := c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
		if i < 2 && !letter || (i == 2 || i == 3) && !digit || !letter && !digit {
			return false
		}
	}
	return true
}

func trim(s string) string { return strings.Trim(s, xmlSpace) }
