package xpath

import (
	"slices"

	"einvoice/model"
)

// A PlainSelection is a context that is one path from field to field, which asks for no
// positions and for nothing around a group, as most are: what each document reads of it, so that
// this can be where the document reads the rules.
type PlainSelection struct {
	steps  []plainStep
	ofRoot booleanOf[modelNode] // what must be true of the root before; nil for nothing
}

// A plainStep is a step down of a plain context.
type plainStep struct {
	field    *model.Field
	together booleanOf[modelNode] // whether the predicates hold; nil without any
	number   int32
}

// IsEmpty reports whether there is no such context.
func (s *PlainSelection) IsEmpty() bool { return s.steps == nil }

// Select is that of the context.
func (s *PlainSelection) Select(e *Evaluation, top model.Object, out []model.Object) []model.Object {
	if s.ofRoot != nil {
		e.around = e.around[:0]
		if !s.ofRoot(e, focus[modelNode]{node: modelNode{of: top}, position: 1, size: 1}) {
			return out
		}
	}
	return selectPlain(e, top, s.steps, out)
}

// Select appends the groups below a root that the context selects, each once and
// in the order of the model. When the budget stops it, some are missing.
func (s *ModelSelection) Select(e *Evaluation, top model.Object, out []model.Object) []model.Object {
	if !s.Plain.IsEmpty() {
		return s.Plain.Select(e, top, out)
	}
	e.found, e.places = e.found[:0], e.places[:0]
	f := finder{e: e, tracks: s.tracks, out: out}
	s.run(&f, top)
	for _, n := range inModelOrder(e, e.found) {
		f.out = append(f.out, n.of)
	}
	return f.out
}

// FirstField is the field that a plain context goes into from the root. Where a root has
// nothing in it, the context selects nothing, and most contexts are about what an invoice does
// not have. It is nil for other contexts.
func (s *ModelSelection) FirstField() *model.Field {
	if len(s.Plain.steps) == 0 {
		return nil
	}
	return s.Plain.steps[0].field
}

// isPlain reports whether the context is that of a PlainSelection.
func (s *ModelSelection) isPlain() bool {
	return !s.tracks && len(s.paths) == 1 && !slices.ContainsFunc(s.paths[0].moves, func(m modelMove) bool {
		return m.deep || slices.ContainsFunc(m.from, func(f moveFrom) bool { return f.step == nil || f.step.positional })
	})
}

// plainSteps are the steps of a plain context.
func (s *ModelSelection) plainSteps() []plainStep {
	steps := make([]plainStep, 0, len(s.paths[0].moves))
	at := s.root.Type
	for i := range s.paths[0].moves {
		step := s.paths[0].moves[i].at(at).step
		steps = append(steps, plainStep{step.field, step.together, step.number})
		at = step.field.Elem
	}
	return steps
}

// selectPlain appends what the steps of a plain context lead to from a group.
func selectPlain(e *Evaluation, o model.Object, steps []plainStep, out []model.Object) []model.Object {
	if len(steps) == 0 {
		return append(out, o)
	}
	step := &steps[0]
	if step.field.Kind == model.KindGroup {
		g := o.Group(step.field)
		if !g.Present() || !e.Budget.Step() || !step.keeps(e, g, 0) {
			return out
		}
		return selectPlain(e, g, steps[1:], out)
	}
	list := o.List(step.field)
	for i := range list.Len() {
		if !e.Budget.Step() {
			return out
		}
		if g := list.At(i); step.keeps(e, g, i) {
			out = selectPlain(e, g, steps[1:], out)
		}
	}
	return out
}

// keeps reports whether the predicates hold of a group, which is at an index of its list.
func (s *plainStep) keeps(e *Evaluation, g model.Object, index int) bool {
	return s.together == nil || s.together(e, focus[modelNode]{node: modelNode{g, s.field, s.number, int32(index)}, position: 1, size: 1})
}

func (s *ModelSelection) run(f *finder, top model.Object) {
	root := modelNode{of: top}
	f.e.around = f.e.around[:0]
	for _, path := range s.paths {
		f.searched = nil
		if path.predicates.hold(f.e, root) {
			f.descend(root, path.moves)
		}
	}
}

// A finder gathers the groups that a context selects.
type finder struct {
	e        *Evaluation
	tracks   bool           // then they are gathered in the evaluation, with their places
	out      []model.Object // else here
	searched map[searchFrom]bool
}

// A searchFrom is a search of all groups inside a group for what a move names.
type searchFrom struct {
	move *modelMove
	in   model.Object
}

// A placedNode is a node with its place in the model: number of the field and
// index in it, from the root down.
type placedNode struct {
	modelNode
	place []int32
}

func (f *finder) add(n modelNode) {
	if !f.tracks {
		f.out = append(f.out, n.of)
		return
	}
	places := f.e.places
	start := len(places)
	for _, g := range f.e.around {
		places = append(places, g.number, g.index)
	}
	places = append(places, n.number, n.index)
	f.e.places = places
	f.e.Budget.Spend(int64(len(f.e.around)))
	f.e.found = append(f.e.found, placedNode{n, places[start:len(places):len(places)]})
}

func inModelOrder(e *Evaluation, nodes []placedNode) []placedNode {
	if len(nodes) < 2 {
		return nodes
	}
	e.Budget.Spend(int64(len(nodes)))
	slices.SortFunc(nodes, func(a, b placedNode) int { return slices.Compare(a.place, b.place) })
	return slices.CompactFunc(nodes, func(a, b placedNode) bool { return slices.Equal(a.place, b.place) })
}

// enter and leave note what is around the groups that are looked at next.
func (f *finder) enter(n modelNode) {
	if f.tracks {
		f.e.around = append(f.e.around, n)
	}
}

func (f *finder) leave() {
	if f.tracks {
		f.e.around = f.e.around[:len(f.e.around)-1]
	}
}

// descend adds what the moves lead to from a group.
func (f *finder) descend(n modelNode, moves []modelMove) {
	if len(moves) == 0 {
		f.add(n)
		return
	}
	f.enter(n)
	defer f.leave()
	if moves[0].deep {
		if !moves[0].again || !f.searchedBefore(n.of, &moves[0]) {
			f.search(n.of, moves)
		}
		return
	}
	from := moves[0].at(n.of.Type)
	if from == nil {
		return
	}
	switch step := from.step; {
	case step.positional && step.field.Kind == model.KindList:
		for _, kept := range step.filter(f.e, step.candidates(f.e, n.of)) {
			f.descend(kept, moves[1:])
		}
	case step.field.Kind == model.KindGroup:
		if g := n.of.Group(step.field); g.Present() && f.e.Budget.Step() {
			f.descendIf(step, modelNode{g, step.field, step.number, 0}, moves[1:])
		}
	default:
		list := n.of.List(step.field)
		for i := range list.Len() {
			if !f.e.Budget.Step() {
				return
			}
			f.descendIf(step, modelNode{list.At(i), step.field, step.number, int32(i)}, moves[1:])
		}
	}
}

func (f *finder) descendIf(step *modelStep, n modelNode, moves []modelMove) {
	if step.hold(f.e, n) {
		f.descend(n, moves)
	}
}

// searchedBefore reports whether a search for the same began at o, or around it, so
// that it came by here: each group is looked at once for every // of a path. Groups
// are searched before those inside them.
func (f *finder) searchedBefore(o model.Object, move *modelMove) bool {
	f.e.Budget.Spend(int64(len(f.e.around)))
	for _, g := range f.e.around { // o is the last of these
		if f.searched[searchFrom{move, g.of}] {
			return true
		}
	}
	if f.searched == nil {
		f.searched = map[searchFrom]bool{}
	}
	f.searched[searchFrom{move, o}] = true
	return false
}

// search goes through all groups inside o, which is around them already, and adds
// what the moves lead to from there.
func (f *finder) search(o model.Object, moves []modelMove) {
	from := moves[0].at(o.Type)
	if from == nil {
		return
	}
	for _, i := range from.inside {
		field := &o.Type.Fields[i]
		step := from.step
		if step != nil && step.field != field {
			step = nil
		}
		if field.Kind == model.KindGroup {
			if g := o.Group(field); g.Present() && f.e.Budget.Step() {
				f.searchIn(modelNode{g, field, i, 0}, step, moves)
			}
			continue
		}
		f.searchList(o, field, i, step, moves)
	}
}

func (f *finder) searchList(o model.Object, field *model.Field, number int32, step *modelStep, moves []modelMove) {
	var kept []modelNode
	positional := step != nil && step.positional
	if positional {
		kept = step.filter(f.e, step.candidates(f.e, o))
		step = nil
	}
	list := o.List(field)
	for i := range list.Len() {
		if !f.e.Budget.Step() {
			return
		}
		n := modelNode{list.At(i), field, number, int32(i)}
		if len(kept) > 0 && kept[0].index == n.index {
			kept = kept[1:]
			f.descend(n, moves[1:])
		}
		f.searchIn(n, step, moves)
	}
}

// searchIn adds what the moves lead to from a group, if the step leads to it, and
// from all groups inside it.
func (f *finder) searchIn(n modelNode, step *modelStep, moves []modelMove) {
	if step != nil {
		f.descendIf(step, n, moves[1:])
	}
	f.enter(n)
	f.search(n.of, moves)
	f.leave()
}
