package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"einvoice/engine/cases"
	"einvoice/model"

	"github.com/google/cel-go/common/operators"
)

// Holds is what a document has where an assertion holds, with the terms below at for those of
// this. Codes are those of a code list; nil for one that is not there. What compares otherwise
// than a term with a value is something that a document has or has not.
func Holds(text string, this This, at string, codes func(list string) []string) (*cases.Condition, error) {
	root, err := checkOnce(text, this)
	if err != nil {
		return nil, err
	}
	c := &conditions{this: provider().byName[this.typ.TypeName()], at: at, codes: codes}
	return c.of(root).holds, nil
}

// AsksNothing reports whether an assertion asks nothing of a document: it holds, or does not, whatever that has.
func AsksNothing(text string, this This) bool {
	root, err := checkOnce(text, this)
	return err == nil && !root.asks(nil)
}

// asks reports whether a variable is in an expression that is none of those of the loops around it.
func (n *node) asks(loops []string) bool {
	switch n.op {
	case nodeVariable:
		return !slices.Contains(loops, n.name)
	case nodeLoop:
		loops = append(slices.Clone(loops), n.name, n.text)
	}
	return slices.ContainsFunc(n.args, func(of *node) bool { return of.asks(loops) })
}

type conditions struct {
	this  *model.Type
	at    string
	codes func(list string) []string
}

// decided is where an expression is true, and where it is false; elsewhere it has no value.
type decided struct{ holds, fails *cases.Condition }

func (d decided) not() decided { return decided{d.fails, d.holds} }

func (c *conditions) of(n *node) decided {
	if n.op == nodeHas {
		if place, f := c.place(n.args[0], n.name); f != nil {
			return decided{cases.Has(place), cases.Not(cases.Has(place))}
		}
	}
	if n.op == nodeBoolean {
		d := decided{cases.All(), cases.Any()}
		if n.text != "true" {
			d = d.not()
		}
		return d
	}
	if n.op == nodeCall {
		if d, known := c.call(n); known {
			return d
		}
	}
	name := "(" + strings.ReplaceAll(c.at, "/", ".") + n.String()
	isTrue, isFalse := cases.Has(name+" true)"), cases.Has(name+" false)")
	there := c.compared(n)
	return decided{cases.All(there, isTrue, cases.Not(isFalse)), cases.All(there, isFalse, cases.Not(isTrue))}
}

// compared holds where the terms that a comparison is about are there: it has no value elsewhere.
func (c *conditions) compared(n *node) *cases.Condition {
	there := cases.All()
	if n.op != nodeCall || signs[n.name] == nil {
		return there
	}
	for _, of := range n.args {
		if place, f := c.place(of, ""); f != nil && f.Kind.IsLeaf() {
			there = cases.All(there, valueAt(place, f.Kind))
		}
	}
	return there
}

// valueAt holds where a term has a value of its kind.
func valueAt(place string, kind model.Kind) *cases.Condition {
	switch kind {
	case model.KindNumber, model.KindAmount:
		return cases.IsNumber(place)
	case model.KindDate:
		return cases.Dated(place, "2000-01-01", func(int) bool { return true })
	}
	return cases.Has(place)
}

func (c *conditions) call(n *node) (d decided, known bool) {
	arg := func(i int) decided { return c.of(n.args[i]) }
	switch n.name {
	case operators.LogicalNot:
		return arg(0).not(), true
	case operators.LogicalAnd:
		a, b := arg(0), arg(1)
		return decided{cases.All(a.holds, b.holds), cases.Any(a.fails, b.fails)}, true
	case operators.LogicalOr:
		a, b := arg(0), arg(1)
		return decided{cases.Any(a.holds, b.holds), cases.All(a.fails, b.fails)}, true
	case operators.Conditional:
		a, b, e := arg(0), arg(1), arg(2)
		return decided{cases.Any(cases.All(a.holds, b.holds), cases.All(a.fails, e.holds)), cases.Any(cases.All(a.holds, b.fails), cases.All(a.fails, e.fails))}, true
	case "filled", "valid", "is":
		return c.aboutTerm(n)
	}
	if asked, of := c.asked(n); asked != nil {
		return c.answered(asked, of)
	}
	return d, false
}

// aboutTerm decides functions about a term itself, which always have a value.
func (c *conditions) aboutTerm(n *node) (d decided, known bool) {
	place, f := c.place(n.args[0], "")
	if f == nil || !f.Kind.IsLeaf() {
		return d, false
	}
	holds := cases.Has(place)
	switch {
	case n.name == "filled" && f.Kind == model.KindText:
		holds, known = cases.Matches(place, `[^ \t\r\n]`)
	case n.name == "filled":
		holds, known = cases.Filled(place), true
	case n.name == "is":
		if n.args[1].op == nodeText {
			holds, known = cases.IsWord(place, n.args[1].text)
		}
	case f.Kind == model.KindDate || f.Kind == model.KindNumber || f.Kind == model.KindAmount || f.Kind == model.KindText:
		holds, known = valueAt(place, f.Kind), true
	}
	if !known {
		return d, false
	}
	return decided{holds, cases.Not(holds)}, true
}

// A question is what is asked of a value: where it holds of a term that has one, and whether it
// holds of a literal.
type question struct {
	ofTerm  func(place string) (*cases.Condition, bool)
	literal func(text string) bool
	kinds   []model.Kind
}

// answered is where a question about a term, or about orElse(term, literal), holds and fails.
func (c *conditions) answered(q *question, of *node) (d decided, known bool) {
	var instead *node
	if of.op == nodeCall && of.name == "orElse" {
		of, instead = of.args[0], of.args[1]
	}
	place, f := c.place(of, "")
	if f == nil || !slices.Contains(q.kinds, f.Kind) {
		return d, false
	}
	holds, known := q.ofTerm(place)
	if !known {
		return d, false
	}
	has := valueAt(place, f.Kind)
	d = decided{cases.All(has, holds), cases.All(has, cases.Not(holds))}
	if instead == nil {
		return d, true
	}
	if !isLiteral(instead) {
		return d, false
	}
	absent := cases.Not(cases.Has(place))
	if q.literal(instead.text) {
		d.holds = cases.Any(d.holds, absent)
	} else {
		d.fails = cases.Any(d.fails, absent)
	}
	return d, true
}

func isLiteral(n *node) bool {
	return n.op == nodeText || n.op == nodeInteger || n.op == nodeDecimal
}

// Kinds of terms that questions are about.
var textKinds, numberKinds, dayKinds = []model.Kind{model.KindText}, []model.Kind{model.KindNumber, model.KindAmount}, []model.Kind{model.KindDate}

// signs say how values compare, by the sign of the comparison.
var signs = map[string]func(sign int) bool{
	operators.Equals: func(s int) bool { return s == 0 }, operators.NotEquals: func(s int) bool { return s != 0 },
	operators.Less: func(s int) bool { return s < 0 }, operators.LessEquals: func(s int) bool { return s <= 0 },
	operators.Greater: func(s int) bool { return s > 0 }, operators.GreaterEquals: func(s int) bool { return s >= 0 },
}

// asked is what a call asks, and of which of its arguments; nil for what no question is about.
func (c *conditions) asked(n *node) (*question, *node) {
	if holds := signs[n.name]; holds != nil {
		of, value := n.args[0], n.args[1]
		if isValue(of) {
			of, value = value, of
			sign := holds
			holds = func(s int) bool { return sign(-s) }
		}
		return comparison(of, value, holds), sized(of)
	}
	if len(n.args) != 2 {
		return nil, nil
	}
	switch value := n.args[1]; {
	case n.name == operators.In && value.op == nodeList:
		return oneOf(value.args), n.args[0]
	case value.op != nodeText:
	case n.name == "isInCodeList":
		if codes := c.codes(value.text); codes != nil {
			return &question{
				ofTerm:  func(place string) (*cases.Condition, bool) { return cases.IsOneOf(place, codes...) },
				literal: func(text string) bool { return slices.Contains(codes, strings.TrimSpace(text)) }, kinds: textKinds,
			}, n.args[0]
		}
	case n.name == "matches":
		return matching(value.text), n.args[0]
	case n.name == "startsWith":
		return matching("^" + regexp.QuoteMeta(value.text)), n.args[0]
	case n.name == "endsWith":
		return matching(regexp.QuoteMeta(value.text) + "$"), n.args[0]
	case n.name == "contains":
		return matching(regexp.QuoteMeta(value.text)), n.args[0]
	}
	return nil, nil
}

// isValue reports whether a node is a literal, or a day that is written as one.
func isValue(n *node) bool {
	return isLiteral(n) || n.op == nodeCall && n.name == "date" && isLiteral(n.args[0])
}

// sized is what a comparison is about: the text, where it compares a size.
func sized(n *node) *node {
	if n.op == nodeCall && n.name == "size" {
		return n.args[0]
	}
	return n
}

// comparison compares with a value; nil for what cannot be said.
func comparison(of, value *node, holds func(sign int) bool) *question {
	switch {
	case of.op == nodeCall && of.name == "size" && value.op == nodeInteger:
		return sizes(value.text, holds)
	case value.op == nodeText:
		if holds(-1) != holds(1) {
			return nil // texts have an order that says little
		}
		q := oneOf([]*node{value})
		if !holds(0) {
			is := q.ofTerm
			q.ofTerm = func(place string) (*cases.Condition, bool) {
				c, known := is(place)
				return cases.Not(c), known
			}
			q.literal = func(text string) bool { return text != value.text }
		}
		return q
	case value.op == nodeInteger, value.op == nodeDecimal:
		with := model.NewNumber(value.text)
		return &question{
			ofTerm: func(place string) (*cases.Condition, bool) {
				return cases.Compared(place, value.text, holds), with.Valid
			},
			literal: func(text string) bool { return holds(model.NewNumber(text).Value.Cmp(with.Value)) }, kinds: numberKinds,
		}
	case value.op == nodeCall && value.name == "date" && isLiteral(value.args[0]):
		day := model.NewDate(value.args[0].text)
		return &question{ofTerm: func(place string) (*cases.Condition, bool) { return cases.Dated(place, day.ISO(), holds), day.Valid }, kinds: dayKinds}
	}
	return nil
}

// longestSize is that of texts that are compared with one.
const longestSize = 200

// sizes asks how many characters a text has.
func sizes(text string, holds func(sign int) bool) *question {
	var n int
	if _, err := fmt.Sscan(text, &n); err != nil || n < 0 || n > longestSize {
		return nil
	}
	var parts []string
	if holds(-1) && n > 0 {
		parts = append(parts, fmt.Sprintf(`.{0,%d}`, n-1))
	}
	if holds(0) {
		parts = append(parts, fmt.Sprintf(`.{%d}`, n))
	}
	if holds(1) {
		parts = append(parts, fmt.Sprintf(`.{%d,}`, n+1))
	}
	if parts == nil {
		return nil
	}
	return matching(`^(?s:` + strings.Join(parts, "|") + `)$`)
}

// oneOf asks for one of some literals; nil where they are something else.
func oneOf(values []*node) *question {
	var all []string
	for _, v := range values {
		if v.op != nodeText {
			return nil
		}
		all = append(all, v.text)
	}
	return &question{
		ofTerm:  func(place string) (*cases.Condition, bool) { return cases.Is(place, all...), true },
		literal: func(text string) bool { return slices.Contains(all, text) }, kinds: textKinds,
	}
}

// matching asks for a regular expression.
func matching(expression string) *question {
	return &question{
		ofTerm: func(place string) (*cases.Condition, bool) { return cases.Matches(place, expression) },
		literal: func(text string) bool {
			re, err := regexp.Compile(expression)
			return err == nil && re.MatchString(text)
		}, kinds: textKinds,
	}
}

// place is where a path leads that goes down through groups, and what is there; nil for what is
// no such path.
func (c *conditions) place(n *node, below string) (place string, f *model.Field) {
	if n.op == nodeField {
		if place, f = c.place(n.args[0], n.name); below == "" || f == nil {
			return place, f
		}
		if f.Kind != model.KindGroup {
			return "", nil
		}
		return fieldBelow(place+"/", f.Elem, below)
	}
	switch {
	case n.op != nodeVariable || below == "":
		return "", nil
	case n.name == varThis && c.this != nil:
		return fieldBelow(c.at, c.this, below)
	case n.name == varInvoice:
		return fieldBelow("", model.InvoiceType(), below)
	}
	return "", nil
}

func fieldBelow(at string, of *model.Type, name string) (place string, f *model.Field) {
	if f, ok := of.Field(name); ok {
		return at + name, f
	}
	return "", nil
}

// String writes the operations of an expression, those that do the same alike.
func (n *node) String() string {
	args := make([]string, len(n.args))
	for i, arg := range n.args {
		args[i] = arg.String()
	}
	return fmt.Sprintf("%d%s%q(%s)", n.op, n.name, n.text, strings.Join(args, ","))
}
