package layout

import (
	"fmt"
	"strings"

	"einvoice/model"
)

// A Template is a text with terms of a group in it: "{identifier}[ ({schemeId})]".
// A part in brackets is left out unless one of its terms is in the invoice; a template
// without any of its terms is empty. A term can have a form: "{categoryCode:code}" is the
// code, where otherwise its name is shown; "{countryCode:abroad}" is nothing where all
// addresses are in one country; "{city:place}" is post code, city and region as the country of
// the address writes them; "{accountIdentifier:iban}" is grouped, if it is an IBAN;
// "{exemptionReasonCode:reason}" has the code behind its name.
type Template struct {
	Parts []Part
}

// A Part is literal text, a term, or parts in brackets.
type Part struct {
	Literal string
	Path    []*model.Field
	Form    string
	Inner   []Part
}

func parseTemplate(s string, t *model.Type) (*Template, error) {
	parts, rest, err := parseParts(s, t, false)
	if err == nil && rest != "" {
		err = fmt.Errorf("template %q has a ] without a [", s)
	}
	return &Template{parts}, err
}

func parseParts(s string, t *model.Type, inner bool) (parts []Part, rest string, err error) {
	for s != "" {
		end := strings.IndexAny(s, "{[]")
		switch {
		case end < 0:
			parts, s = append(parts, Part{Literal: s}), ""
		case end > 0:
			parts, s = append(parts, Part{Literal: s[:end]}), s[end:]
		case s[0] == ']':
			if !inner {
				return parts, s, nil
			}
			return parts, s[1:], nil
		case s[0] == '[':
			p := Part{}
			if p.Inner, s, err = parseParts(s[1:], t, true); err != nil {
				return nil, "", err
			}
			parts = append(parts, p)
		default:
			name, after, closed := strings.Cut(s[1:], "}")
			if !closed {
				return nil, "", fmt.Errorf("template %q has a { without a }", s)
			}
			p := Part{}
			name, p.Form, _ = strings.Cut(name, ":")
			if p.Path, err = fieldsOf(t, name); err != nil {
				return nil, "", err
			}
			if last := p.Path[len(p.Path)-1]; !last.Kind.IsLeaf() {
				return nil, "", fmt.Errorf("%s is a group; name one of its terms", name)
			}
			parts, s = append(parts, p), after
		}
	}
	return parts, "", nil
}

// Form is the term that a template shows in a form; nil if it has none.
func (t *Template) Form(form string) *model.Field {
	for i := range t.Parts {
		if t.Parts[i].Form == form && len(t.Parts[i].Path) == 1 {
			return t.Parts[i].Path[0]
		}
	}
	return nil
}
