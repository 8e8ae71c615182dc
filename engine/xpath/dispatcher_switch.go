package xpath

import (
	"slices"

	"einvoice/model/source"
)

// Many contexts differ in one literal alone: [normalize-space(cbc:ID)='S'], ='E', ='Z'.
// What they compare is looked at once a node, and only those are decided whose literal it
// is.

// A comparand is what the first condition of a step compares with a literal, if that is
// its form: a relative path, or a function of texts.
type comparand struct {
	text    string // its key, the same for all that are evaluated together
	literal string
	value   value[source.Ref]
}

// comparandOf finds it in the first predicate of a step, whose other conditions all must
// hold as well.
func comparandOf(step *Step) (*comparand, error) {
	if len(step.Predicates) == 0 {
		return nil, nil
	}
	x := &step.Predicates[0]
	for x.Op == And {
		x = &x.Args[0]
	}
	if x.Op != Equal || x.Args[1].Op != Literal {
		return nil, nil
	}
	if !x.Args[0].isComparand() {
		return nil, nil
	}
	v, err := sourceDialect().compile(&x.Args[0])
	return &comparand{string(x.Args[0].appendKey(nil)), x.Args[1].Value, v}, err
}

// isComparand reports whether an expression can be evaluated for several contexts together; it
// does not ask for positions.
func (x *Expr) isComparand() bool {
	if x.Op == Path {
		return !x.Path.Absolute
	}
	return x.Op == Call && x.kind() == kindText && !slices.ContainsFunc(x.Args, func(arg Expr) bool { return !arg.isComparand() })
}

// push puts what is compared at a node onto the texts of the evaluation. Who calls it takes
// them off again, so that nothing is allocated for it. It is false if the budget stopped it.
func (c *comparand) push(e *Evaluation, r source.Ref) bool {
	if c.value.kind == kindNodes {
		c.value.nodes.each(e, r, pushText)
	} else {
		e.texts = append(e.texts, c.value.text(e, focus[source.Ref]{node: r, position: 1, size: 1}))
	}
	return !e.Budget.Stopped()
}

func pushText(e *Evaluation, n source.Ref) bool {
	e.texts = append(e.texts, stringValue(e, n))
	return true
}

// literalCases are the patterns of one place in the trie with the same comparand.
type literalCases[T any] struct {
	comparand *comparand
	patterns  []pattern[T]
	byLiteral map[string][]int32 // of patterns
}

// addPattern adds a pattern to those of a place: among the cases of its comparand, if it
// has one.
func addPattern[T any](to *place[T], p *pattern[T]) {
	c := p.path.last().comparand
	if c == nil || p.state < 0 {
		to.patterns = append(to.patterns, *p)
		return
	}
	for _, known := range to.cases {
		if known.comparand.text == c.text {
			known.add(p, c.literal)
			return
		}
	}
	added := &literalCases[T]{comparand: c, byLiteral: map[string][]int32{}}
	added.add(p, c.literal)
	to.cases = append(to.cases, added)
}

func (c *literalCases[T]) add(p *pattern[T], literal string) {
	c.byLiteral[literal] = append(c.byLiteral[literal], int32(len(c.patterns)))
	c.patterns = append(c.patterns, *p)
}

// decideCases decides those whose literal is what they compare. If looking at that takes
// too many steps, each has to find out for itself.
func (w *walk[T]) decideCases(c *literalCases[T], r source.Ref) {
	mask, met := w.evaluation.Mask, 0
	var only *pattern[T]
	for i := range c.patterns {
		if p := &c.patterns[i]; p.need.MetBy(mask) {
			only = p
			met++
		}
	}
	switch met {
	case 0:
		return
	case 1:
		w.decide(only, r)
		return
	}
	b := w.evaluation.Budget
	b.Start(0)
	e := w.evaluation
	before := len(e.texts)
	whole := c.comparand.push(e, r)
	found := c.among(e.texts[before:])
	e.texts = e.texts[:before]
	w.steps += b.Used()
	if !whole {
		found = c.every()
	}
	for _, i := range found {
		if p := &c.patterns[i]; p.need.MetBy(mask) {
			w.decide(p, r)
		}
	}
}

// every are all patterns.
func (c *literalCases[T]) every() []int32 {
	all := make([]int32, len(c.patterns))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// among are the patterns whose literal is one of some texts, each once however many of them there are.
func (c *literalCases[T]) among(texts []string) (found []int32) {
	if len(texts) == 1 {
		return c.byLiteral[texts[0]]
	}
	var literals []string
	for _, text := range texts {
		if some := c.byLiteral[text]; len(some) > 0 && !slices.Contains(literals, text) {
			literals = append(literals, text)
			found = append(found, some...)
		}
	}
	return found
}
