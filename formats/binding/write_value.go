package binding

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"einvoice/model"
)

// attributes writes the attributes of an element. Values of the table do not count
// as content: they only say what the element is.
func (w *writer) attributes(e *writeElement) contentKind {
	content := noContent
	if e.text != nil && e.text.kind == valueTerm {
		switch e.text.field.Kind {
		case model.KindAmount:
			w.currency(e)
		case model.KindDate:
			if w.owner(&e.text.fieldPath).Has(e.text.field) {
				w.out = append(w.out, w.plan.dateAttribute...)
			}
		}
	}
	for i := range e.attributes {
		a := &e.attributes[i]
		if a.name == w.plan.currency {
			continue
		}
		start := len(w.out)
		w.out = append(append(append(w.out, ' '), a.name...), `="`...)
		valueStart := len(w.out)
		isTerm := w.value(&a.writeValue, true) == invoiceContent
		if len(w.out) == valueStart && !isTerm {
			w.out = w.out[:start]
			continue
		}
		w.out = append(w.out, '"')
		if isTerm {
			content = invoiceContent
		}
	}
	return content
}

// currency writes the currency of an amount: its own, or the one that the table
// names. Without either it is the invoice's currency, which need not be repeated.
func (w *writer) currency(e *writeElement) {
	amount := w.owner(&e.text.fieldPath).Amount(e.text.field)
	if !amount.Present && e.text.otherwise == nil {
		return
	}
	invoice := w.owner(&w.plan.invoiceCurrency).Text(w.plan.invoiceCurrency.field)
	code, needed := invoice, w.plan.everyAmount
	for i := range e.attributes {
		if a := &e.attributes[i]; a.name == w.plan.currency && a.kind == valueEqual {
			code, needed = w.owner(&a.fieldPath).Text(a.field), true
		}
	}
	if amount.Currency.Present && (needed || trim(amount.Currency.Raw) != trim(invoice.Raw)) {
		code, needed = &amount.Currency, true
	}
	if !needed || !code.Present {
		return
	}
	w.out = append(append(append(w.out, ' '), w.plan.currency...), `="`...)
	w.escape(code.Raw, true, w.slots[0], w.plan.invoiceCurrency.field)
	w.out = append(w.out, '"')
}

// value writes what an attribute or element holds.
func (w *writer) value(v *writeValue, attribute bool) contentKind {
	owner := w.owner(&v.fieldPath)
	switch {
	case v.kind == valueFixed:
		w.out = append(w.out, v.fixed...)
		return tableContent
	case v.kind == valueEqual:
		w.escape(owner.Text(v.field).Raw, attribute, owner, v.field)
		return tableContent
	case !w.belongsHere(v.enclosing), v.first != nil && w.saidBefore(v, owner):
		return noContent
	}
	content := noContent
	if v.prefix != nil && w.prefix(v.prefix, owner, v.field) {
		content = invoiceContent
	}
	if !owner.Has(v.field) {
		if v.otherwise != nil && w.substitute(v) {
			return tableContent
		}
		return content
	}
	if v.unlessSame != nil && w.isImplied(v, owner) {
		return content
	}
	switch v.field.Kind {
	case model.KindText:
		raw := owner.Text(v.field).Raw
		if v.codes != nil {
			code, ok := v.codes.toDocument(raw)
			if !ok {
				w.setReason(owner, v.field, "the code "+raw+" means something else in "+w.format.Name)
				return noContent
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
	w.recordTerm(owner, v.field)
	return invoiceContent
}

// isImplied reports whether a term is not written because another one says the same.
func (w *writer) isImplied(v *writeValue, owner model.Object) bool {
	other := w.owner(v.unlessSame)
	if trim(owner.Raw(v.field)) != trim(other.Raw(v.unlessSame.field)) {
		return false
	}
	w.setReason(owner, v.field, fmt.Sprintf("%s has %s only where it differs from %s, so it is left out", w.format.Name, v.field.BT, v.unlessSame.field.BT))
	if w.implied != nil {
		w.implied[termKey{owner, v.field}] = true
	}
	return true
}

// saidBefore reports whether an earlier element of the list has a term that is written once.
func (w *writer) saidBefore(v *writeValue, owner model.Object) bool {
	if w.split.repeated && w.split.group == owner {
		return true
	}
	entries := w.owner(&v.first.list).List(v.first.list.field)
	for i := range w.indices[v.first.entrySlot] {
		if owner.Has(v.field) && entries.At(i).Raw(v.field) == owner.Raw(v.field) {
			w.setReason(owner, v.field, fmt.Sprintf("%s has %s once for all entries, so it is not repeated", w.format.Name, v.field.BT))
			if w.implied != nil {
				w.implied[termKey{owner, v.field}] = true
			}
			return true
		}
	}
	return false
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
	w.out = append(w.out, w.plan.formatDate(*d)...)
	if raw := trim(d.Raw); raw != d.ISO() && raw != d.Compact() {
		w.addLoss(Loss{Kind: Changed, Group: owner, Field: f, Value: d.Raw, Reason: "a date of EN 16931 has no time zone"})
	}
}

// prefix writes the term in front of a text, if there is one, and reports whether
// it did.
func (w *writer) prefix(p *prefixTerm, owner model.Object, text *model.Field) bool {
	front := w.owner(&p.fieldPath)
	if !front.Has(p.field) {
		if _, _, ok := p.split(owner.Raw(text)); ok {
			w.addLoss(Loss{Kind: Changed, Group: owner, Field: text, Value: owner.Raw(text), Reason: w.format.Name + " takes the beginning of this text for " + p.field.BT})
		}
		return false
	}
	code := front.Raw(p.field)
	if utf8.RuneCountInString(code) != p.length || strings.Contains(code, p.mark) {
		w.setReason(front, p.field, w.format.Name+" writes this code in front of the text, where it is not recognised unless it has three characters")
		return false
	}
	w.out = append(w.out, p.mark...)
	w.escape(code, false, front, p.field)
	w.out = append(w.out, p.mark...)
	w.recordTerm(front, p.field)
	return true
}

// substitute writes what the schema requires in place of an absent term.
func (w *writer) substitute(v *writeValue) bool {
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
	if s.placeholder {
		return true
	}
	w.addLoss(Loss{Kind: Added, Group: w.owner(&v.fieldPath), Field: v.field, Value: string(w.out[start:]), Reason: "the schema of " + w.format.Name + " demands a value here"})
	return true
}

func (w *writer) operand(p *fieldPath) *model.Number { return w.owner(p).Number(p.field) }
