package binding

import (
	"strings"
	"unicode/utf8"

	"einvoice/model"
	"einvoice/model/source"
)

// admits reports whether an element meets the conditions of a place.
func (r *reader) admits(p *place, n source.Node) bool {
	for i := range p.when {
		c := &p.when[i]
		if value, ok := r.expected(c); !ok || !r.holds(c, value, n, 0) {
			return false
		}
	}
	for i := range p.unless {
		if r.excluded(&p.unless[i], n) {
			return false
		}
	}
	return true
}

// expected is the value that a condition asks for; ok is false if it asks for
// that of an absent term, which nothing equals.
func (r *reader) expected(c *condition) (value string, ok bool) {
	if c.kind != conditionTerm {
		return c.value, true
	}
	object := r.slots[c.term.slot].object
	for i := range c.term.links {
		object = object.Group(c.term.links[i].field)
	}
	t := object.Text(c.term.field)
	return t.Raw, t.Present
}

// holds reports whether anything at the condition's path, from depth on, meets it.
func (r *reader) holds(c *condition, value string, n source.Node, depth int) bool {
	if depth == len(c.path) {
		if c.attr == source.NoName {
			return c.accepts(r.tree.Text(n), value)
		}
		a, ok := r.tree.Attr(n, c.attr)
		return ok && c.accepts(r.tree.Attributes[a].Value, value)
	}
	end := r.tree.Elements[n].End
	for child := n + 1; child < end; child = r.tree.Elements[child].End {
		if r.tree.Elements[child].Name == c.path[depth] && r.holds(c, value, child, depth+1) {
			return true
		}
	}
	return false
}

func (c *condition) accepts(raw, value string) bool {
	switch c.kind {
	case conditionExists:
		return true
	case conditionCaseless:
		return strings.EqualFold(strings.Trim(raw, xmlSpace), value)
	case conditionBoolean:
		truth, ok := parseBoolean(raw)
		return ok && truth == c.truth
	}
	return raw == value
}

// excluded reports whether an exclusion rules an element out. Its answer is kept
// for the elements beside.
func (r *reader) excluded(x *exclusion, n source.Node) bool {
	for range x.up {
		n = r.tree.Parent(n)
	}
	kept := &r.ruledOut[x.id]
	if kept.base != n {
		value, ok := r.expected(&x.condition)
		*kept = ruling{base: n, out: ok && r.holds(&x.condition, value, n, 0)}
	}
	return kept.out
}

const xmlSpace = " \t\r\n"

// parseBoolean reads the lexical forms of xs:boolean.
func parseBoolean(raw string) (truth, ok bool) {
	switch strings.Trim(raw, xmlSpace) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// prefixed sets the term in front of a text, where there is one, and returns
// the text without it.
func (r *reader) prefixed(p *prefixed, raw string, ref source.Ref, n source.Node) string {
	front, text, ok := p.split(raw)
	if !ok {
		return raw
	}
	if object := r.owner(&p.target, n); object.Present() {
		*object.Text(p.field) = model.Text{Raw: front, Ref: ref, Present: true}
	}
	return text
}

// split takes "#AAI#text" apart.
func (p *prefixed) split(raw string) (front, text string, ok bool) {
	rest, ok := strings.CutPrefix(raw, p.mark)
	if !ok {
		return "", "", false
	}
	front, text, ok = strings.Cut(rest, p.mark)
	return front, text, ok && utf8.RuneCountInString(front) == p.length
}
