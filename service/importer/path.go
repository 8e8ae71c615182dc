package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/source"
	"einvoice/service/importer/xpath2"
)

// path follows the steps of a path.
func (t *translator) path(n *xpath2.Node, s *scope) *value {
	var at *value
	steps := n.Steps
	switch {
	case n.Root:
		at = &value{kind: nodes, alternatives: alternatives{{from: "this", path: "/"}}}
		if len(steps) == 0 {
			refuse(n, "the document itself is not an element")
		}
	case steps[0].Expr != nil:
		at = t.value(steps[0].Expr, s)
		for _, p := range steps[0].Predicates {
			at = t.filter(steps[0].Expr, at, p, s)
		}
		steps = steps[1:]
	case s.atRoot:
		at = &value{kind: nodes, alternatives: alternatives{{from: "this", path: "/"}}}
	case s.item == nil:
		refuse(n, "there is no element around this path")
	default:
		at = s.item
	}
	for i, step := range steps {
		if i == 0 && aboveAll(step) && isDocument(t.test(n, step)) { // the document element is around everything
			at = &value{kind: nodes, alternatives: alternatives{{from: "this", path: "/"}}}
			child := *step
			child.Axis = "child"
			step = &child
		}
		at = t.step(n, at, step, s, i == len(steps)-1)
	}
	if slices.ContainsFunc(at.alternatives, func(a alternative) bool { return a.path == "/" }) {
		refuse(n, "the document itself is not an element")
	}
	return at
}

// aboveAll reports whether a step goes up to elements around.
func aboveAll(s *xpath2.Step) bool {
	return s.Expr == nil && !s.Descendant && (s.Axis == "ancestor" || s.Axis == "ancestor-or-self")
}

// step goes on from every node of a value.
func (t *translator) step(n *xpath2.Node, at *value, step *xpath2.Step, s *scope, last bool) *value {
	if step.IsSelf() {
		return at
	}
	if at.kind == choice {
		return either2(at.condition, t.step(n, at.then, step, s, last), t.step(n, at.other, step, s, last))
	}
	if at.kind == nothing {
		return at
	}
	if at.kind == sequence && !slices.ContainsFunc(at.members, func(m *value) bool { return m.kind != nodes }) {
		merged := &value{kind: nodes}
		for _, m := range at.members {
			merged.alternatives = append(merged.alternatives, m.alternatives...)
		}
		at = merged
	}
	if at.kind != nodes {
		refuse(n, "a step after a value that is not an element is not translated")
	}
	if at.first {
		refuse(n, "a step after the first of several elements is not translated")
	}
	if step.Expr != nil {
		return t.stepOfExpression(n, at, step, s)
	}
	if step.Test == "text()" {
		return at // the value of an element is its text
	}
	if step.Axis == "self" && step.Test == "node()" {
		for _, p := range step.Predicates {
			at = t.filter(n, at, p, s)
		}
		return at
	}
	test := t.test(n, step)
	out := &value{kind: nodes}
	for _, a := range at.alternatives {
		if a.attribute {
			refuse(n, "a step after an attribute is not translated")
		}
		if step.Axis == "ancestor-or-self" && test != "" {
			for _, axis := range []string{"self", "ancestor"} {
				one := *step
				one.Axis = axis
				if next := a.step(&one, test); !t.leadsNowhere(next) {
					out.alternatives = append(out.alternatives, next)
				}
			}
			continue
		}
		if !axesOfPaths[step.Axis] {
			refuse(n, "rules do not have the axis %s", step.Axis)
		}
		if test == "" { // no element has such a name
			continue
		}
		if next := a.step(step, test); !t.leadsNowhere(next) {
			out.alternatives = append(out.alternatives, next)
		}
	}
	if len(out.alternatives) == 0 {
		return &value{kind: nothing}
	}
	for _, p := range step.Predicates {
		out = t.filter(n, out, p, s)
	}
	return out
}

// leadsNowhere reports whether no document has anything at a path.
func (t *translator) leadsNowhere(a alternative) bool {
	_, err := t.follow(a)
	return err != nil
}

// axesOfPaths are those that paths of rules have, or that // stands for.
var axesOfPaths = map[string]bool{
	"child": true, "attribute": true, "self": true, "parent": true, "descendant": true, "ancestor": true, "following-sibling": true, "preceding-sibling": true,
}

// step adds a step without its predicates.
func (a alternative) step(step *xpath2.Step, test string) alternative {
	mark := "/"
	if step.Descendant {
		mark = "//"
	}
	word := map[string]string{"child": "", "attribute": "@"}[step.Axis]
	if word == "" && step.Axis != "child" {
		word = step.Axis + "::"
	}
	if step.Axis == "parent" && test == "node()" {
		word, test = "", ".."
	}
	if (step.Axis == "descendant" || step.Axis == "descendant-or-self") && !step.Descendant {
		mark, word = "//", ""
	}
	out := a
	switch {
	case a.path == "/":
		out.path = mark + word + test
	case a.path == "" && mark == "//":
		out.path = ".//" + word + test
	case a.path == "":
		out.path = word + test
	default:
		out.path = a.path + mark + word + test
	}
	out.attribute = step.Axis == "attribute"
	return out
}

// test is the test of a step with our prefixes; "" for a name that no element has.
func (t *translator) test(n *xpath2.Node, step *xpath2.Step) string {
	switch step.Test {
	case "*", "node()", "element()":
		if step.Test == "element()" {
			return "*"
		}
		return step.Test
	}
	prefix, local, prefixed := strings.Cut(step.Test, ":")
	if !prefixed {
		if step.Axis == "attribute" {
			return step.Test
		}
		return ""
	}
	if prefix == "*" {
		refuse(n, "*:%s is not translated: rules name a namespace", local)
	}
	ours, known := t.prefixes[prefix]
	if !known {
		refuse(n, "the prefix %s is declared nowhere, or its namespace is none of UBL and CII", prefix)
	}
	return ours + ":" + local
}

// stepOfExpression is a/f(.), a/(b | c) or a//(b | c).
func (t *translator) stepOfExpression(n *xpath2.Node, at *value, step *xpath2.Step, s *scope) *value {
	if paths := relativePaths(step.Expr); paths != nil {
		out := &value{kind: nodes}
		for _, p := range paths {
			v := at
			for i, inner := range p.Steps {
				if i == 0 && step.Descendant { // a//(b | c)
					anywhere := *inner
					anywhere.Descendant = true
					inner = &anywhere
				}
				v = t.step(n, v, inner, s, false)
			}
			if v.kind == nodes {
				out.alternatives = append(out.alternatives, v.alternatives...)
			}
		}
		for _, p := range step.Predicates {
			out = t.filter(n, out, p, s)
		}
		return out
	}
	if step.Descendant {
		refuse(n, "a function after // is not translated")
	}
	if len(step.Predicates) > 0 {
		refuse(n, "a condition after a function that is a step is not translated")
	}
	if from, self := at.self(); self {
		return t.value(step.Expr, s.inside(elementValue(from)))
	}
	list, x, item := t.listOf(n, at)
	out := *t.value(step.Expr, s.inside(item))
	return through(over{variable: x, list: list.in(whole)}, &out, n)
}

// relativePaths are the paths of a union, nil where it is anything else.
func relativePaths(n *xpath2.Node) []*xpath2.Node {
	all := []*xpath2.Node{n}
	if n.Op == xpath2.Union || n.Op == xpath2.Sequence {
		all = n.Args
	}
	for _, p := range all {
		if p.Op != xpath2.Path || p.Root || p.Steps[0].Expr != nil {
			return nil
		}
	}
	return all
}

// filter keeps what a predicate holds for: within the path where rules can have it there,
// else with a condition in CEL.
func (t *translator) filter(n *xpath2.Node, at *value, p *xpath2.Node, s *scope) *value {
	if p.Op == xpath2.Number {
		return t.position(n, at, p)
	}
	switch at.kind {
	case nodes:
		if text, err := t.predicate(p, s, at.alternatives); err == nil {
			out := *at
			out.alternatives = slices.Clone(at.alternatives)
			for i := range out.alternatives {
				a := &out.alternatives[i]
				if a.path == "" || strings.HasSuffix(a.path, "..") || a.path == "/" {
					out.alternatives = nil
					break
				}
				a.path += "[" + text + "]"
				if t.leadsNowhere(*a) { // the condition names what no document has
					out.alternatives = nil
					break
				}
			}
			if out.alternatives != nil {
				return &out
			}
		}
		if at.attributes() {
			x := t.variable("t")
			return &value{kind: texts, term: call("%s.filter(%s, %s)", at.alternatives.texts().in(whole), x, t.condition(p, s.inside(textValue(x))).text)}
		}
		x := t.element(at.alternatives)
		list := call("%s.filter(%s, %s)", at.elements().in(whole), x, t.condition(p, s.inside(elementValue(x))).text)
		t.place(list.text, at.alternatives)
		return &value{kind: nodes, alternatives: alternatives{{from: list.text, many: true}}}
	case text, texts, sequence:
		x := t.variable("t")
		return &value{kind: texts, term: call("%s.filter(%s, %s)", t.texts(n, at).in(whole), x, t.condition(p, s.inside(textValue(x))).text)}
	case choice:
		return either2(at.condition, t.filter(n, at.then, p, s), t.filter(n, at.other, p, s))
	case nothing:
		return at
	}
	refuse(n, "a condition on such values is not translated")
	return nil
}

// position is [1] and other numbers: within a path they count below one parent.
func (t *translator) position(n *xpath2.Node, at *value, p *xpath2.Node) *value {
	out := *at
	switch {
	case at.kind == nodes && n.Op == xpath2.Path && len(at.alternatives) > 0 && !at.alternatives[0].many && at.alternatives[0].path != "" && at.alternatives[0].path != "/":
		out.alternatives = slices.Clone(at.alternatives)
		for i := range out.alternatives {
			out.alternatives[i].path += "[" + p.Text + "]"
		}
		return &out
	case p.Text == "1" && at.kind == nodes:
		if _, self := at.self(); !self {
			out.first = true
		}
		return &out
	case at.kind == choice:
		return either2(at.condition, t.position(n, at.then, p), t.position(n, at.other, p))
	case at.kind == nothing:
		return at
	case at.kind == text && p.Text == "1" && len(at.quantor) == 0:
		return at
	case at.kind == texts && !strings.ContainsAny(p.Text, ".eE") && p.Text != "0":
		position, err := strconv.Atoi(p.Text)
		if err != nil {
			refuse(p, "%s is not a position", p.Text)
		}
		list := at.in(whole)
		there := term{fmt.Sprintf("%s.size() >= %d", list, position), compared}
		return either2(there, &value{kind: text, term: call("%s[%d]", list, position-1)}, &value{kind: nothing})
	}
	refuse(n, "a position in a list of values is not translated")
	return nil
}

// union joins what its parts lead to.
func (t *translator) union(n *xpath2.Node, s *scope) *value {
	out := &value{kind: nodes}
	for _, a := range n.Args {
		switch v := t.value(a, s); v.kind {
		case nothing:
		case nodes:
			if v.first {
				refuse(n, "the first of several elements is not joined with others")
			}
			out.alternatives = append(out.alternatives, v.alternatives...)
		default:
			refuse(n, "| joins elements and attributes alone")
		}
	}
	if len(out.alternatives) == 0 {
		return &value{kind: nothing}
	}
	return out
}

// isDocument reports whether a name is that of a document element.
func isDocument(name string) bool {
	return name == "ubl:Invoice" || name == "cn:CreditNote" || name == "rsm:CrossIndustryInvoice"
}

// known reports whether rules have a prefix for a namespace.
func prefixOf(uri string) (string, bool) {
	for prefix, space := range source.Prefixes {
		if space == uri && prefix != "xml" && prefix != "xsi" {
			return prefix, true
		}
	}
	return "", false
}
