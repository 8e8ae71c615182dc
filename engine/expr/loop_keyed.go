package expr

import (
	"slices"

	"einvoice/model"
	"einvoice/model/source"
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
// condition false (that of all: true), whatever the rest of it is. The list has to be the same
// each time: it depends on no variable, or its path begins with .. and it is that of siblings.

const (
	keyedFrom  = 32 // elements, or steps to find them, below which a list is not worth sorting
	keyedAfter = 3  // evaluations over one document
)

// A keyedLoop is what a loop needs to visit elements by key.
type keyedLoop struct {
	excluded []func(*Activation) bool // say of an element that it decides nothing
	keys     keysOf                   // of the element
	wanted   keysOf                   // that they are compared with
	memo     bool                     // whether a wanted key alone decides the result
	from     fn[source.Node]          // what the list is relative to; nil for a list that is always the same
	levels   int                      // above it, where an element stands that decides the list
}

// keysOf adds keys. It is false if some key has no value.
type keysOf func(act *Activation, keys []string) ([]string, bool)

// A keyedState is the elements of one keyed loop in one document.
type keyedState struct {
	evaluations int
	above       source.Node // what decides the list, for one that is not always the same
	sorted      bool
	list        list
	at          map[string][]int32 // positions in the list, ascending
	always      []int32            // of those with a key that has no value
	wanted      []string           // memory for keys
	sums        map[string]model.Decimal
	found       map[string]bool
}

// keyed finds out whether a loop, whose variables are declared, compares a key. It is nil
// if not.
func (s *scope) keyed(n *node) *keyedLoop {
	k := &keyedLoop{}
	if len(freeOf(n.args[0], nil)) > 0 {
		name, levels := relativesOf(n.args[0])
		if k.from, k.levels = s.vars[name].element, levels; k.from == nil || levels == 0 {
			return nil // another list in each evaluation
		}
	}
	parts, decided, compares := partsOf(n)
	var by *keyComparison
	for _, part := range parts {
		if by == nil {
			if c := keyComparisonOf(n, part, compares); c != nil && s.compare(c, k) {
				by = c
				continue
			}
		}
		if free := freeOf(part, nil); is(free, n.name) {
			if c, err := s.compile(part); err == nil && c.boolean != nil {
				k.excluded = append(k.excluded, func(act *Activation) bool {
					v, ok := c.boolean(act)
					return ok && v == decided
				})
			}
		}
	}
	if by == nil {
		return nil
	}
	rest := freeOf(n.args[3], by.wantedFrom())
	k.memo = !slices.ContainsFunc(rest, func(name string) bool { return name != n.name && name != n.text })
	return k
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
	if state == nil || !state.sorted || k.above(act) != state.above {
		return t, false
	}
	var ok bool
	if state.wanted, ok = k.wanted(act, state.wanted[:0]); !ok || !act.step() {
		return t, false
	}
	*l = state.list
	t = state.turn(state.wanted)
	if (len(state.always) > 0 || len(state.wanted) > 1) && !act.spend(t.length) {
		return t, false
	}
	if k.memo && len(state.wanted) == 1 {
		t.state, t.key = state, state.wanted[0]
	}
	return t, true
}

// above is the element that decides the list; none for a list that is always the same.
func (k *keyedLoop) above(act *Activation) (n source.Node) {
	if k.from == nil {
		return 0
	}
	n, _ = k.from(act)
	for range k.levels {
		n = act.doc.Source.Parent(n)
	}
	return n
}

// turn visits the elements with one of some keys, and those whose keys are not known.
func (s *keyedState) turn(keys []string) turn {
	at := s.always
	switch {
	case len(keys) == 1 && len(at) == 0:
		at = s.at[keys[0]]
	case len(keys) > 0:
		at = slices.Clone(at)
		for _, key := range keys {
			at = append(at, s.at[key]...)
		}
		slices.Sort(at)
		at = slices.Compact(at) // an element may have several of the keys
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

// visited counts an evaluation that went through the whole list, which took some steps to find,
// and sorts the list when that has happened often enough.
func (k *keyedLoop) visited(act *Activation, each *iteration, l *list, length int, steps int64) {
	if int64(length)+steps < keyedFrom {
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
	if above := k.above(act); above != state.above {
		*state = keyedState{above: above}
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
		if slices.ContainsFunc(k.excluded, func(is func(*Activation) bool) bool { return is(act) }) {
			continue
		}
		keys, known := k.keys(act, nil)
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
