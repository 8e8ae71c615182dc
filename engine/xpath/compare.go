package xpath

import "slices"

// comparison compiles =, !=, <, <=, > and >= (XPath 1.0, 3.4). A node-set
// compares with a number, a text or another node-set as soon as one of its nodes
// does.
func (l *dialect[N]) comparison(op Op, a, b value[N]) booleanOf[N] {
	if b.kind == kindNodes && a.kind != kindNodes {
		a, b, op = b, a, mirrored[op]
	}
	if a.kind == kindNodes && b.kind == kindBoolean {
		a = booleanValue(l.asBoolean(a))
	}
	ordered := op != Equal && op != NotEqual
	switch {
	case a.kind == kindNodes && b.kind == kindNodes:
		return l.comparePaths(op, a.nodes, b.nodes)
	case a.kind == kindNodes && b.kind == kindNumber, a.kind == kindNodes && b.kind == kindText && ordered:
		return l.comparePathNumber(op, a.nodes, b)
	case a.kind == kindNodes && b.kind == kindText:
		return l.comparePathText(op, a.nodes, b)
	case ordered:
		return combine(l.asNumber(a), l.asNumber(b), compareNumbers(op))
	case a.kind == kindBoolean || b.kind == kindBoolean:
		return combine(l.asBoolean(a), l.asBoolean(b), func(a, b bool) bool { return (a == b) == (op == Equal) })
	case a.kind == kindNumber || b.kind == kindNumber:
		return combine(l.asNumber(a), l.asNumber(b), compareNumbers(op))
	}
	if b.constant {
		of, want, equal := l.asText(a), l.asText(b)(nil, focus[N]{}), op == Equal
		return func(e *Evaluation, f focus[N]) bool { return (of(e, f) == want) == equal }
	}
	return combine(l.asText(a), l.asText(b), compareTexts(op))
}

// mirrored are the operators with their sides exchanged.
var mirrored = map[Op]Op{
	Equal: Equal, NotEqual: NotEqual, Less: Greater, LessOrEqual: GreaterOrEqual, Greater: Less, GreaterOrEqual: LessOrEqual,
}

func compareTexts(op Op) func(a, b string) bool {
	equal := op == Equal
	return func(a, b string) bool { return (a == b) == equal }
}

func combine[N, T, R any, F ~func(*Evaluation, focus[N]) T](a, b F, of func(a, b T) R) func(*Evaluation, focus[N]) R {
	return func(e *Evaluation, f focus[N]) R { return of(a(e, f), b(e, f)) }
}

func (l *dialect[N]) comparePathText(op Op, path nodeSet[N], with value[N]) booleanOf[N] {
	holds := compareTexts(op)
	if with.constant { // the visitor is made once
		want := with.text(nil, focus[N]{})
		differs := func(e *Evaluation, n N) bool { return !holds(l.text(e, n), want) }
		return func(e *Evaluation, f focus[N]) bool { return !path.each(e, f.node, differs) }
	}
	return func(e *Evaluation, f focus[N]) bool {
		want := with.text(e, f)
		return !path.each(e, f.node, func(e *Evaluation, n N) bool { return !holds(l.text(e, n), want) })
	}
}

func (l *dialect[N]) comparePathNumber(op Op, path nodeSet[N], with value[N]) booleanOf[N] {
	holds, other := compareNumbers(op), l.asNumber(with)
	return func(e *Evaluation, f focus[N]) bool {
		want := other(e, f)
		return !path.each(e, f.node, func(e *Evaluation, n N) bool { return !holds(toNumber(l.text(e, n)), want) })
	}
}

func (l *dialect[N]) comparePaths(op Op, a, b nodeSet[N]) booleanOf[N] {
	holds := compareTexts(op)
	if op != Equal && op != NotEqual {
		compare := compareNumbers(op)
		holds = func(a, b string) bool { return compare(toNumber(a), toNumber(b)) }
	}
	gather := func(e *Evaluation, n N) bool { e.texts = append(e.texts, l.text(e, n)); return true }
	differs := func(e *Evaluation, n N) bool {
		texts := e.texts[e.sides.from:e.sides.to]
		if !e.Budget.Spend(int64(len(texts))) {
			return false
		}
		with := l.text(e, n)
		return !slices.ContainsFunc(texts, func(text string) bool { return holds(text, with) })
	}
	return func(e *Evaluation, f focus[N]) (is bool) { // the visitors are made once
		around, first := e.sides, len(e.texts)
		if a.each(e, f.node, gather); len(e.texts) > first {
			e.sides = span{int32(first), int32(len(e.texts))}
			is = !b.each(e, f.node, differs)
		}
		e.sides, e.texts = around, e.texts[:first]
		return is
	}
}
