package compose

import (
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// A pair is a label with the text that it names.
type pair struct {
	label  string
	value  typeset.Phrase
	newRow bool   // begins a row, because another group of a list is before it
	wide   bool   // has a row of its own
	name   string // of the term, where it is one
}

// pairs are the texts of entries for a group. Each group of a list with several groups
// begins a row, and so does what follows the list.
func (c *composer) pairs(entries []*layout.Entry, o model.Object) []pair {
	var pairs []pair
	newRow := false
	add := func(more ...pair) {
		if len(more) > 0 {
			more[0].newRow = more[0].newRow || newRow
			pairs, newRow = append(pairs, more...), false
		}
	}
	for _, e := range entries {
		if e.Field != nil && e.Field.Name == "paymentDueDate" && c.termGroups() != nil {
			continue // the table of payments says what this day is
		}
		several := 0
		each(o, e.Groups, func(model.Object) { several++ })
		each(o, e.Groups, func(o model.Object) {
			if len(e.Facts) > 0 {
				newRow = newRow || several > 1
				facts := c.pairs(e.Facts, o)
				if e.Inline && len(facts) > 0 {
					facts = []pair{{label: c.language.Label(e.Field), value: c.inline(facts), wide: true}}
				}
				add(facts...)
				return
			}
			value := c.fill(e.Template, o)
			if value.Empty() {
				return
			}
			p := pair{value: value}
			if !e.Bare {
				p.label = c.language.Label(e.Field)
				if iban := e.Template.Form("iban"); iban != nil && iban.Name == "accountIdentifier" && isIBAN(compact(o.Raw(iban))) {
					p.label = c.language.Word("iban")
				}
			}
			if repeats(p.label, value.Text) {
				p.label = ""
			}
			add(p)
		})
		newRow = newRow || several > 1 && len(e.Facts) > 0
	}
	return pairs
}

// repeats reports whether a text begins with what it is called, so that it needs no label.
func repeats(label, text string) bool {
	label, text = strings.ToLower(label), strings.ToLower(text)
	rest, found := strings.CutPrefix(text, label)
	return label != "" && found && (rest == "" || strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, " = ") || strings.HasPrefix(rest, " × "))
}

// inline is pairs in one text.
func (c *composer) inline(pairs []pair) typeset.Phrase {
	texts := make([]typeset.Phrase, len(pairs))
	for i, p := range pairs {
		texts[i] = c.labelled(p)
	}
	return typeset.Joined(texts, "  ·  ")
}

// each calls do for the group that a path leads to, or for all groups of the lists on
// the path.
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
