package expr

import (
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"

	"github.com/google/cel-go/common/operators"
)

// relativesOf is the variable x in x.elements("../a | ../b"), and how many levels above it an
// element stands that alone decides the value; 0 for other expressions.
func relativesOf(n *node) (name string, levels int) {
	name, path := pathFrom(n)
	u, err := xpath.ParseRelative(path)
	if err != nil {
		return "", 0
	}
	for i := range u.Paths {
		up := 0
		for _, step := range u.Paths[i].Steps {
			if u.Paths[i].Absolute || step.Axis != xpath.Parent || step.Descendant || step.Predicates != nil {
				break
			}
			up++
		}
		if i == 0 || up < levels {
			levels = up
		}
	}
	return name, levels
}

// partsOf are the parts of the condition of a loop, and what each of them decides for an element that has it:
// of sum, filter and exists, a part that is false has the element take no part; of all, one that is
// true. It also returns the comparison that has the key.
func partsOf(n *node) (parts []*node, decided bool, compares string) {
	if condition := foldedBy(n, operators.LogicalAnd); condition != nil {
		return joined(condition, operators.LogicalOr), true, operators.NotEquals
	}
	if condition := conditionOf(n); condition != nil {
		return joined(condition, operators.LogicalAnd), false, operators.Equals
	}
	return nil, false, ""
}

// conditionOf is the condition of sum, filter and exists, nil for other loops.
func conditionOf(n *node) *node {
	if step := n.args[3]; step.op == nodeCall && step.name == operators.Conditional && (slotKind(n.typ) == kindDecimal || slotKind(n.typ) == kindList) {
		return step.args[0]
	}
	return existsOf(n)
}

// existsOf is the condition of exists, nil for other loops.
func existsOf(n *node) *node { return foldedBy(n, operators.LogicalOr) }

// foldedBy is the condition that a loop joins to its accumulator by an operator, && in all and ||
// in exists; nil for other loops.
func foldedBy(n *node, operator string) *node {
	step := n.args[3]
	if step.op == nodeCall && step.name == operator && n.args[1].op == nodeBoolean && step.args[0].op == nodeVariable && step.args[0].name == n.text {
		return step.args[1]
	}
	return nil
}

// joined are the parts that && or || joins.
func joined(n *node, by string) []*node {
	if n.op == nodeCall && n.name == by {
		return append(joined(n.args[0], by), joined(n.args[1], by)...)
	}
	return []*node{n}
}

// A keyComparison is x == y in the condition of a loop, where the element alone decides x and has
// no part in y. Each may be about every element of a list: xs.exists(x, ys.exists(y, x == y)).
type keyComparison struct {
	own        *node
	ownEach    []*node // the loops that lead to it from the element, the outermost first
	wanted     *node
	wantedEach []*node // one loop at most
}

// keyComparisonOf is nil if the part of the condition is no such comparison. Of all it is x != y,
// by itself.
func keyComparisonOf(loop, part *node, compares string) *keyComparison {
	if compares == operators.NotEquals {
		return comparisonAt(part, compares, []string{loop.name}, &keyComparison{})
	}
	return comparisonBelow(part, []string{loop.name}, nil)
}

// comparisonBelow finds the comparison in a condition inside loops, given the variables of the
// element and of these loops.
func comparisonBelow(part *node, names []string, loops []*node) *keyComparison {
	name := names[len(names)-1]
	each, condition := someOf(part)
	if each == nil {
		return comparisonAt(part, operators.Equals, names, &keyComparison{ownEach: loops})
	}
	free := freeOf(each.args[0], nil)
	if is(free, name) {
		names, loops = append(slices.Clip(names), each.name), append(slices.Clip(loops), each)
		for _, inner := range joined(condition, operators.LogicalAnd) {
			if c := comparisonBelow(inner, names, loops); c != nil {
				return c
			}
		}
		return nil
	}
	if hasAny(free, names) {
		return nil
	}
	return comparisonAt(condition, operators.Equals, names, &keyComparison{ownEach: loops, wantedEach: []*node{each}})
}

// comparisonAt takes the sides of x == y into c.
func comparisonAt(n *node, compares string, names []string, c *keyComparison) *keyComparison {
	if n.op != nodeCall || n.name != compares {
		return nil
	}
	for i, side := range n.args {
		free := freeOf(side, nil)
		if !is(freeOf(n.args[1-i], nil), names[len(names)-1]) || hasAny(free, names) {
			continue
		}
		if len(c.wantedEach) > 0 && !is(free, c.wantedEach[0].name) {
			continue
		}
		if c.own, c.wanted = n.args[1-i], side; len(freeOf(c.wantedFrom(), nil)) > 0 {
			return c // a key that is always the same would select the same elements each time
		}
	}
	return nil
}

func hasAny(free, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(free, name) })
}

// someOf is the loop that asks for an element of a list, and its condition: list.exists(x, ...),
// or list.filter(x, ...).size() > 0. It is nil for other conditions.
func someOf(n *node) (each, condition *node) {
	if n.op == nodeLoop {
		if condition = existsOf(n); condition != nil {
			return n, condition
		}
		return nil, nil
	}
	if n.op != nodeCall || n.name != operators.Greater || n.args[1].op != nodeInteger || n.args[1].text != "0" {
		return nil, nil
	}
	size := n.args[0]
	if size.op != nodeCall || size.name != "size" || len(size.args) != 1 || size.args[0].op != nodeLoop {
		return nil, nil
	}
	if condition = conditionOf(size.args[0]); condition == nil {
		return nil, nil
	}
	return size.args[0], condition
}

// wantedFrom is what the wanted keys come from.
func (c *keyComparison) wantedFrom() *node {
	if len(c.wantedEach) > 0 {
		return c.wantedEach[0].args[0]
	}
	return c.wanted
}

func is(free []string, name string) bool { return len(free) == 1 && free[0] == name }

// compare compiles both sides of a comparison of texts or numbers; equal values have equal
// keys.
func (s *scope) compare(c *keyComparison, k *keyedLoop) bool {
	own, ofOwn, err := s.eachOf(c.ownEach, c.own)
	if err != nil {
		return false
	}
	wanted, ofWanted, err := s.eachOf(c.wantedEach, c.wanted)
	if err != nil {
		return false
	}
	switch {
	case own.text != nil && wanted.text != nil:
		k.keys, k.wanted = ofOwn(own.text), ofWanted(wanted.text)
	case asDecimal(own) != nil && asDecimal(wanted) != nil:
		k.keys, k.wanted = ofOwn(decimalKey(asDecimal(own))), ofWanted(decimalKey(asDecimal(wanted)))
	default:
		return false
	}
	return true
}

// eachOf compiles an expression inside loops, and returns how its values become keys.
func (s *scope) eachOf(loops []*node, n *node) (c compiled, keys func(fn[string]) keysOf, err error) {
	if len(loops) == 0 {
		c, err = s.compile(n)
		return c, func(key fn[string]) keysOf {
			return func(act *Activation, keys []string) ([]string, bool) {
				text, ok := key(act)
				return append(keys, text), ok
			}
		}, err
	}
	loop := loops[0]
	over, err := s.compile(loop.args[0])
	if err != nil || over.list == nil {
		return c, nil, loop.errorf("there is nothing to go through")
	}
	element := over.typ.Parameters()[0]
	item, restore, err := s.declare(loop, loop.name, element)
	if err != nil {
		return c, nil, err
	}
	defer restore()
	each, err := s.iterate(loop, over, element, item)
	if err != nil {
		return c, nil, err
	}
	defer func() { s.depth-- }()
	c, inside, err := s.eachOf(loops[1:], n)
	return c, func(key fn[string]) keysOf {
		further := inside(key)
		return func(act *Activation, keys []string) ([]string, bool) {
			turn, ok := each.begin(act)
			if !ok {
				return keys, false
			}
			all := true
			for i := range turn.length {
				if !each.next(act, i) {
					return keys, false
				}
				keys, ok = further(act, keys)
				all = all && ok
			}
			return keys, all
		}
	}, err
}

func decimalKey(f fn[model.Decimal]) fn[string] {
	return func(act *Activation) (string, bool) {
		d, ok := f(act)
		if !ok || !act.payDigits(d) {
			return "", false
		}
		text := d.String()
		if d.FractionDigits() > 0 {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		if text == "-0" || text == "" || text == "-" {
			text = "0"
		}
		return text, true
	}
}

// freeOf are the variables that an expression reads and does not declare, without those
// in the part to skip, sorted. The invoice is none: it is the same for a whole document, as
// is what a path from the root reaches.
func freeOf(n, skip *node) []string {
	var names []string
	addFree(n, skip, nil, &names)
	slices.Sort(names)
	return slices.Compact(names)
}

func addFree(n, skip *node, declared []string, names *[]string) {
	switch {
	case n == skip:
	case n.op == nodeVariable:
		if n.name != varInvoice && !slices.Contains(declared, n.name) {
			*names = append(*names, n.name)
		}
	case isRooted(n):
	case n.op == nodeLoop:
		addFree(n.args[0], skip, declared, names)
		inside := append(slices.Clip(declared), n.name, n.text)
		for _, arg := range n.args[1:] {
			addFree(arg, skip, inside, names)
		}
	default:
		for _, arg := range n.args {
			addFree(arg, skip, declared, names)
		}
	}
}

// isRooted reports whether an expression follows a path that leads to the same from every element.
func isRooted(n *node) bool {
	_, path := pathFrom(n)
	return isFromRoot(path)
}

// pathFrom is the variable and the path of a function that follows one, as in this.texts("cbc:ID");
// "" for other expressions.
func pathFrom(n *node) (variable, path string) {
	if n.op != nodeCall || !takesPath(n.name) || len(n.args) != 2 || n.args[0].op != nodeVariable || n.args[1].op != nodeText {
		return "", ""
	}
	return n.args[0].name, n.args[1].text
}

// isFromRoot reports whether a path leads to the same from every element: all paths that it
// joins begin at the root.
func isFromRoot(path string) bool {
	if !strings.HasPrefix(path, "/") || !strings.Contains(path, "|") {
		return strings.HasPrefix(path, "/")
	}
	u, err := xpath.ParseRelative(path)
	return err == nil && !slices.ContainsFunc(u.Paths, func(p xpath.LocationPath) bool { return !p.Absolute })
}
