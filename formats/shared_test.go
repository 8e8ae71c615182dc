package formats_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

// A term alone makes no group that has nothing of it: what is written with it in one syntax
// has no further empty group when it is read, and when it is written in the other and read there.
func TestATermMakesNoOtherGroup(t *testing.T) {
	for _, from := range formats.All {
		usual := []string{"lines[0].item"} // that each line has
		usual = append(usual, emptyAfter(t, from.Syntax, from.Syntax, minimal())...)
		for _, to := range formats.All {
			usual = append(usual, emptyAfter(t, from.Syntax, to.Syntax, minimal())...)
		}
		tried := 0
		for invoice := range eachAlone(model.InvoiceType(), nil) {
			tried++
			for _, to := range formats.All {
				for _, group := range emptyAfter(t, from.Syntax, to.Syntax, invoice.invoice) {
					if !slices.Contains(usual, group) && !strings.HasPrefix(invoice.term, strings.ReplaceAll(group, "[0]", "")) {
						t.Errorf("%s alone, written as %s and then as %s, makes an empty %s", invoice.term, from.Syntax, to.Syntax, group)
					}
				}
			}
		}
		if tried < 500 {
			t.Errorf("%d terms tried, want all", tried)
		}
	}
}

func minimal() *model.Invoice {
	return &model.Invoice{TypeCode: model.NewText("380"), CurrencyCode: model.NewText("EUR"), VatAccountingCurrencyCode: model.NewText("SEK")}
}

type alone struct {
	term    string
	invoice *model.Invoice
}

// eachAlone are invoices that have one term beside the minimum, for each term of the model.
func eachAlone(typ *model.Type, steps []*model.Field) func(func(alone) bool) {
	return func(yield func(alone) bool) {
		for i := range typ.Fields {
			f := &typ.Fields[i]
			path := append(slices.Clip(steps), f)
			switch {
			case f.Kind != model.KindGroup && f.Kind != model.KindList:
				if !yield(withTerm(path)) {
					return
				}
			case f.Elem != typ && len(steps) < 4:
				for a := range eachAlone(f.Elem, path) {
					if !yield(a) {
						return
					}
				}
			}
		}
	}
}

func withTerm(path []*model.Field) alone {
	a := alone{invoice: minimal()}
	group := model.ObjectOf(a.invoice)
	for _, f := range path {
		a.term = model.Join(a.term, f.Name)
		switch f.Kind {
		case model.KindGroup:
			group = group.EnsureGroup(f)
		case model.KindList:
			group = group.AppendGroup(f)
		case model.KindDate:
			group.Set(f, "2026-11-20")
		default:
			group.Set(f, "1")
		}
	}
	return a
}

// emptyAfter are the empty groups of an invoice that was written as from, read, written as to,
// and read.
func emptyAfter(t *testing.T, from, to model.Syntax, invoice *model.Invoice) []string {
	t.Helper()
	doc := &model.Document{Invoice: invoice}
	var empty []string
	for _, syntax := range []model.Syntax{from, to} {
		c, err := formats.Convert(t.Context(), doc, formats.Output{Syntax: syntax, CreditNote: creditNotes})
		if err != nil {
			t.Fatal(err)
		}
		if doc, err = formats.Read(c.Data, formats.Options{}); err != nil {
			t.Fatal(err)
		}
		formats.DropShared(doc)
		empty = append(empty, emptyGroups("", model.ObjectOf(doc.Invoice))...)
	}
	return empty
}

func emptyGroups(path string, o model.Object) (empty []string) {
	filled := false
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		if !o.Has(f) {
			continue
		}
		filled = true
		switch f.Kind {
		case model.KindGroup:
			empty = append(empty, emptyGroups(model.Join(path, f.Name), o.Group(f))...)
		case model.KindList:
			for j := range o.List(f).Len() {
				empty = append(empty, emptyGroups(model.Join(path, f.Name)+"["+strconv.Itoa(j)+"]", o.List(f).At(j))...)
			}
		}
	}
	if !filled {
		return []string{path}
	}
	return empty
}
