package binding

import (
	"fmt"
	"strings"

	"einvoice/model/source"
)

// A termValue is a term that an element or attribute holds.
type termValue struct {
	fieldPath
	codes  *codes
	prefix *prefixTerm
	// placeholder is a text that stands for an absent term; nil if there is none.
	placeholder *string
}

// A prefixTerm is a term that is written in front of another term's text.
type prefixTerm struct {
	fieldPath
	mark   string
	length int // of the term, in characters
}

// termValue resolves the term of a row with its codes and prefix.
func (c *resolver) termValue(r *row, s *scope) (termValue, error) {
	path, err := c.resolve(r.term, s)
	if err != nil {
		return termValue{}, err
	}
	if !path.field.Kind.IsLeaf() {
		return termValue{}, fmt.Errorf("%q is a group, not a term", r.term)
	}
	v := termValue{fieldPath: path}
	if r.otherwise != nil && r.otherwise.placeholder != "" {
		v.placeholder = &r.otherwise.placeholder
	}
	if r.codes != nil {
		v.codes = &codes{syntax: c.syntax}
		for document, code := range r.codes {
			v.codes.pairs = append(v.codes.pairs, codePair{document, code})
		}
	}
	if r.prefix != nil {
		front, err := c.resolve(r.prefix.term, s)
		if err != nil {
			return termValue{}, err
		}
		v.prefix = &prefixTerm{fieldPath: front, mark: r.prefix.mark, length: r.prefix.length}
	}
	return v, nil
}

// conditional reports whether the content of an element, or what is beside it,
// decides whether a row binds it.
func (c *resolver) conditional(r *row) bool {
	if r.once || r.needs != "" || r.unless != nil {
		return true
	}
	for i := range r.rows {
		inner := &r.rows[i]
		if _, ok := inner.pathUnder(c.root); ok && (inner.equals != "" || inner.fixed != nil && inner.match != matchAny) {
			return true
		}
	}
	return false
}

// splitPath reads "cac:Party/cbc:ID/@schemeID"; "." has no steps.
func splitPath(path string) (steps []source.Name, attr source.Name, err error) {
	if path == "." {
		return nil, source.NoName, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if attr != source.NoName {
			return nil, attr, fmt.Errorf("%q goes on after an attribute", path)
		}
		local, isAttr := strings.CutPrefix(part, "@")
		q, err := source.ParseQName(local)
		if err != nil {
			return nil, attr, err
		}
		name := source.Intern(q)[0]
		if isAttr {
			attr = name
		} else {
			steps = append(steps, name)
		}
	}
	return steps, attr, nil
}

// withLine adds the row's line to an error, unless a row inside has added its own.
func withLine(r *row, err error) error {
	if strings.HasPrefix(err.Error(), "line ") {
		return err
	}
	return fmt.Errorf("line %d: %w", r.line, err)
}
