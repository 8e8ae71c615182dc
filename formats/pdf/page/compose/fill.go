package compose

import (
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// fill is the text of a template for a group; empty if none of its terms is there. The
// terms are marked as shown.
func (c *composer) fill(t *layout.Template, o model.Object) typeset.Phrase {
	if t == nil {
		return typeset.Phrase{}
	}
	text, some := c.fillParts(t.Parts, o)
	if !some {
		return typeset.Phrase{}
	}
	return text
}

// separators are the characters between terms; they are left out at the beginning of a
// text, and of what is in brackets.
const separators = " ,×="

func (c *composer) fillParts(parts []layout.Part, o model.Object) (text typeset.Phrase, some bool) {
	if len(parts) == 1 && parts[0].Path != nil {
		return c.fillTerm(&parts[0], o)
	}
	for i := range parts {
		p := &parts[i]
		switch {
		case p.Path != nil:
			s, present := c.fillTerm(p, o)
			text = text.Plus(s)
			some = some || present
		case p.Inner != nil:
			inner := p.Inner
			if (text.Empty() || strings.HasSuffix(text.Text, "(")) && inner[0].Literal != "" && strings.Trim(inner[0].Literal, separators) == "" {
				inner = inner[1:]
			}
			if s, present := c.fillParts(inner, o); present {
				if !isCode(inner) || !strings.EqualFold(strings.Trim(s.Text, separators), text.Text) { // whose name is the reason
					text = text.Plus(s)
				}
				some = true
			}
		default:
			text = text.Plus(typeset.Words(p.Literal))
		}
	}
	return text, some
}

// isCode reports whether a part of a template shows a code, and nothing else.
func isCode(parts []layout.Part) bool {
	path := parts[len(parts)-1].Path
	return path != nil && path[len(path)-1].Class == "code"
}

func (c *composer) fillTerm(p *layout.Part, o model.Object) (text typeset.Phrase, present bool) {
	for _, f := range p.Path[:len(p.Path)-1] {
		o = o.Group(f)
	}
	f := p.Path[len(p.Path)-1]
	if p.Form == "place" && o.Present() {
		text = c.place(o)
		return text, !text.Empty()
	}
	if !o.Has(f) {
		return typeset.Phrase{}, false
	}
	c.markShown(o, f)
	text = c.value(o, f, p.Form)
	return text, o.Raw(f) != "" && !(p.Form == "abroad" && text.Empty())
}

// indicator says whether an amount is an allowance or a charge.
const indicator = "chargeIndicator"

// value is the text of a term, in a form that a template asks for. All that a page shows goes
// through it, so that it asks whether the context has ended: before anything of a list is drawn,
// the whole of it may be made.
func (c *composer) value(o model.Object, f *model.Field, form string) typeset.Phrase {
	if c.stopped() {
		return typeset.Phrase{}
	}
	text := ""
	if f.Name == indicator && form == "" {
		return c.marked(c.language.Label(c.field(map[bool]string{true: "charges", false: "allowances"}[isTrue(o.Raw(f))])), o, f)
	}
	switch form {
	case "abroad":
		if c.home != "" && o.Raw(f) == c.home {
			return typeset.Phrase{}
		}
		text = c.language.Leaf(o, f, c.currency)
	case "code":
		text = typeset.Clean(o.Raw(f))
	case "iban":
		text = groupedIBAN(o.Raw(f))
	case "reason":
		text = c.language.Reason(f, o.Raw(f), c.layout.Vat.Directive.Article(o.Raw(f)))
	default:
		text = c.language.Leaf(o, f, c.currency)
	}
	return c.marked(text, o, f)
}

// marked is a text that shows a term.
func (c *composer) marked(text string, o model.Object, f *model.Field) typeset.Phrase {
	p := typeset.Phrase{Text: text}
	if c.keeps && text != "" {
		p.Marks = []typeset.Mark{{To: len(text), Leaf: LeafOf(o, f)}}
	}
	return p
}

// markShown notes that a term is shown.
func (c *composer) markShown(o model.Object, f *model.Field) { c.shown[LeafOf(o, f)] = true }

// LeafOf is the pointer to a leaf of the invoice, which identifies it.
func LeafOf(o model.Object, f *model.Field) any {
	switch f.Kind {
	case model.KindBinary:
		return o.Binary(f)
	case model.KindNumber, model.KindAmount:
		return o.Number(f)
	case model.KindDate:
		return o.Date(f)
	}
	return o.Text(f)
}
