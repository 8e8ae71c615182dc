package importer

import (
	"slices"
	"strings"

	"einvoice/service/importer/xpath2"
)

// A place is one of the paths that a context is made of, from the document down.
type place struct {
	steps    []*xpath2.Step
	tests    []string // of the steps, with our prefixes
	anchored bool     // it begins at the document
	conds    [][]string
	guard    []guard
}

// A guard is a condition that paths cannot say, of the last step's nodes or of those so many
// levels above.
type guard struct {
	condition *xpath2.Node
	above     int
}

// holds asks for the guard at an element.
func (t *translator) holds(g guard, element string, s *scope) term {
	if g.above == 0 {
		return t.condition(g.condition, s.inside(elementValue(element)))
	}
	x := t.variable("e")
	delete(t.at, x)
	up := strings.TrimSuffix(strings.Repeat("../", g.above), "/")
	return call("%s.elements(%s).exists(%s, %s)", element, quoted(up), x, t.condition(g.condition, s.inside(elementValue(x))).text)
}

// last is the test of the last step.
func (p *place) last() string { return p.tests[len(p.tests)-1] }

// linked reports whether a step is a child of the one before it.
func (p *place) linked(i int) bool { return i > 0 && !p.steps[i].Descendant }

// places reads a context.
func (t *translator) places(n *xpath2.Node, s *scope) []*place {
	var all []*place
	for _, path := range expanded(n) {
		if path == nil {
			refuse(n, "a context that is not a path is not translated")
		}
		if len(path.Steps) == 0 { // the document, which is where its element is
			path = &xpath2.Node{Op: xpath2.Path, Root: true, Column: path.Column, Steps: []*xpath2.Step{{Axis: "child", Test: "*", Column: path.Column}}}
		}
		p := &place{steps: path.Steps, anchored: path.Root && !path.Steps[0].Descendant}
		dead := false
		for i, step := range path.Steps {
			if step.Expr != nil || step.Axis != "child" {
				refuse(n, "a context with %s is not translated: contexts only go down to elements", written(step))
			}
			test := t.test(n, step)
			dead = dead || test == ""
			p.tests = append(p.tests, test)
			p.anchored = p.anchored || i == 0 && isDocument(test)
			var conds []string
			for _, c := range step.Predicates {
				text, err := t.predicate(c, s.inside(nil), nil)
				if err == nil && text != "true()" {
					so := *p
					so.conds = append(slices.Clone(p.conds), append(slices.Clone(conds), text))
					so.tests, so.steps = p.tests[:i+1], path.Steps[:i+1]
					if t.nowhere(so.text(nil)) && !t.nowhere((&place{steps: so.steps, tests: so.tests, conds: make([][]string, i+1), anchored: p.anchored}).text(nil)) {
						err = errNotInPaths
					}
				}
				if err != nil {
					for _, later := range path.Steps[i+1:] {
						if later.Descendant {
							refuse(c, "the condition on %s is none that a context can have", test)
						}
					}
					p.guard = append(p.guard, guard{c, len(path.Steps) - 1 - i})
					continue
				}
				if text == "true()" {
					continue
				}
				conds = append(conds, text)
			}
			p.conds = append(p.conds, conds)
		}
		if dead {
			continue
		}
		if p.tests[0] == "node()" {
			p.tests[0] = "*"
		}
		if isDocument(p.last()) && len(p.tests) > 1 {
			p.steps, p.tests, p.conds = p.steps[len(p.steps)-1:], p.tests[len(p.tests)-1:], p.conds[len(p.conds)-1:]
			p.anchored = true
		}
		if t.nowhere(p.text(nil)) {
			continue
		}
		all = append(all, p)
	}
	return all
}

// written is a step as XPath writes it.
func written(step *xpath2.Step) string {
	if step.Expr != nil {
		return "a step that is an expression"
	}
	return "the step " + step.Axis + "::" + step.Test
}

// nowhere reports whether no document has anything at a context.
func (t *translator) nowhere(context string) bool {
	return t.leadsNowhere(alternative{path: context})
}

// text is the context as XPath, with more conditions on the last step.
func (p *place) text(more []string) string {
	var b strings.Builder
	for i, test := range p.tests {
		if i == 0 && !p.anchored || i > 0 && p.steps[i].Descendant {
			b.WriteString("//")
		} else {
			b.WriteString("/")
		}
		b.WriteString(test)
		conds := p.conds[i]
		if i == len(p.tests)-1 {
			conds = append(slices.Clone(conds), more...)
		}
		for _, c := range conds {
			b.WriteString("[" + c + "]")
		}
	}
	return b.String()
}

// relation is what two places of one pattern have in common.
type relation int

const (
	apart    relation = iota // no node is at both
	overlap                  // some may be
	contains                 // each of the second is at the first
)

// against compares an earlier place with a later one.
func (p *place) against(later *place) relation {
	within := len(p.guard) == 0 && allEmpty(p.conds)
	i, j := len(p.tests)-1, len(later.tests)-1
	for {
		a, b := p.tests[i], later.tests[j]
		switch {
		case a != "*" && b != "*" && !strings.HasSuffix(a, ":*") && !strings.HasSuffix(b, ":*") && a != b:
			return apart
		case a != "*" && a != b:
			within = false
		}
		if differ(p.conds[i], later.conds[j]) {
			return apart
		}
		firstA, firstB := i == 0, j == 0
		switch {
		case firstA && p.anchored && firstB && later.anchored:
			return oneOf(within)
		case firstA && p.anchored: // the later one's element has something above it, or it is unknown
			if !firstB && later.linked(j) {
				return apart
			}
			return overlap
		case firstB && later.anchored:
			if !firstA && p.linked(i) {
				return apart
			}
			if firstA {
				return oneOf(within)
			}
			return overlap
		case firstA:
			return oneOf(within)
		case firstB, !p.linked(i), !later.linked(j):
			return overlap
		}
		i, j = i-1, j-1
	}
}

func oneOf(within bool) relation {
	if within {
		return contains
	}
	return overlap
}

func allEmpty(conds [][]string) bool {
	return !slices.ContainsFunc(conds, func(c []string) bool { return len(c) > 0 })
}

// differ reports whether two conditions ask the indicator of an allowance or charge, which
// there is once, for different values.
func differ(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x != y && indicator(x) != "" && indicator(y) != "" && indicator(x) != indicator(y) {
				return true
			}
		}
	}
	return false
}

// indicator is the value that a condition asks a charge indicator for.
func indicator(condition string) string {
	const name = "cbc:ChargeIndicator"
	rest, found := strings.CutPrefix(condition, name)
	if !found {
		return ""
	}
	switch strings.TrimSpace(rest) {
	case "= 'true'", "[normalize-space(.) = 'true' or normalize-space(.) = '1']":
		return "true"
	case "= 'false'", "[normalize-space(.) = 'false' or normalize-space(.) = '0']":
		return "false"
	}
	return ""
}

// taken is the condition that a node is at an earlier place, asked at the node itself.
func (p *place) taken() string {
	conds := slices.Clone(p.conds[len(p.conds)-1])
	if last := p.last(); last != "*" {
		conds = append([]string{"self::" + last}, conds...)
	}
	if above := p.above(len(p.tests) - 1); above != "" {
		conds = append(conds, above)
	}
	for i, c := range conds {
		if strings.Contains(c, " or ") && len(conds) > 1 {
			conds[i] = "(" + c + ")"
		}
	}
	if len(conds) == 0 {
		return "true()"
	}
	return strings.Join(conds, " and ")
}

// above is what must be above the step i.
func (p *place) above(i int) string {
	if i == 0 {
		if p.anchored {
			return "not(parent::*)"
		}
		return ""
	}
	axis := "parent::"
	if p.steps[i].Descendant {
		axis = "ancestor::"
	}
	out := axis + p.tests[i-1]
	for _, c := range p.conds[i-1] {
		out += "[" + c + "]"
	}
	if above := p.above(i - 1); above != "" && !(above == "not(parent::*)" && isDocument(p.tests[i-1])) {
		out += "[" + above + "]"
	}
	return out
}
