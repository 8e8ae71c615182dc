package expr

import (
	"slices"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/common/operators"
)

// Rules about VAT breakdowns ask, for each entry, all lines of its category and rate:
//
//	invoice.lines.sum(l, is(l.vat.categoryCode, "S") && l.vat.rate == this.rate, l.netAmount)
//
// A loop of this shape goes through the whole list for every entry, so that the time grows
// with the product of the two. When it has been through a long list some times, its elements
// are sorted by what they compare once, and it then visits those alone whose key is equal;
// where nothing else differs between two evaluations with one key, it gives the first's
// result again. Which elements are visited never changes the value: the others make the
// condition false, whatever the rest of it is.

const (
	keyedFrom  = 32 // elements, below which a list is not worth sorting
	keyedAfter = 3  // evaluations over one document
)

// A keyedLoop is what a loop needs to visit elements by key.
type keyedLoop struct {
	only []fn[bool] // parts of the condition that depend on the element alone
	keys keysOf     // of the element
	key  fn[string] // that they are compared with
	memo bool       // whether the key alone decides the result
}

// keysOf adds the keys of the element that the loop variable is set to. It is false if some
// key has no value.
type keysOf func(act *Activation, add func(key string)) bool

// A keyedState is the elements of one keyed loop in one document.
type keyedState struct {
	evaluations int
	sorted      bool
	list        list
	at          map[string][]int32 // positions in the list, ascending
	always      []int32            // of those with a key that has no value
	sums        map[string]model.Decimal
	found       map[string]bool
}

// keyed finds out whether a loop, whose variables are declared, compares a key. It is nil
// if not.
func (s *scope) keyed(n *node) *keyedLoop {
	if len(freeOf(n.args[0], nil)) > 0 {
		return nil // another list in each evaluation
	}
	condition := conditionOf(n)
	if condition == nil {
		return nil
	}
	k := &keyedLoop{}
	var key *node
	for _, part := range conjuncts(condition) {
		if key == nil && s.keyPart(n, part, k) {
			key = keySide(n, part)
			continue
		}
		if free := freeOf(part, nil); len(free) == 1 && free[0] == n.name {
			if c, err := s.compile(part); err == nil && c.boolean != nil {
				k.only = append(k.only, c.boolean)
			}
		}
	}
	if key == nil {
		return nil
	}
	rest := freeOf(n.args[3], key)
	k.memo = !slices.ContainsFunc(rest, func(name string) bool { return name != n.name && name != n.text })
	return k
}

// conditionOf is the condition of sum and exists, nil for other loops.
func conditionOf(n *node) *node {
	step := n.args[3]
	switch {
	case step.op != nodeCall:
	case step.name == operators.Conditional && slotKind(n.typ) == kindDecimal:
		return step.args[0]
	case step.name == operators.LogicalOr && n.args[1].op == nodeBoolean && step.args[0].op == nodeVariable && step.args[0].name == n.text:
		return step.args[1]
	}
	return nil
}

func conjuncts(n *node) []*node {
	if n.op == nodeCall && n.name == operators.LogicalAnd {
		return append(conjuncts(n.args[0]), conjuncts(n.args[1])...)
	}
	return []*node{n}
}

// keyPart compiles x == key, and list.exists(p, p == key) about a list of the element.
func (s *scope) keyPart(loop, part *node, k *keyedLoop) bool {
	key := keySide(loop, part)
	if key == nil {
		return false
	}
	if part.op == nodeLoop {
		return s.keysInList(part, key, k)
	}
	return s.keyOfElement(other(part, key), key, k)
}

// keySide is the side of a comparison that the element has no part in; nil if the part of
// the condition is no such comparison.
func keySide(loop, part *node) *node {
	if part.op == nodeLoop {
		inside := conditionOf(part)
		if inside == nil || part.args[1].op != nodeBoolean || !is(freeOf(part.args[0], nil), loop.name) {
			return nil
		}
		return sideWithout(inside, part.name, loop.name)
	}
	return sideWithout(part, loop.name, "")
}

// sideWithout is the side of a comparison without the variable that the other depends on
// alone, and without another.
func sideWithout(n *node, name, another string) *node {
	if n.op != nodeCall || n.name != operators.Equals {
		return nil
	}
	for i, side := range n.args {
		free := freeOf(side, nil)
		if is(freeOf(n.args[1-i], nil), name) && !slices.Contains(free, name) && !slices.Contains(free, another) {
			return side
		}
	}
	return nil
}

func is(free []string, name string) bool { return len(free) == 1 && free[0] == name }

func other(comparison, side *node) *node {
	if comparison.args[0] == side {
		return comparison.args[1]
	}
	return comparison.args[0]
}

func (s *scope) keyOfElement(n, key *node, k *keyedLoop) bool {
	own, ok := s.keyText(n, key, k)
	k.keys = func(act *Activation, add func(string)) bool {
		text, ok := own(act)
		if ok {
			add(text)
		}
		return ok
	}
	return ok
}

// keysInList compiles the keys of a loop inside the loop.
func (s *scope) keysInList(n, key *node, k *keyedLoop) bool {
	over, err := s.compile(n.args[0])
	if err != nil || over.list == nil {
		return false
	}
	element := over.typ.Parameters()[0]
	item, restore, err := s.declare(n, n.name, element)
	if err != nil {
		return false
	}
	defer restore()
	each, err := s.iterate(n, over, element, item)
	if err != nil {
		return false
	}
	defer func() { s.depth-- }()
	own, ok := s.keyText(other(conditionOf(n), key), key, k)
	k.keys = func(act *Activation, add func(string)) bool {
		turn, ok := each.begin(act)
		if !ok {
			return false
		}
		all := true
		for i := range turn.length {
			if !each.next(act, i) {
				return false
			}
			if text, ok := own(act); ok {
				add(text)
			} else {
				all = false
			}
		}
		return all
	}
	return ok
}

// keyText compiles both sides of a comparison of texts or numbers; equal values have equal
// texts.
func (s *scope) keyText(n, key *node, k *keyedLoop) (own fn[string], ok bool) {
	a, err := s.compile(n)
	if err != nil {
		return nil, false
	}
	b, err := s.compile(key)
	if err != nil {
		return nil, false
	}
	switch {
	case a.text != nil && b.text != nil:
		k.key = b.text
		return a.text, true
	case asDecimal(a) != nil && asDecimal(b) != nil:
		k.key = decimalKey(asDecimal(b))
		return decimalKey(asDecimal(a)), true
	}
	return nil, false
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
	case n.op == nodeCall && takesPath(n.name) && len(n.args) == 2 && n.args[0].op == nodeVariable && n.args[1].op == nodeText && strings.HasPrefix(n.args[1].text, "/"):
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

// A turn is one evaluation of a loop: the elements that it visits.
type turn struct {
	length int
	at     []int32     // their positions; nil for all
	state  *keyedState // nil unless a key decides the result
	key    string
}

func (t *turn) position(i int) int {
	if t.at == nil {
		return i
	}
	return int(t.at[i])
}

// begin is the turn over a list that is sorted already; false if it is not.
func (k *keyedLoop) begin(act *Activation, l *list) (t turn, sorted bool) {
	state := act.keyed[k]
	if state == nil || !state.sorted {
		return t, false
	}
	key, ok := k.key(act)
	if !ok || !act.step() {
		return t, false
	}
	*l = state.list
	t = state.turn(key)
	if len(state.always) > 0 && !act.spend(t.length) {
		return t, false
	}
	if k.memo {
		t.state, t.key = state, key
	}
	return t, true
}

// turn visits the elements with a key, and those whose keys are not known.
func (s *keyedState) turn(key string) turn {
	at := s.at[key]
	if len(s.always) > 0 {
		at = slices.Concat(at, s.always)
		slices.Sort(at)
	}
	if at == nil {
		at = []int32{}
	}
	return turn{length: len(at), at: at}
}

// knownSum is the result of an evaluation with the same key, if there was one.
func (s *keyedState) knownSum(key string) (sum model.Decimal, known bool) {
	if s != nil {
		sum, known = s.sums[key]
	}
	return sum, known
}

func (s *keyedState) keepSum(key string, sum model.Decimal) {
	if s != nil {
		s.sums[key] = sum
	}
}

// knownFound is the same for exists.
func (s *keyedState) knownFound(key string) (found, known bool) {
	if s != nil {
		found, known = s.found[key]
	}
	return found, known
}

func (s *keyedState) keepFound(key string, found bool) {
	if s != nil {
		s.found[key] = found
	}
}

// visited counts an evaluation that went through the whole list, and sorts the list when
// that has happened often enough.
func (k *keyedLoop) visited(act *Activation, each *iteration, l *list, length int) {
	if length < keyedFrom {
		return
	}
	state := act.keyed[k]
	if state == nil {
		if act.keyed == nil {
			act.keyed = map[*keyedLoop]*keyedState{}
		}
		state = &keyedState{}
		act.keyed[k] = state
	}
	if state.evaluations++; state.evaluations > keyedAfter {
		state.sorted = k.sort(act, each, l, length, state)
	}
}

// sort puts the positions of the elements under their keys. It is false when the budget
// ends it.
func (k *keyedLoop) sort(act *Activation, each *iteration, l *list, length int, state *keyedState) bool {
	state.at, state.always = map[string][]int32{}, nil
	for i := range length {
		each.set(act, l, i)
		if !act.budget.Spend(each.price) {
			return false
		}
		if slices.ContainsFunc(k.only, func(condition fn[bool]) bool { v, ok := condition(act); return ok && !v }) {
			continue
		}
		var keys []string
		known := k.keys(act, func(key string) { keys = append(keys, key) })
		if act.stopped() {
			return false
		}
		if !known {
			state.always = append(state.always, int32(i))
			continue
		}
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			state.at[key] = append(state.at[key], int32(i))
		}
	}
	state.list = l.kept()
	state.sums, state.found = map[string]model.Decimal{}, map[string]bool{}
	return true
}

// kept is the list in memory of its own, for as long as the document.
func (l *list) kept() list {
	if l.items == nil {
		return *l
	}
	c := *l.items
	c.groups, c.texts, c.decimals = slices.Clone(c.groups), slices.Clone(c.texts), slices.Clone(c.decimals)
	c.integers, c.elements = slices.Clone(c.integers), slices.Clone(c.elements)
	return list{items: &c}
}
