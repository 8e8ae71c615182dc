package model

// Copy copies an invoice, or another group, with all groups in it. A leaf that has a value and was put together
// without its constructor, such as Text{Raw: "30 days"}, is present in the copy, as if it had
// been made by one; a number or date that has no Raw gets that of its value. Copy of nil is nil.
func Copy[T any](group *T) *T {
	if group == nil {
		return nil
	}
	copied := new(T)
	copyGroup(ObjectOf(copied), ObjectOf(group))
	return copied
}

func copyGroup(to, from Object) {
	to.SetRef(from.Ref())
	for i := range from.Type.Fields {
		f := &from.Type.Fields[i]
		switch f.Kind {
		case KindGroup:
			if group := from.Group(f); group.Present() {
				copyGroup(to.EnsureGroup(f), group)
			}
		case KindList:
			to.makeList(f, from.List(f).Len())
			for i := range from.List(f).Len() {
				copyGroup(to.List(f).At(i), from.List(f).At(i))
			}
		default:
			to.CopyLeaf(f, from)
			to.settle(f)
		}
	}
}

// settle makes a leaf present that has a value.
func (o Object) settle(f *Field) {
	switch f.Kind {
	case KindText:
		o.Text(f).settle()
	case KindBinary:
		b := o.Binary(f)
		b.Present = b.Present || b.Raw != ""
	case KindNumber:
		o.Number(f).settle()
	case KindAmount:
		a := o.Amount(f)
		a.settle()
		a.Currency.settle()
	case KindDate:
		o.Date(f).settle()
	}
}

func (t *Text) settle() { t.Present = t.Present || t.Raw != "" }

// settle reads a number that has a text alone, and writes one that has a value alone.
func (n *Number) settle() {
	switch {
	case n.Raw != "" && !(n.Present && n.Valid):
		n.Present = true
		n.parse()
	case n.Raw == "" && (n.Valid || n.Value.Sign() != 0):
		value := n.Value
		*n = NumberOf(value)
	}
}

// settle reads a date that has a text alone, and writes one that has a day alone.
func (d *Date) settle() {
	switch {
	case d.Raw != "" && !d.Present:
		*d = NewDate(d.Raw)
	case d.Raw == "" && d.Year != 0:
		*d = NewDate(d.ISO())
	}
}
