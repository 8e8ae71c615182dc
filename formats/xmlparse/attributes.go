package xmlparse

import (
	"cmp"
	"slices"
	"strings"

	"einvoice/model/quote"
	"einvoice/model/source"
)

// An attribute is an attribute as written, with its normalized value.
type attribute struct {
	raw    string
	value  string
	offset int
}

// attributes reads the part of a start tag after the element name, and adds the
// attributes and namespace declarations to the tree.
func (p *parser) attributes(k int, owner source.Node) (next int, empty bool) {
	p.attrs = p.attrs[:0]
	next, empty = p.readAttributes(k)
	if next < 0 {
		return next, false
	}
	first := len(p.tree.Attributes)
	for _, a := range p.attrs { // declarations apply to all names of the tag, so they come first
		if prefix, ok := declaredPrefix(a.raw); ok && !p.declare(prefix, a, owner) {
			return -1, false
		}
	}
	for _, a := range p.attrs {
		if _, ok := declaredPrefix(a.raw); ok {
			continue
		}
		name := p.name(a.raw, a.offset, ofAttribute, &p.names.attribute)
		if name == source.NoName {
			return -1, false
		}
		p.tree.Attributes = append(p.tree.Attributes, source.Attribute{Name: name, Owner: owner, Offset: int32(a.offset), Value: a.value})
	}
	// Attributes are duplicates if they are spelled the same, or if their different
	// prefixes are bound to the same namespace.
	if len(p.attrs) > 1 && (hasDuplicate(p.attrs, func(a attribute) string { return a.raw }) ||
		hasDuplicate(p.tree.Attributes[first:], func(a source.Attribute) source.Name { return a.Name })) {
		return p.failDuplicate(p.tree.Attributes[first:]), false
	}
	return next, empty
}

// readAttributes fills p.attrs.
func (p *parser) readAttributes(k int) (next int, empty bool) {
	s := p.s
	for {
		gap := k
		for k < len(s) && isSpace(s[k]) {
			k++
		}
		if k+1 >= len(s) {
			if k < len(s) && s[k] == '>' {
				return k + 1, false
			}
			return p.failUnclosed(), false
		}
		switch {
		case s[k] == '>':
			return k + 1, false
		case s[k] == '/' && s[k+1] == '>':
			return k + 2, true
		case gap == k:
			return p.fail(CodeSyntax, k, "unexpected "+quoteAt(s, k)+" in a start tag", "separate attributes by white space and end the tag with \">\""), false
		case len(p.attrs) == p.limits.Attributes:
			return p.failLimit(k, "attributes in one element", p.limits.Attributes), false
		}
		if k = p.readAttribute(k); k < 0 {
			return -1, false
		}
	}
}

// readAttribute reads one attribute.
func (p *parser) readAttribute(k int) int {
	s := p.s
	a := attribute{offset: k}
	for k < len(s) && byteClass[s[k]]&nameByte != 0 {
		k++
	}
	a.raw = s[a.offset:k]
	if a.raw == "" {
		return p.fail(CodeSyntax, k, "unexpected "+quoteAt(s, k)+" in a start tag", "write attributes as name=\"value\"")
	}
	for k < len(s) && isSpace(s[k]) {
		k++
	}
	if k == len(s) || s[k] != '=' {
		return p.fail(CodeSyntax, a.offset, "attribute "+quote.Value(a.raw)+" has no value", "write attributes as name=\"value\"")
	}
	k++
	for k < len(s) && isSpace(s[k]) {
		k++
	}
	if k == len(s) || s[k] != '"' && s[k] != '\'' {
		return p.fail(CodeSyntax, a.offset, "the value of attribute "+quote.Value(a.raw)+" is not in quotes", "write attributes as name=\"value\"")
	}
	delimiter := s[k]
	k++
	start, plain := k, true
	for ; ; k++ {
		for k < len(s) && byteClass[s[k]]&valueByte != 0 {
			k++
		}
		if k == len(s) {
			return p.fail(CodeSyntax, a.offset, "the value of attribute "+quote.Value(a.raw)+" has no closing quote", "close it with the quote that opened it")
		}
		if s[k] == delimiter {
			break
		}
		if s[k] == '<' {
			return p.fail(CodeSyntax, k, "\"<\" in the value of attribute "+quote.Value(a.raw), "write \"&lt;\", or close the value with a quote")
		}
		if byteClass[s[k]]&controlByte != 0 {
			return p.failCharacter(findBadCharacter(s))
		}
		plain = plain && (s[k] == '"' || s[k] == '\'')
	}
	a.value = s[start:k]
	if len(a.value) > p.limits.TextBytes {
		return p.failLimit(a.offset, "bytes in one attribute value", p.limits.TextBytes)
	}
	if !plain {
		var ok bool
		if a.value, ok = p.value(a.value, start); !ok {
			return -1
		}
	}
	p.attrs = append(p.attrs, a)
	return k + 1
}

// declaredPrefix is the prefix that an attribute declares; ok is false if the attribute
// is not a namespace declaration.
func declaredPrefix(raw string) (prefix string, ok bool) {
	if raw == "xmlns" {
		return "", true
	}
	return strings.CutPrefix(raw, "xmlns:")
}

// hasDuplicate reports whether two items have the same key. If there are many, they are
// sorted first, so that the time is not quadratic.
func hasDuplicate[T any, K cmp.Ordered](items []T, key func(T) K) bool {
	const few = 12
	if len(items) <= few {
		for i := range items {
			for j := range i {
				if key(items[i]) == key(items[j]) {
					return true
				}
			}
		}
		return false
	}
	keys := make([]K, len(items))
	for i := range items {
		keys[i] = key(items[i])
	}
	slices.Sort(keys)
	return len(slices.Compact(keys)) < len(items)
}
