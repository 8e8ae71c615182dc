package importer

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/service/importer/xpath2"
)

var generalOf = map[string]string{"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

// compare is a comparison, general or of values: true where some item of the one and some
// item of the other compare so.
func (t *translator) compare(n *xpath2.Node, a, b *value, op string) term {
	if general, isValue := generalOf[op]; isValue {
		op = general
	}
	if a.kind == choice {
		return chosen(a.condition, t.compare(n, a.then, b, op), t.compare(n, a.other, b, op))
	}
	if b.kind == choice {
		return chosen(b.condition, t.compare(n, a, b.then, op), t.compare(n, a, b.other, op))
	}
	if term, ok := t.amongLiterals(n, a, b, op); ok {
		return term
	}
	if a.kind == sequence || b.kind == sequence {
		var all []term
		for _, x := range itemsOf(a) {
			for _, y := range itemsOf(b) {
				all = append(all, t.compare(n, x, y, op))
			}
		}
		return joined("||", all...)
	}
	if a.kind == nothing || b.kind == nothing {
		return term{"false", whole}
	}
	return t.compareItems(n, a, b, op)
}

func itemsOf(v *value) []*value {
	if v.kind == sequence {
		return v.members
	}
	return []*value{v}
}

// amongLiterals is x = ('a', 'b') as x in ["a", "b"].
func (t *translator) amongLiterals(n *xpath2.Node, a, b *value, op string) (term, bool) {
	if op != "=" {
		return term{}, false
	}
	if literals(a) {
		a, b = b, a
	}
	if !literals(b) || a.kind != nodes && a.kind != text && a.kind != texts || a.literal != nil {
		return term{}, false
	}
	var codes []string
	for _, m := range b.members {
		codes = append(codes, *m.literal)
	}
	item := t.atom(n, a, text)
	return item.each(t.lists.among(item.term, codes)), true
}

// literals reports whether a value is a sequence of known texts.
func literals(v *value) bool {
	return v.kind == sequence && !slices.ContainsFunc(v.members, func(m *value) bool { return m.kind != text || m.literal == nil })
}

var celOf = map[string]string{"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

func (t *translator) compareItems(n *xpath2.Node, a, b *value, op string) term {
	as := text
	for _, v := range []*value{a, b} {
		switch v.kind {
		case number, date, boolean:
			as = v.kind
		}
	}
	if op == "!=" && (a.nan || b.nan) && alwaysOne(a) && alwaysOne(b) {
		return negated(t.compareItems(n, a, b, "="))
	}
	if as == boolean {
		return t.compareBooleans(n, a, b, op)
	}
	x, y := t.atom(n, a, as), t.atom(n, b, as)
	if a.computed || b.computed || x.untyped || y.untyped { // others are equal, or not, as decimals are
		x, y = inFloat(x), inFloat(y)
	}
	if x.literal != nil && y.literal != nil && as == text {
		switch op {
		case "=":
			return term{fmt.Sprint(*x.literal == *y.literal), whole}
		case "!=":
			return term{fmt.Sprint(*x.literal != *y.literal), whole}
		}
	}
	if as == number {
		x, y = alike(x, y)
	}
	if op == "!=" && (a.nan || b.nan) { // NaN is not equal to anything
		differ := x.each(y.each(term{x.in(added) + " != " + y.in(added), compared}))
		return joined("||", differ, joined("&&", someNaN(x), somethingIn(y.quantor)), joined("&&", someNaN(y), somethingIn(x.quantor)))
	}
	inner := term{x.in(added) + " " + celOf[op] + " " + y.in(added), compared}
	if as == number && x.literal != nil && y.literal != nil {
		inner = constantComparison(*x.literal, *y.literal, op, inner)
	}
	return x.each(y.each(inner))
}

// alwaysOne reports whether a value is one item on every document, NaN included.
func alwaysOne(v *value) bool {
	return v.kind == number && !slices.ContainsFunc(v.quantor, func(o over) bool { return o.number == "" })
}

// someNaN asks whether one of the items that lists go through is NaN.
func someNaN(v *value) term {
	if !v.nan {
		return term{"false", whole}
	}
	return negated(allNumbers(v.quantor))
}

// somethingIn asks whether lists have an item, be it NaN.
func somethingIn(lists []over) term {
	c := term{"true", whole}
	for _, o := range slices.Backward(lists) {
		if o.number == "" {
			c = exists(o, c)
		}
	}
	return c
}

func constantComparison(a, b, op string, otherwise term) term {
	if strings.Contains(a+b, ".") || len(a) > 9 || len(b) > 9 {
		return otherwise
	}
	var x, y int
	fmt.Sscan(a, &x)
	fmt.Sscan(b, &y)
	return term{fmt.Sprint(map[string]bool{"=": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]), whole}
}

// alike are two numbers in forms that CEL compares.
func alike(a, b *value) (*value, *value) {
	if a.integer == b.integer {
		return a, b
	}
	decimal := func(v *value) *value {
		out := *v
		if v.literal != nil && v.integer {
			s := *v.literal + ".0"
			out.term, out.literal, out.integer = term{s, v.strength}, &s, false
		}
		return &out
	}
	return decimal(a), decimal(b)
}

// compareBooleans compares with true() or false(); what a document writes is true or 1.
func (t *translator) compareBooleans(n *xpath2.Node, a, b *value, op string) term {
	if op != "=" && op != "!=" {
		refuse(n, "booleans are not ordered in rules")
	}
	if a.kind != boolean {
		a, b = b, a
	}
	other := b
	if other.kind != boolean {
		wanted := a.text
		if wanted != "true" && wanted != "false" {
			refuse(n, "a comparison of a text with a condition is not translated")
		}
		if op == "!=" {
			wanted = map[string]string{"true": "false", "false": "true"}[wanted]
		}
		item := t.atom(n, b, text)
		forms := map[string]string{"true": `["true", "1"]`, "false": `["false", "0"]`}[wanted]
		return item.each(term{item.in(whole) + ".normalizeSpace() in " + forms, compared})
	}
	return a.each(other.each(term{a.in(added) + " " + celOf[op] + " " + other.in(added), compared}))
}

// atom is one item of a value, as a text, a number or a date: a variable goes through those
// that there are.
func (t *translator) atom(n *xpath2.Node, v *value, as kind) *value {
	return t.atomRead(n, v, as, t.readerOf(v))
}

// atomRead is atom with a way to read numbers.
func (t *translator) atomRead(n *xpath2.Node, v *value, as kind, r reader) *value {
	out := *v
	switch v.kind {
	case nodes, texts:
		list := v.term
		if v.kind == nodes {
			t.readable(n, v.alternatives)
			if from, self := v.self(); self {
				out = *textValue(from + ".text()")
				break
			}
			list = v.alternatives.texts()
		}
		x := t.variable("t")
		if as == number {
			x = t.variable("n")
		}
		out = value{kind: text, term: term{x, whole}, quantor: []over{{variable: x, list: list.in(whole)}}}
		if v.first {
			refuse(n, "the first of several items is not compared: name one")
		}
	case text, number, date, boolean:
	default:
		refuse(n, "such values are not compared")
	}
	if as == out.kind || as == boolean {
		return &out
	}
	switch {
	case as == number && out.kind == text && out.literal != nil && !isNumeral().MatchString(strings.TrimSpace(*out.literal)):
		refuse(n, "%s is no number: the comparison stops the stylesheet", quoted(*out.literal))
	case as == number && out.kind == text:
		out.term, out.kind, out.literal = call("%s(%s)", r.reads, out.text), number, nil
		out.float, out.rounded, out.untyped = r.floats, r.floats, r.floats
	case as == date && out.kind == text:
		out.term, out.kind, out.literal = call("date(%s)", out.text), date, nil
	case as == text && out.kind == number && out.literal != nil:
		out = *literalText(*out.literal)
	default:
		refuse(n, "values of different types are not compared")
	}
	return &out
}

// arithmetic computes with each pair of items.
func (t *translator) arithmetic(n *xpath2.Node, a, b *value) *value {
	if a.kind == choice {
		return either2(a.condition, t.arithmetic(n, a.then, b), t.arithmetic(n, a.other, b))
	}
	if b.kind == choice {
		return either2(b.condition, t.arithmetic(n, a, b.then), t.arithmetic(n, a, b.other))
	}
	if a.kind == nothing || b.kind == nothing {
		return &value{kind: nothing}
	}
	if a.kind == date || b.kind == date {
		if n.Name != "-" || a.kind != b.kind {
			refuse(n, "of days, only the difference between two is translated: give the function in CEL, with addDays (--functions)")
		}
		return &value{kind: number, term: call("daysBetween(%s, %s)", b.text, a.text), integer: true, quantor: append(slices.Clone(a.quantor), b.quantor...)}
	}
	x, y := t.atom(n, a, number), t.atom(n, b, number)
	strength, op, float := added, n.Name, inexact(a) || inexact(b)
	if float && (op == "+" || op == "-") {
		x, y = inFloat(x), inFloat(y)
	}
	switch op {
	case "*":
		strength = multiplied
	case "div":
		strength, op = multiplied, "/"
		if x.integer && y.integer { // integers divide as integers in CEL
			x, y = asDecimal(x), asDecimal(y)
		}
	case "mod":
		strength, op = multiplied, "%"
		if !x.integer || !y.integer {
			refuse(n, "the remainder of decimals is not translated: give the function in CEL (--functions)")
		}
	case "idiv":
		strength, op = multiplied, "/"
		if !x.integer || !y.integer {
			refuse(n, "idiv of decimals is not translated")
		}
	}
	x, y = alike(x, y)
	return &value{
		kind: number, term: term{x.in(strength) + " " + op + " " + y.in(strength+1), strength}, integer: x.integer && y.integer,
		quantor: append(slices.Clone(x.quantor), y.quantor...), nan: a.nan || b.nan,
		float: float, computed: a.computed || b.computed || float && (op == "+" || op == "-"),
	}
}

// inexact reports whether XPath computes with a value in floating point, as it does with what
// has no type.
func inexact(v *value) bool {
	return v.float || v.nan || v.kind == nodes || v.kind == texts || v.kind == text
}

// inFloat is a number as floating point has it. What is multiplied or divided is made one only
// when it is added or compared: rules round it in between.
func inFloat(v *value) *value {
	if v.rounded || v.integer {
		return v
	}
	out := *v
	out.term, out.literal, out.rounded = call("binary(%s)", v.text), nil, true
	return &out
}

// asDecimal is an integer as a decimal.
func asDecimal(v *value) *value {
	out := *v
	if v.literal != nil {
		out.term = term{*v.literal + ".0", whole}
	} else {
		out.term = call("decimal(%s)", v.text)
	}
	out.literal, out.integer = nil, false
	return &out
}

func (t *translator) minus(n *xpath2.Node, v *value) *value {
	if v.kind == choice {
		return either2(v.condition, t.minus(n, v.then), t.minus(n, v.other))
	}
	out := *t.atom(n, v, number)
	out.term = term{"-" + out.in(prefixed), prefixed}
	if out.literal != nil {
		s := "-" + *out.literal
		out.literal = &s
	}
	return &out
}
