package xmlparse

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/model/source"
)

// fail records why the document cannot be read, and returns -1.
func (p *parser) fail(code string, at int, message, remedy string) int {
	p.err = &problem.Error{Code: code, Position: source.PositionIn(p.s, at), Message: message, Remedy: remedy}
	return -1
}

func (p *parser) failLimit(at int, what string, limit int) int {
	return p.fail(CodeLimit, at, "more than "+strconv.Itoa(limit)+" "+what, "write fewer of them, or split the document")
}

func (p *parser) failCharacter(at int) int {
	r, size := utf8.DecodeRuneInString(p.s[at:])
	if r == utf8.RuneError && size == 1 {
		return p.fail(CodeEncoding, at, fmt.Sprintf("byte %#02x is not UTF-8, which the document says it is, or does not say otherwise", p.s[at]),
			"declare the encoding that the document is saved in, or save it as UTF-8")
	}
	return p.fail(CodeSyntax, at, fmt.Sprintf("character %U is not allowed in XML", r), "leave the character out")
}

// failTag reports a "<" that does not begin a tag.
func (p *parser) failTag(i, end int) int {
	if end == len(p.s) {
		return p.failUnclosed()
	}
	return p.fail(CodeSyntax, i, "\"<\" that begins no tag", "write \"&lt;\" in text")
}

func (p *parser) failMismatch(i int) int {
	f := p.open[len(p.open)-1]
	k := i + 2
	for k < len(p.s) && byteClass[p.s[k]]&nameByte != 0 {
		k++
	}
	if k == len(p.s) {
		return p.failUnclosed()
	}
	opened := source.PositionIn(p.s, int(p.tree.Elements[f.node].Offset))
	return p.fail(CodeSyntax, i, fmt.Sprintf("found the end tag of %s, expected that of %s (opened in line %d)", quote.Value(p.s[i+2:k]), quote.Value(f.raw), opened.Line),
		"close elements in the opposite order they were opened in")
}

func (p *parser) failUnclosed() int {
	message := "the document ends within a tag"
	if n := len(p.open); n > 0 {
		f := p.open[n-1]
		opened := source.PositionIn(p.s, int(p.tree.Elements[f.node].Offset))
		message = fmt.Sprintf("the document ends before the end of element %s (opened in line %d)", quote.Value(f.raw), opened.Line)
	}
	return p.fail(CodeSyntax, len(p.s), message, "send the whole document")
}

func (p *parser) failTrailing(i int) {
	if p.s[i] == '<' {
		p.fail(CodeSyntax, i, "a second root element", "send one document at a time")
		return
	}
	p.fail(CodeSyntax, i, "text after the root element", "remove it")
}

// failDuplicate reports which attribute of a start tag repeats another.
func (p *parser) failDuplicate(attributes []source.Attribute) int {
	spelled := map[string]bool{}
	for _, a := range p.attrs {
		if spelled[a.raw] {
			return p.fail(CodeSyntax, a.offset, "attribute "+quote.Value(a.raw)+" occurs twice", "remove one")
		}
		spelled[a.raw] = true
	}
	named := map[source.Name]bool{}
	for _, a := range attributes {
		if named[a.Name] {
			return p.fail(CodeNamespace, int(a.Offset), "attribute "+quote.Value(p.tree.NameOf(a.Name).String())+" occurs twice, with different prefixes", "remove one")
		}
		named[a.Name] = true
	}
	return -1
}

// quoteAt quotes the character at an offset.
func quoteAt(s string, i int) string {
	_, size := utf8.DecodeRuneInString(s[i:])
	return strconv.Quote(s[i : i+size])
}
