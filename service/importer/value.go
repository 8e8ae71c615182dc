package importer

import (
	"fmt"
	"slices"
	"strings"
)

// The strengths of CEL's operators, for parentheses.
const (
	choose = iota // ? :
	either        // ||
	both          // &&
	compared
	added
	multiplied
	prefixed
	whole // calls, names, literals
)

// A term is a piece of CEL.
type term struct {
	text     string
	strength int
}

func call(format string, args ...any) term { return term{fmt.Sprintf(format, args...), whole} }

// in is the term as an operand of an operator.
func (t term) in(strength int) string {
	if t.strength < strength {
		return "(" + t.text + ")"
	}
	return t.text
}

func negated(t term) term {
	switch {
	case t.text == "true":
		return term{"false", whole}
	case t.text == "false":
		return term{"true", whole}
	case t.strength == prefixed && strings.HasPrefix(t.text, "!"):
		return term{t.text[1:], whole}
	}
	return term{"!" + t.in(prefixed), prefixed}
}

// joined is what && or || joins; constants are decided.
func joined(op string, terms ...term) term {
	strength, neutral, decided := either, "false", "true"
	if op == "&&" {
		strength, neutral, decided = both, "true", "false"
	}
	var texts []string
	var last term
	for _, t := range terms {
		switch text := t.in(strength); {
		case t.text == decided:
			return t
		case t.text == neutral || slices.Contains(texts, text):
		default:
			texts = append(texts, text)
			last = t
		}
	}
	switch len(texts) {
	case 0:
		return term{neutral, whole}
	case 1:
		return last
	}
	return term{strings.Join(texts, " "+op+" "), strength}
}

// A kind is what an expression gives.
type kind int

const (
	nothing kind = iota // the empty sequence
	nodes
	texts // any number
	text
	number
	boolean
	date
	choice    // one value or another
	sequence  // several values
	positions // of index-of: as many as the texts of the term, which are others
)

// A value is the translation of an expression.
type value struct {
	kind         kind
	term                 // of texts, a list; of nodes, none
	alternatives         // of nodes
	first        bool    // of nodes: the first of them
	quantor      []over  // what is looked for among lists before the term has its value
	nan          bool    // of a number that may be none
	literal      *string // of a text that is known
	integer      bool    // of a number: an integer in CEL
	float        bool    // of a number: XPath computes it in floating point
	rounded      bool    // of such a number: the term is one that floating point has
	untyped      bool    // of such a number: it was read as one, so that what it is compared with is made one
	computed     bool    // of such a number: it is not the one next to a decimal number
	members      []*value
	// of a choice
	condition   term
	then, other *value
}

// over says that a variable goes through a list. The list that number() gives has the number of
// its argument, or nothing for NaN: number asks which.
type over struct{ variable, list, number string }

// alternatives are what a union joins: from an element, or from each of a list of them, along
// a path.
type alternatives []alternative

type alternative struct {
	from      string // CEL: an element, or with many a list of elements
	many      bool
	path      string // XPath, "" for the element itself
	attribute bool
}

// each puts what is looked for around a condition.
func (v *value) each(inner term) term {
	for i := len(v.quantor) - 1; i >= 0; i-- {
		inner = exists(v.quantor[i], inner)
	}
	return inner
}

func exists(o over, inner term) term {
	if o.list == "[]" {
		return term{"false", whole}
	}
	if inner.text == "true" {
		return call("%s.size() > 0", o.list).weaker(compared)
	}
	return call("%s.exists(%s, %s)", o.list, o.variable, inner.text)
}

func (t term) weaker(strength int) term { return term{t.text, strength} }

// path is the union of paths from one element, "" where they begin at several.
func (a alternatives) path() (from string, many bool, path string, ok bool) {
	var paths []string
	for i, one := range a {
		if i > 0 && (one.from != a[0].from || one.many != a[0].many) {
			return "", false, "", false
		}
		p := one.path
		if p == "" {
			p = "."
		}
		paths = append(paths, p)
	}
	if len(a) == 0 {
		return "", false, "", false
	}
	return a[0].from, a[0].many, strings.Join(paths, " | "), true
}

// ask calls a function of elements with the paths; where they begin at several elements, its
// results are joined.
func (a alternatives) ask(function string, join string, strength int) term {
	if from, _, path, ok := a.path(); ok {
		return call("%s.%s(%s)", from, function, quoted(path))
	}
	var parts []string
	for _, one := range a {
		parts = append(parts, alternatives{one}.ask(function, join, strength).text)
	}
	return term{strings.Join(parts, join), strength}
}

// self is the element itself, where that is all.
func (a alternatives) self() (string, bool) {
	if len(a) == 1 && a[0].path == "" && !a[0].many {
		return a[0].from, true
	}
	return "", false
}

func (a alternatives) texts() term {
	if from, self := a.self(); self {
		return call("[%s.text()]", from)
	}
	return a.ask("texts", " + ", added)
}

func (a alternatives) elements() term {
	if len(a) == 1 && a[0].path == "" {
		if a[0].many {
			return term{a[0].from, whole}
		}
		return call("[%s]", a[0].from)
	}
	return a.ask("elements", " + ", added)
}

func (a alternatives) has() term {
	if len(a) == 1 && a[0].path == "" {
		if a[0].many {
			return term{a[0].from + ".size() > 0", compared}
		}
		return term{"true", whole}
	}
	return a.ask("has", " || ", either)
}

func (a alternatives) attributes() bool {
	return slices.ContainsFunc(a, func(one alternative) bool { return one.attribute })
}

// quoted is a text as a literal of CEL.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
