package importer

import (
	"slices"
	"strconv"
	"strings"

	"einvoice/model/pattern"
	"einvoice/service/importer/xpath2"
)

func (t *translator) count(n *xpath2.Node, v *value) *value {
	constant := func(i int) *value {
		s := strconv.Itoa(i)
		return &value{kind: number, term: term{s, whole}, integer: true, literal: &s}
	}
	counted := func(c term) *value { return &value{kind: number, term: c, integer: true} }
	switch v.kind {
	case nothing:
		return constant(0)
	case nodes:
		if _, self := v.self(); self {
			return constant(1)
		}
		if len(v.alternatives) == 1 && v.alternatives[0].path == "" {
			return counted(call("%s.size()", v.alternatives[0].from))
		}
		return counted(v.alternatives.ask("count", " + ", added))
	case texts, positions:
		return counted(call("%s.size()", v.in(whole)))
	case choice:
		return either2(v.condition, t.count(n, v.then), t.count(n, v.other))
	case text, number, date, boolean:
		if v.nan {
			refuse(n, "values are not counted where number() may give none")
		}
		if len(v.quantor) == 0 {
			return constant(1)
		}
		last := len(v.quantor) - 1
		inner := call("%s.size()", v.quantor[last].list)
		if last == 0 {
			return counted(inner)
		}
		inner = call("decimal(%s)", inner.text)
		for i := last - 1; i >= 0; i-- {
			inner = call("%s.sum(%s, %s)", v.quantor[i].list, v.quantor[i].variable, inner.text)
		}
		return &value{kind: number, term: inner}
	case sequence:
		var all []string
		for _, m := range v.members {
			all = append(all, t.count(n, m).in(added))
		}
		return counted(term{strings.Join(all, " + "), added})
	}
	refuse(n, "such values are not counted")
	return nil
}

func (t *translator) sum(n *xpath2.Node, v *value) *value {
	floating := func(c term) *value { return &value{kind: number, term: c, float: true} }
	switch v.kind {
	case nothing:
		return numberLiteral(&xpath2.Node{Text: "0.0"})
	case nodes:
		if r := t.readerOf(v); r.floats {
			x := t.variable("n")
			return floating(call("%s.sum(%s, %s(%s))", t.texts(n, v).in(whole), x, r.reads, x))
		}
		return floating(v.alternatives.ask("total", " + ", added))
	case texts:
		x := t.variable("t")
		return floating(call("%s.sum(%s, decimal(%s))", v.in(whole), x, x))
	case choice:
		return either2(v.condition, t.sum(n, v.then), t.sum(n, v.other))
	case sequence:
		var all []string
		float := false
		for _, m := range v.members {
			one := t.sum(n, m)
			all = append(all, one.in(added))
			float = float || one.float
		}
		return &value{kind: number, term: term{strings.Join(all, " + "), added}, float: float}
	case number, text:
		if v.nan {
			sum := *v
			sum.nan = false
			return either2(allNumbers(v.quantor), t.sum(n, &sum), notANumber(t.variable("n")))
		}
		one := t.atom(n, v, number)
		inner := one.term
		if one.integer {
			inner = asDecimal(one).term
		}
		for i := len(one.quantor) - 1; i >= 0; i-- {
			inner = call("%s.sum(%s, %s)", one.quantor[i].list, one.quantor[i].variable, inner.text)
		}
		return &value{kind: number, term: inner, float: v.float || v.kind == text}
	}
	refuse(n, "such values are not added up")
	return nil
}

var (
	isNumeral = pattern.Later(`^[0-9]+(\.[0-9]+)?$`)
	isDays    = pattern.Later(`^P([0-9]+)D$`)
)

// A reader is how CEL reads a text as a number.
type reader struct {
	reads, asks string // functions
	floats      bool   // it gives what floating point has
}

var (
	decimalNumber = reader{"decimal", "isDecimal", false}
	untypedNumber = reader{"binary", "isNumber", true}
)

// readerOf is how a value without a type is read: as XPath does, which knows exponents, but
// as a decimal number where the schemas let nothing else be.
func (t *translator) readerOf(v *value) reader {
	switch v.kind {
	case nodes:
		for _, a := range v.alternatives {
			if a.attribute || t.exponents(a) {
				return untypedNumber
			}
		}
		return decimalNumber
	case texts, text:
		if v.literal == nil {
			return untypedNumber
		}
	}
	return decimalNumber
}

// exponents reports whether a number with an exponent can be at a path, as far as is known.
func (t *translator) exponents(a alternative) bool {
	places, err := t.follow(a)
	if err != nil || places == nil {
		return true
	}
	for e := range places {
		if e.Exponent {
			return true
		}
	}
	return false
}

// number is what number() gives: a text that is not a number compares with nothing.
func (t *translator) number(n *xpath2.Node, v *value) *value {
	switch v.kind {
	case number:
		return v
	case choice:
		return either2(v.condition, t.number(n, v.then), t.number(n, v.other))
	case text:
		if v.literal != nil && isNumeral().MatchString(*v.literal) {
			return numberLiteral(&xpath2.Node{Text: *v.literal})
		}
	}
	list, r := t.texts(n, v), t.readerOf(v)
	x, y := t.variable("t"), t.variable("n")
	asks := call("(%s, %s.%s())", x, x, r.asks).text
	return &value{
		kind: number, nan: true, term: call("%s(%s)", r.reads, y), float: r.floats, rounded: r.floats, untyped: r.floats,
		quantor: []over{{y, list.in(whole) + ".filter" + asks, list.in(whole) + ".exists" + asks}},
	}
}

// notANumber is NaN: it compares with nothing.
func notANumber(variable string) *value {
	return &value{kind: number, nan: true, float: true, term: term{variable, whole}, quantor: []over{{variable, "[]", "false"}}}
}

// allNumbers asks whether none of the items that lists go through is NaN.
func allNumbers(lists []over) term {
	c := term{"true", whole}
	for _, o := range slices.Backward(lists) {
		if c.text != "true" {
			c = call("%s.all(%s, %s)", o.list, o.variable, c.text)
		}
		if o.number != "" {
			c = joined("&&", term{o.number, whole}, c)
		}
	}
	return c
}

func (t *translator) numeric(n *xpath2.Node, v *value, format string) *value {
	if v.kind == choice {
		return either2(v.condition, t.numeric(n, v.then, format), t.numeric(n, v.other, format))
	}
	if v.kind == nothing {
		return v
	}
	out := *t.atom(n, v, number)
	out.nan = v.nan
	if out.integer {
		out = *asDecimal(&out)
	}
	out.term, out.literal, out.integer = call(format, out.text), nil, false
	out.float = inexact(v)
	if out.float && format != "abs(%s)" { // floating point has whole numbers
		out.rounded, out.computed = true, false
	}
	return &out
}

func (t *translator) cast(n *xpath2.Node, to string, v *value) *value {
	if v.kind == choice {
		return either2(v.condition, t.cast(n, to, v.then), t.cast(n, to, v.other))
	}
	if v.kind == nothing {
		return v
	}
	switch to {
	case "xs:decimal", "xs:double", "xs:float", "xs:integer", "xs:int":
		if v.kind != number {
			v = t.atomRead(n, v, number, decimalNumber)
		}
		switch {
		case to == "xs:double" || to == "xs:float":
			exact := *v
			exact.float = true
			return &exact
		case v.float: // a decimal number with all digits of the one in floating point
			v = inFloat(v)
			v.float, v.rounded, v.computed = false, false, false
		}
		return v
	case "xs:date":
		if v.kind == date {
			return v
		}
		return t.atom(n, v, date)
	case "xs:dayTimeDuration": // of days alone, as their difference is a number
		if v.kind == text && v.literal != nil {
			if days := isDays().FindStringSubmatch(*v.literal); days != nil {
				return numberLiteral(&xpath2.Node{Text: days[1]})
			}
		}
		refuse(n, "a duration is translated where it is a literal of days, such as P30D")
	case "xs:string":
		return someText(t.text(n, v))
	}
	refuse(n, "the type %s is not translated", to)
	return nil
}
