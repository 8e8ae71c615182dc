package page

import (
	"fmt"
	"strings"

	"einvoice/model"
)

// A template is a text with terms of a group in it: "{identifier}[ ({schemeId})]".
// A part in brackets is left out unless one of its terms is in the invoice; a template
// without any of its terms is empty. A term can have a form: "{categoryCode:code}" is the
// code, where otherwise its name is shown; "{countryCode:abroad}" is nothing where all
// addresses are in one country; "{accountIdentifier:iban}" is grouped, if it is an IBAN;
// "{exemptionReasonCode:reason}" has the code behind its name.
type template struct {
	parts []part
}

// A part is literal text, a term, or parts in brackets.
type part struct {
	literal string
	path    []*model.Field
	form    string
	inner   []part
}

func parseTemplate(s string, t *model.Type) (*template, error) {
	parts, rest, err := parseParts(s, t, false)
	if err == nil && rest != "" {
		err = fmt.Errorf("template %q has a ] without a [", s)
	}
	return &template{parts}, err
}

func parseParts(s string, t *model.Type, inner bool) (parts []part, rest string, err error) {
	for s != "" {
		end := strings.IndexAny(s, "{[]")
		switch {
		case end < 0:
			parts, s = append(parts, part{literal: s}), ""
		case end > 0:
			parts, s = append(parts, part{literal: s[:end]}), s[end:]
		case s[0] == ']':
			if !inner {
				return parts, s, nil
			}
			return parts, s[1:], nil
		case s[0] == '[':
			p := part{}
			if p.inner, s, err = parseParts(s[1:], t, true); err != nil {
				return nil, "", err
			}
			parts = append(parts, p)
		default:
			name, after, closed := strings.Cut(s[1:], "}")
			if !closed {
				return nil, "", fmt.Errorf("template %q has a { without a }", s)
			}
			p := part{}
			name, p.form, _ = strings.Cut(name, ":")
			if p.path, err = fieldsOf(t, name); err != nil {
				return nil, "", err
			}
			if last := p.path[len(p.path)-1]; !last.Kind.IsLeaf() {
				return nil, "", fmt.Errorf("%s is a group; name one of its terms", name)
			}
			parts, s = append(parts, p), after
		}
	}
	return parts, "", nil
}

// fill is the text of a template for a group; empty if none of its terms is there. The
// terms are marked as shown.
func (c *composer) fill(t *template, o model.Object) phrase {
	if t == nil {
		return phrase{}
	}
	text, some := c.fillParts(t.parts, o)
	if !some {
		return phrase{}
	}
	return text
}

// separators are the characters between terms; they are left out at the beginning of a
// text.
const separators = " ,×="

func (c *composer) fillParts(parts []part, o model.Object) (text phrase, some bool) {
	if len(parts) == 1 && parts[0].path != nil {
		return c.fillTerm(&parts[0], o)
	}
	for i := range parts {
		p := &parts[i]
		switch {
		case p.path != nil:
			s, present := c.fillTerm(p, o)
			text = text.plus(s)
			some = some || present
		case p.inner != nil:
			inner := p.inner
			if text.empty() && inner[0].literal != "" && strings.Trim(inner[0].literal, separators) == "" {
				inner = inner[1:]
			}
			if s, present := c.fillParts(inner, o); present {
				text = text.plus(s)
				some = true
			}
		default:
			text = text.plus(words(p.literal))
		}
	}
	return text, some
}

func (c *composer) fillTerm(p *part, o model.Object) (text phrase, present bool) {
	for _, f := range p.path[:len(p.path)-1] {
		o = o.Group(f)
	}
	f := p.path[len(p.path)-1]
	if !o.Has(f) {
		return phrase{}, false
	}
	c.markShown(o, f)
	text = c.value(o, f, p.form)
	return text, o.Raw(f) != "" && !(p.form == "abroad" && text.empty())
}

// value is the text of a term, in a form that a template asks for.
func (c *composer) value(o model.Object, f *model.Field, form string) phrase {
	text := ""
	switch form {
	case "abroad":
		if c.domestic {
			return phrase{}
		}
		text = c.language.leaf(o, f, c.currency)
	case "code":
		text = clean(o.Raw(f))
	case "iban":
		text = groupedIBAN(o.Raw(f))
	case "reason":
		text = c.language.reason(f, o.Raw(f), c.layout.Vat.Directive)
	default:
		text = c.language.leaf(o, f, c.currency)
	}
	return c.marked(text, o, f)
}

// marked is a text that shows a term.
func (c *composer) marked(text string, o model.Object, f *model.Field) phrase {
	p := phrase{text: text}
	if c.keeps && text != "" {
		p.marks = []mark{{0, len(text), leafOf(o, f)}}
	}
	return p
}

// groupedIBAN is an IBAN in groups of four, as it is printed (ISO 13616); any other
// account as it is written.
func groupedIBAN(s string) string {
	iban := compact(s)
	if len(iban) < 5 || !isIBAN(iban) {
		return solid(clean(s))
	}
	var b strings.Builder
	for i := 0; i < len(iban); i += 4 {
		if i > 0 {
			b.WriteRune(noBreakSpace)
		}
		b.WriteString(iban[i:min(i+4, len(iban))])
	}
	return b.String()
}

// markShown notes that a term is shown.
func (c *composer) markShown(o model.Object, f *model.Field) { c.shown[leafOf(o, f)] = true }

// leafOf is the pointer to a leaf of the invoice, which identifies it.
func leafOf(o model.Object, f *model.Field) any {
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
