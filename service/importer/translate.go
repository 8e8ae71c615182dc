package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/service/importer/schematron"
	"einvoice/service/importer/xpath2"
)

// A translator translates the expressions of one artefact.
type translator struct {
	prefixes  map[string]string // of the artefact's names, to ours
	functions map[string]*function
	lists     *codeLists
	structure *xpath.Structure        // what documents can have
	at        map[string]xpath.Places // where variables and lists of CEL are in it, as far as that is known
	followed  map[string]followed     // paths from the document
	globals   map[string]*variable
	next      int // number of the next variable
	depth     int
}

// A scope is what an expression sees.
type scope struct {
	item      *value // what "." is; nil for none
	atRoot    bool   // "." is the document
	variables map[string]*variable
}

// A variable is an expression in its own scope, or a value.
type variable struct {
	node  *xpath2.Node
	scope *scope
	value *value
	why   string // it cannot be read
}

// variableOf reads a variable of the artefact.
func variableOf(v schematron.Variable, s *scope) *variable {
	if strings.TrimSpace(v.Select) == "" {
		return &variable{why: "has no value that is an expression or a text"}
	}
	node, err := xpath2.Parse(v.Select)
	if err != nil {
		return &variable{why: "cannot be read (" + reason(err) + ")"}
	}
	return &variable{node: node, scope: s}
}

// A function is one of the artefact's own, or CEL in its place.
type function struct {
	parameters []schematron.Parameter
	variables  []namedNode
	result     *xpath2.Node
	cel        string // with $1, $2 for texts
	why        string // it cannot be translated
}

type namedNode struct {
	name string
	node *xpath2.Node
}

// A refusal says why an expression is not translated.
type refusal struct {
	column int
	reason string
}

func (r *refusal) Error() string { return r.reason }

func refuse(n *xpath2.Node, format string, args ...any) {
	panic(&refusal{n.Column, fmt.Sprintf(format, args...)})
}

// caught runs a translation and returns why it was refused.
func caught(run func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(*refusal)
			if !ok {
				panic(r)
			}
			err = refused
		}
	}()
	run()
	return nil
}

const deepest = 60 // variables and functions inside each other

func (t *translator) enter(n *xpath2.Node) func() {
	if t.depth++; t.depth > deepest {
		refuse(n, "variables or functions lie more than %d deep in each other", deepest)
	}
	return func() { t.depth-- }
}

func (t *translator) variable(prefix string) string {
	t.next++
	return fmt.Sprintf("%s%d", prefix, t.next)
}

// element is a variable for elements at these paths.
func (t *translator) element(a alternatives) string {
	x := t.variable("e")
	t.place(x, a)
	return x
}

// place keeps where a variable or list is.
func (t *translator) place(name string, a alternatives) {
	delete(t.at, name)
	all := xpath.Places{}
	for _, one := range a {
		places, err := t.follow(one)
		if err != nil || places == nil {
			return
		}
		maps.Copy(all, places)
	}
	t.at[name] = all
}

// follow is where a path leads; nil where that is not known.
func (t *translator) follow(a alternative) (xpath.Places, error) {
	from := t.at[a.from]
	if a.path == "" {
		return from, nil
	}
	if a.path == "/" {
		return nil, nil
	}
	if from == nil && !strings.HasPrefix(a.path, "/") {
		return nil, nil
	}
	known, is := t.followed[a.path]
	if is {
		return known.places, known.err
	}
	u, err := xpath.ParseRelative(a.path)
	if err != nil {
		return nil, err
	}
	places, err := t.structure.Follow(from, u.Paths)
	if strings.HasPrefix(a.path, "/") {
		t.followed[a.path] = followed{places, err}
	}
	return places, err
}

// followed is where a path from the document leads: contexts are compared in pairs.
type followed struct {
	places xpath.Places
	err    error
}

func (s *scope) with(name string, v *variable) *scope {
	out := *s
	out.variables = maps.Clone(s.variables)
	if out.variables == nil {
		out.variables = map[string]*variable{}
	}
	out.variables[name] = v
	return &out
}

// inside is the scope in which . is an element, or a text.
func (s *scope) inside(item *value) *scope {
	out := *s
	out.item, out.atRoot = item, false
	return &out
}

func elementValue(cel string) *value {
	return &value{kind: nodes, alternatives: alternatives{{from: cel}}}
}

func textValue(cel string) *value { return &value{kind: text, term: term{cel, whole}} }

func literalText(s string) *value {
	return &value{kind: text, term: term{quoted(s), whole}, literal: &s}
}

// condition is the effective boolean value of an expression.
func (t *translator) condition(n *xpath2.Node, s *scope) term {
	switch n.Op {
	case xpath2.Or, xpath2.And:
		if term, ok := t.codeListOf(n, s); ok {
			return term
		}
		op := "||"
		if n.Op == xpath2.And {
			op = "&&"
		}
		return joined(op, t.condition(n.Args[0], s), t.condition(n.Args[1], s))
	case xpath2.Compare:
		if of, ok := isNumber(n); ok {
			v := t.value(of, s)
			found := call("%s.%s()", t.text(n, v).in(whole), t.readerOf(v).asks)
			if n.Name == "=" || n.Name == "eq" {
				found = negated(found)
			}
			return found
		}
		n = withLocalNames(n)
		return t.compare(n, t.value(n.Args[0], s), t.value(n.Args[1], s), n.Name)
	case xpath2.Some, xpath2.Every:
		return t.quantified(n, s)
	case xpath2.If:
		return chosen(t.condition(n.Args[0], s), t.condition(n.Args[1], s), t.condition(n.Args[2], s))
	case xpath2.Castable:
		return t.castable(n, s)
	}
	return t.isTrue(n, t.value(n, s))
}

// withLocalNames asks name(X) = 'Invoice' for the local name: in most documents the element
// has no prefix, where rules see the conventional one.
func withLocalNames(n *xpath2.Node) *xpath2.Node {
	for i, other := range []int{1, 0} {
		if a, b := n.Args[i], n.Args[other]; a.Op == xpath2.Call && a.Name == "name" && b.Op == xpath2.Text && !strings.Contains(b.Text, ":") {
			out, called := *n, *a
			called.Name = "local-name"
			out.Args = slices.Clone(n.Args)
			out.Args[i] = &called
			return &out
		}
	}
	return n
}

// isNumber is X in string(number(X)) != 'NaN'.
func isNumber(n *xpath2.Node) (*xpath2.Node, bool) {
	if n.Args[1].Op != xpath2.Text || n.Args[1].Text != "NaN" || n.Name != "!=" && n.Name != "ne" && n.Name != "=" && n.Name != "eq" {
		return nil, false
	}
	if of := inside(n.Args[0], "string"); of != nil {
		if of = inside(of, "number"); of != nil {
			return of, true
		}
	}
	return nil, false
}

func chosen(c, a, b term) term {
	switch c.text {
	case "true":
		return a
	case "false":
		return b
	}
	switch {
	case a.text == "true" && b.text == "false":
		return c
	case a.text == "false" && b.text == "true":
		return negated(c)
	case a.text == "true":
		return joined("||", c, b)
	case b.text == "false":
		return joined("&&", c, a)
	case a.text == "false":
		return joined("&&", negated(c), b)
	case b.text == "true":
		return joined("||", negated(c), a)
	}
	return term{fmt.Sprintf("%s ? %s : %s", c.in(either), a.in(either), b.in(either)), choose}
}

// isTrue is the effective boolean value of a value.
func (t *translator) isTrue(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nothing:
		return term{"false", whole}
	case nodes, positions:
		return t.isThere(n, v)
	case texts:
		// of texts, that one is there that is not empty; several are a mistake in XPath
		x := t.variable("t")
		return call("%s.exists(%s, %s != \"\")", v.in(whole), x, x)
	case text:
		if v.literal != nil {
			return term{fmt.Sprint(*v.literal != ""), whole}
		}
		return v.each(term{v.in(added) + ` != ""`, compared})
	case number:
		return v.each(term{v.in(added) + " != " + zeroLike(v), compared})
	case boolean:
		return v.each(v.term)
	case choice:
		return chosen(v.condition, t.isTrue(n, v.then), t.isTrue(n, v.other))
	case sequence:
		if len(v.members) > 0 && !slices.ContainsFunc(v.members, func(m *value) bool { return m.kind != nodes }) {
			var all []term
			for _, m := range v.members {
				all = append(all, m.has())
			}
			return joined("||", all...)
		}
	}
	refuse(n, "a list of values or a date is not a condition")
	return term{}
}

func zeroLike(v *value) string {
	if v.integer {
		return "0"
	}
	return "0.0"
}

func (t *translator) quantified(n *xpath2.Node, s *scope) term {
	over := t.value(n.Args[0], s)
	some := n.Op == xpath2.Some
	return t.loop(n, over, some, func(item *value) term {
		return t.condition(n.Args[1], s.with(n.Name, &variable{value: item}))
	})
}

// loop asks a condition of some or every item of a value.
func (t *translator) loop(n *xpath2.Node, v *value, some bool, ask func(*value) term) term {
	word, op := "all", "&&"
	if some {
		word, op = "exists", "||"
	}
	switch v.kind {
	case nothing:
		return term{fmt.Sprint(!some), whole}
	case nodes:
		if v.attributes() {
			x := t.variable("t")
			return call("%s.%s(%s, %s)", v.alternatives.texts().in(whole), word, x, ask(textValue(x)).text)
		}
		if from, self := v.self(); self {
			return ask(elementValue(from))
		}
		x := t.element(v.alternatives)
		return call("%s.%s(%s, %s)", v.elements().in(whole), word, x, ask(elementValue(x)).text)
	case texts:
		x := t.variable("t")
		return call("%s.%s(%s, %s)", v.in(whole), word, x, ask(textValue(x)).text)
	case text, number, boolean, date:
		if len(v.quantor) == 0 {
			return ask(v)
		}
		if some {
			bare := *v
			bare.quantor = nil
			return v.each(ask(&bare))
		}
		bare := *v
		bare.quantor = nil
		return negated(v.each(negated(ask(&bare))))
	case choice:
		return chosen(v.condition, t.loop(n, v.then, some, ask), t.loop(n, v.other, some, ask))
	case sequence:
		var all []term
		for _, m := range v.members {
			all = append(all, t.loop(n, m, some, ask))
		}
		return joined(op, all...)
	}
	refuse(n, "a loop over such values is not translated")
	return term{}
}

func (t *translator) castable(n *xpath2.Node, s *scope) term {
	_, of, _ := strings.Cut(n.Name, ":") // a type of XML Schema, whatever its prefix
	test := map[string]string{"date": "isDate", "decimal": "isDecimal", "integer": "isInteger", "double": "isNumber", "float": "isNumber", "time": "isTime", "string": "isText"}[of]
	if test == "" {
		refuse(n, "castable as %s is not translated", n.Name)
	}
	return t.castableAs(n, t.value(n.Args[0], s), test)
}

// castableAs asks whether a value is one item that can be read as a type; several cannot.
func (t *translator) castableAs(n *xpath2.Node, v *value, test string) term {
	if v.kind == choice {
		return chosen(v.condition, t.castableAs(n, v.then, test), t.castableAs(n, v.other, test))
	}
	some := t.loop(n, v, true, func(item *value) term {
		one := t.text(n, item)
		switch test {
		case "isInteger":
			return call(`%s.matches("^\\s*[+-]?[0-9]+\\s*$")`, one.in(whole))
		case "isTime":
			return call(`%s.matches("^\\s*(([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?|24:00:00(\\.0+)?)(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?\\s*$")`, one.in(whole))
		case "isText": // any
			return term{"true", whole}
		}
		return call("%s.%s()", one.in(whole), test)
	})
	if many := t.count(n, v); many.literal == nil {
		return joined("&&", term{many.in(added) + " == 1", compared}, some)
	}
	return some
}

// value is what an expression gives.
func (t *translator) value(n *xpath2.Node, s *scope) *value {
	switch n.Op {
	case xpath2.Text:
		return literalText(n.Text)
	case xpath2.Number:
		return numberLiteral(n)
	case xpath2.Variable:
		return t.valueOfVariable(n, s)
	case xpath2.Sequence:
		out := &value{kind: sequence}
		for _, a := range n.Args {
			out.members = append(out.members, t.value(a, s))
		}
		if len(out.members) == 0 {
			out.kind = nothing
		}
		return out
	case xpath2.Or, xpath2.And, xpath2.Compare, xpath2.Some, xpath2.Every, xpath2.Castable:
		return &value{kind: boolean, term: t.condition(n, s)}
	case xpath2.If:
		return either2(t.condition(n.Args[0], s), t.value(n.Args[1], s), t.value(n.Args[2], s))
	case xpath2.Arithmetic:
		return t.arithmetic(n, t.value(n.Args[0], s), t.value(n.Args[1], s))
	case xpath2.Negative:
		return t.minus(n, t.value(n.Args[0], s))
	case xpath2.Union:
		return t.union(n, s)
	case xpath2.Path:
		return t.path(n, s)
	case xpath2.Call:
		return t.call(n, s)
	case xpath2.Cast:
		return t.cast(n, n.Name, t.value(n.Args[0], s))
	case xpath2.For:
		return t.forEach(n, s)
	}
	refuse(n, "%s is not translated", n.Op)
	return nil
}

func either2(c term, then, other *value) *value {
	switch c.text {
	case "true":
		return then
	case "false":
		return other
	}
	if then.kind == boolean && other.kind == boolean && len(then.quantor)+len(other.quantor) == 0 {
		return &value{kind: boolean, term: chosen(c, then.term, other.term)}
	}
	return &value{kind: choice, condition: c, then: then, other: other}
}

func numberLiteral(n *xpath2.Node) *value {
	if strings.ContainsAny(n.Text, "eE") {
		refuse(n, "a number with an exponent is not translated")
	}
	s := n.Text
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	return &value{kind: number, term: term{s, whole}, literal: &s, integer: !strings.Contains(s, ".")}
}

func (t *translator) valueOfVariable(n *xpath2.Node, s *scope) *value {
	v, known := s.variables[n.Name]
	if !known {
		refuse(n, "there is no variable $%s", n.Name)
	}
	if v.why != "" {
		refuse(n, "the variable $%s %s", n.Name, v.why)
	}
	if v.value != nil {
		return v.value
	}
	defer t.enter(n)()
	return t.value(v.node, v.scope)
}

// forEach goes through a list and gives a value for each of its items.
func (t *translator) forEach(n *xpath2.Node, s *scope) *value {
	v := t.value(n.Args[0], s)
	list, x, item := t.listOf(n, v)
	out := *t.value(n.Args[1], s.with(n.Name, &variable{value: item}))
	return through(over{variable: x, list: list.in(whole)}, &out, n)
}

// through is a value with one more list around it.
func through(o over, v *value, n *xpath2.Node) *value {
	switch v.kind {
	case text, number, date, boolean:
		v.quantor = append([]over{o}, v.quantor...)
		v.literal = nil
		return v
	case nodes:
		if x, self := v.self(); self && x == o.variable {
			return &value{kind: nodes, alternatives: alternatives{{from: o.list, many: true}}}
		}
		if _, _, path, ok := v.alternatives.path(); ok && v.alternatives[0].from == o.variable {
			return &value{kind: nodes, alternatives: alternatives{{from: o.list, many: true, path: path, attribute: v.attributes()}}}
		}
	}
	refuse(n, "a loop that gives lists is not translated")
	return nil
}

// listOf is a value as a list, with a variable for its items.
func (t *translator) listOf(n *xpath2.Node, v *value) (list term, x string, item *value) {
	switch v.kind {
	case nodes:
		if v.attributes() {
			x = t.variable("t")
			return v.alternatives.texts(), x, textValue(x)
		}
		x = t.element(v.alternatives)
		return v.elements(), x, elementValue(x)
	case texts, sequence, text:
		x = t.variable("t")
		return t.texts(n, v), x, textValue(x)
	}
	refuse(n, "this is not a list that can be gone through")
	return term{}, "", nil
}
