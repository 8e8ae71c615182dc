package binding

import (
	"strings"

	"einvoice/model/source"
)

// meetsConditions reports whether an element meets the conditions of e.
func (r *reader) meetsConditions(e *readElement, n source.Node) bool {
	for i := range e.conditions {
		c := &e.conditions[i]
		if value, ok := r.expected(c); !ok || !r.holds(c, value, n, 0) {
			return false
		}
	}
	for i := range e.exclusions {
		if r.excludes(&e.exclusions[i], n) {
			return false
		}
	}
	return e.once == 0 || r.takeOnce(e.once, n)
}

// takeOnce reports whether a row that binds one element only is still free for an
// element, which is then the one.
func (r *reader) takeOnce(number int, n source.Node) bool {
	last, around := &r.onces[number-1], r.tree.Parent(n)
	free := *last != around
	*last = around
	return free
}

// expected is the value that a condition compares with. If it is that of an absent
// term, ok is false, and no value equals it.
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

// holds reports whether any element or attribute at the condition's path, from
// depth on, meets the condition.
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
		return strings.EqualFold(trim(raw), value)
	case conditionBoolean:
		truth, ok := parseBoolean(raw)
		return ok && truth == c.truth
	}
	return raw == value
}

// excludes reports whether an exclusion holds beside an element. The result is
// kept for the elements beside it.
func (r *reader) excludes(x *exclusion, n source.Node) bool {
	for range x.up {
		n = r.tree.Parent(n)
	}
	last := &r.exclusions[x.number]
	if last.base != n {
		value, ok := r.expected(&x.condition)
		*last = exclusionResult{base: n, excludes: ok && r.holds(&x.condition, value, n, 0)}
	}
	return last.excludes
}

// parseBoolean reads the lexical forms of xs:boolean.
func parseBoolean(raw string) (truth, ok bool) {
	switch trim(raw) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}
