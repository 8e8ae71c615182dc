package importer

import (
	"fmt"
	"strconv"
	"strings"

	"einvoice/model/numeral"
	"einvoice/service/importer/xpath2"
)

func (t *translator) argument(n *xpath2.Node, i int, s *scope) *value {
	if i < len(n.Args) {
		return t.value(n.Args[i], s)
	}
	if s.item == nil {
		refuse(n, "%s without an argument needs an element around it", n.Name)
	}
	return s.item
}

// call translates a call of a function.
func (t *translator) call(n *xpath2.Node, s *scope) *value {
	if f, own := t.functions[n.Name]; own {
		return t.ownFunction(n, f, s)
	}
	arguments(n)
	if translate, known := textFunctions[n.Name]; known {
		var all []term
		known, isKnown := "", n.Name == "concat"
		for i := range max(len(n.Args), 1) {
			v := t.argument(n, i, s)
			if isKnown = isKnown && v.literal != nil && v.kind == text; isKnown {
				known += *v.literal
			}
			all = append(all, t.text(n, v))
		}
		if isKnown {
			return literalText(known)
		}
		return someText(translate(n, all))
	}
	if condition, known := textConditions[n.Name]; known {
		first, second := t.argument(n, 0, s), t.argument(n, 1, s)
		if first.literal != nil && second.literal != nil {
			return &value{kind: boolean, term: term{fmt.Sprint(knownCondition(n.Name, *first.literal, *second.literal)), whole}}
		}
		return &value{kind: boolean, term: call("%s.%s(%s)", t.text(n, first).in(whole), condition, t.text(n, second).text)}
	}
	return t.otherCall(n, s)
}

func knownCondition(name, a, b string) bool {
	switch name {
	case "contains":
		return strings.Contains(a, b)
	case "starts-with":
		return strings.HasPrefix(a, b)
	}
	return strings.HasSuffix(a, b)
}

// arity is how many arguments functions take.
var arity = map[string][2]int{
	"string": {0, 1}, "data": {1, 1}, "normalize-space": {0, 1}, "upper-case": {1, 1}, "lower-case": {1, 1}, "substring-before": {2, 2}, "substring-after": {2, 2},
	"translate": {3, 3}, "concat": {2, 1000}, "contains": {2, 2}, "starts-with": {2, 2}, "ends-with": {2, 2}, "not": {1, 1}, "exists": {1, 1}, "empty": {1, 1},
	"boolean": {1, 1}, "true": {0, 0}, "false": {0, 0}, "count": {1, 1}, "sum": {1, 1}, "number": {0, 1}, "round": {1, 1}, "abs": {1, 1}, "string-length": {0, 1},
	"matches": {2, 3}, "replace": {3, 3}, "tokenize": {2, 2}, "string-join": {1, 2}, "distinct-values": {1, 1}, "substring": {2, 3}, "name": {0, 1}, "local-name": {0, 1},
	"index-of": {2, 2}, "floor": {1, 1}, "ceiling": {1, 1}, "max": {1, 1}, "min": {1, 1},
}

func arguments(n *xpath2.Node) {
	if of, known := arity[n.Name]; known && (len(n.Args) < of[0] || len(n.Args) > of[1]) {
		refuse(n, "%s has %s, which is not translated", n.Name, numeral.Count(len(n.Args), "argument"))
	}
}

func (t *translator) otherCall(n *xpath2.Node, s *scope) *value {
	truth := func(c term) *value { return &value{kind: boolean, term: c} }
	switch n.Name {
	case "true", "false":
		return truth(term{n.Name, whole})
	case "not":
		return truth(negated(t.condition(n.Args[0], s)))
	case "boolean":
		return truth(t.condition(n.Args[0], s))
	case "exists":
		return truth(t.isThere(n, t.argument(n, 0, s)))
	case "empty":
		return truth(negated(t.isThere(n, t.argument(n, 0, s))))
	case "count":
		return t.count(n, t.argument(n, 0, s))
	case "sum":
		return t.sum(n, t.argument(n, 0, s))
	case "number":
		return t.number(n, t.argument(n, 0, s))
	case "round":
		return t.numeric(n, t.argument(n, 0, s), "roundXPath(%s, 0)")
	case "abs":
		return t.numeric(n, t.argument(n, 0, s), "abs(%s)")
	case "string-length":
		v := t.argument(n, 0, s)
		if v.kind == text && v.literal != nil {
			size := strconv.Itoa(len([]rune(*v.literal)))
			return &value{kind: number, term: term{size, whole}, integer: true, literal: &size}
		}
		return &value{kind: number, term: call("%s.size()", t.text(n, v).in(whole)), integer: true}
	case "matches":
		pattern := t.literal(n.Args[1], s)
		if len(n.Args) == 3 {
			flags := t.literal(n.Args[2], s)
			if strings.Trim(flags, "smi") != "" {
				refuse(n, "the flags %s of a regular expression are not translated", flags)
			}
			if flags != "" {
				return truth(call("%s.matches(%s)", t.text(n, t.argument(n, 0, s)).in(whole), quoted("(?"+flags+")"+t.pattern(n, pattern))))
			}
		}
		return truth(t.matches(n, t.text(n, t.argument(n, 0, s)), pattern))
	case "replace":
		pattern, with := t.literal(n.Args[1], s), t.literal(n.Args[2], s)
		if strings.ContainsAny(with, `\$`) {
			refuse(n, "a replacement with $ or \\ is not translated")
		}
		return someText(call("%s.replaceMatches(%s, %s)", t.text(n, t.argument(n, 0, s)).in(whole), quoted(t.pattern(n, pattern)), quoted(with)))
	case "tokenize":
		return t.tokenize(n, t.argument(n, 0, s), t.literal(n.Args[1], s))
	case "string-join":
		separator := ""
		if len(n.Args) > 1 {
			separator = t.literal(n.Args[1], s)
		}
		return someText(call("%s.join(%s)", t.texts(n, t.argument(n, 0, s)).in(whole), quoted(separator)))
	case "data":
		v := t.argument(n, 0, s)
		if v.kind == nodes {
			if _, self := v.self(); !self {
				return &value{kind: texts, term: t.texts(n, v)}
			}
			return someText(t.text(n, v))
		}
		return v
	case "distinct-values":
		return &value{kind: texts, term: call("%s.distinct()", t.texts(n, t.argument(n, 0, s)).in(whole))}
	case "substring":
		return t.substring(n, s)
	case "index-of":
		x := t.variable("t")
		return &value{kind: positions, term: call("%s.filter(%s, %s == %s)", t.texts(n, t.argument(n, 0, s)).in(whole), x, x, t.text(n, t.argument(n, 1, s)).in(added))}
	case "name", "local-name":
		v := t.argument(n, 0, s)
		from, self := v.alternatives.self()
		if v.kind != nodes || v.attributes() {
			refuse(n, "the name of anything but elements is not translated")
		}
		named := call("%s.name()", from)
		if !self {
			x := t.variable("e")
			named = call("%s.map(%s, %s.name()).firstOr(\"\")", v.elements().in(whole), x, x)
		}
		if n.Name == "local-name" {
			named = call("%s.substringAfter(\":\")", named.text)
		}
		return someText(named)
	case "xs:decimal", "xs:double", "xs:float", "xs:integer", "xs:int", "xs:date", "xs:string", "xs:boolean", "xs:dayTimeDuration":
		return t.cast(n, n.Name, t.argument(n, 0, s))
	}
	refuse(n, "the function %s is not translated: give it in CEL (--functions)", n.Name)
	return nil
}

// literal is an argument that must be known, as regular expressions in rules are.
func (t *translator) literal(n *xpath2.Node, s *scope) string {
	v := t.value(n, s)
	if v.literal == nil {
		refuse(n, "a regular expression or separator that is not a literal is not translated")
	}
	return *v.literal
}

func (t *translator) isThere(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nothing:
		return term{"false", whole}
	case nodes:
		return v.has()
	case texts, positions:
		return term{v.in(whole) + ".size() > 0", compared}
	case number:
		if v.nan { // NaN is there as well
			refuse(n, "whether there are values is not translated where number() may give none")
		}
		return v.each(term{"true", whole})
	case text, date, boolean:
		return v.each(term{"true", whole})
	case choice:
		return chosen(v.condition, t.isThere(n, v.then), t.isThere(n, v.other))
	case sequence:
		var all []term
		for _, m := range v.members {
			all = append(all, t.isThere(n, m))
		}
		return joined("||", all...)
	}
	return term{"true", whole}
}

// ownFunction puts in what a function of the artefact says, with the arguments as its
// parameters.
func (t *translator) ownFunction(n *xpath2.Node, f *function, s *scope) *value {
	defer t.enter(n)()
	if f.cel != "" {
		out := f.cel
		for i := len(n.Args) - 1; i >= 0; i-- {
			v := t.value(n.Args[i], s)
			out = strings.ReplaceAll(out, "$"+strconv.Itoa(i+1), t.text(n, v).in(whole))
		}
		return &value{kind: boolean, term: call("(%s)", out)}
	}
	if f.why != "" {
		refuse(n, "%s %s: give it in CEL (--functions)", n.Name, f.why)
	}
	if len(n.Args) != len(f.parameters) {
		refuse(n, "%s takes %s", n.Name, numeral.Count(len(f.parameters), "argument"))
	}
	inner := &scope{variables: map[string]*variable{}}
	for name, v := range t.globals {
		inner.variables[name] = v
	}
	for i, p := range f.parameters {
		argument := n.Args[i]
		switch p.Type {
		case "xs:decimal", "xs:decimal?", "xs:double", "xs:integer": // an untyped value becomes a number of that type
			argument = &xpath2.Node{Op: xpath2.Cast, Name: strings.TrimSuffix(p.Type, "?"), Args: []*xpath2.Node{argument}}
		}
		inner.variables[p.Name] = &variable{node: argument, scope: s}
	}
	for _, v := range f.variables {
		inner = inner.with(v.name, &variable{node: v.node, scope: inner})
	}
	return t.value(f.result, inner)
}
