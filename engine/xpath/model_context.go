package xpath

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
)

// A ModelSelection finds the groups of the model that a context selects. It reads
// the fields directly; paths in predicates that do not only go down through
// fields lead from point to point (model_point.go).
type ModelSelection struct {
	Plain PlainSelection // empty for a context that needs a finder
	root  *Root
	types []*model.Type // what can be selected, in order of the paths
	paths []*modelContext
	// tracks is set where a selection has to know where each group is: because
	// what is around it is asked for, or because groups may be found twice or out
	// of order.
	tracks bool
}

// A modelContext is a compiled location path: what must be true of its root, and
// the moves down from there.
type modelContext struct {
	predicates predicates[modelNode]
	moves      []modelMove
}

// A modelMove is the step of a context from groups of several types: into the
// field that has its name, and with // into those of all groups below as well.
type modelMove struct {
	from  []moveFrom // few: nearly always one
	deep  bool
	again bool // there is a // before it, so that it may be searched for in a group twice
}

// A moveFrom is what a move does in groups of one type.
type moveFrom struct {
	of   *model.Type
	step *modelStep // nil where the type has no such field
	// inside are the fields that lead to something, of a deep move.
	inside []int32
}

// at is what the move does in groups of a type; nil for nothing.
func (m *modelMove) at(t *model.Type) *moveFrom {
	for i := range m.from {
		if m.from[i].of == t {
			return &m.from[i]
		}
	}
	return nil
}

// OverModel compiles a context for selection over the model. A context that can
// select nothing is an error.
func OverModel(u *Union) (*ModelSelection, error) {
	s := &ModelSelection{tracks: len(u.Paths) > 1}
	for i := range u.Paths {
		path := &u.Paths[i]
		if err := s.add(path); err != nil {
			return nil, err
		}
		s.tracks = s.tracks || mayRepeat(path) || predicatesLeaveFields(path)
	}
	if s.isPlain() {
		s.Plain = PlainSelection{s.plainSteps(), s.paths[0].predicates.together}
	}
	return s, nil
}

// mayRepeat reports whether a path may lead to a group twice, or out of order:
// where something follows //.
func mayRepeat(path *LocationPath) bool {
	deep := slices.IndexFunc(path.Steps, func(s Step) bool { return s.Descendant })
	return deep >= 0 && deep < len(path.Steps)-1
}

// predicatesLeaveFields reports whether a predicate of a path asks for what is
// not below its own group.
func predicatesLeaveFields(path *LocationPath) bool {
	return slices.ContainsFunc(path.Steps, func(s Step) bool { return slices.ContainsFunc(s.Predicates, asksElsewhere) })
}

func (s *ModelSelection) add(path *LocationPath) error {
	first := &path.Steps[0]
	root := rootNamed(first.Name)
	switch {
	case first.Descendant || root == nil:
		return &Error{Column: first.Column, Message: "a context over the invoice begins with /invoice, one over the PDF around it with /container, one over the documents of a job with /batch"}
	case s.root == nil:
		s.root = root
	case s.root != root:
		return &Error{Column: first.Column, Message: "the paths of one context begin with the same root"}
	}
	if err := path.downwards(); err != nil {
		return err
	}
	c := &modelContext{}
	var err error
	if c.predicates, err = (modelPlace{of: root.Type}).dialect().predicates(first.Predicates); err != nil {
		return err
	}
	selected := []*model.Type{root.Type}
	for i := range path.Steps[1:] {
		step := &path.Steps[i+1]
		move, reached, err := compileModelMove(step, selected)
		if err != nil {
			return err
		}
		move.again = slices.ContainsFunc(c.moves, func(m modelMove) bool { return m.deep })
		c.moves = append(c.moves, move)
		selected = reached
	}
	s.paths = append(s.paths, c)
	for _, t := range selected {
		if !slices.Contains(s.types, t) {
			s.types = append(s.types, t)
		}
	}
	return nil
}

// compileModelMove compiles a step from groups of some types, and says to which
// types it leads.
func compileModelMove(step *Step, from []*model.Type) (m modelMove, reached []*model.Type, err error) {
	if step.Axis != Child || strings.HasSuffix(step.Name, "*") {
		return m, nil, &Error{Column: step.Column, Message: "a context over the invoice leads to groups by their names: write them, joined by | if there are several"}
	}
	m = modelMove{deep: step.Descendant}
	around := from
	if m.deep {
		around = typesWithin(from)
	}
	for _, t := range around {
		field, ok := t.Field(step.Name)
		if !ok || field.Kind.IsLeaf() {
			continue
		}
		s, err := modelPlace{of: t}.step(step)
		if err != nil {
			return m, nil, err
		}
		m.from = append(m.from, moveFrom{of: t, step: &s})
		if !slices.Contains(reached, field.Elem) {
			reached = append(reached, field.Elem)
		}
	}
	if len(reached) == 0 {
		return m, nil, unknownGroup(step, from[0])
	}
	if m.deep {
		m.leadFrom(around)
	}
	return m, reached, nil
}

// leadFrom adds which fields of these types lead to groups that have the step, so that a
// deep move looks nowhere else.
func (m *modelMove) leadFrom(types []*model.Type) {
	for again := true; again; {
		again = false
		for _, t := range types {
			if m.at(t) == nil && slices.ContainsFunc(t.Fields, m.entersField) {
				m.from = append(m.from, moveFrom{of: t})
				again = true
			}
		}
	}
	for i := range m.from {
		from := &m.from[i]
		for number := range from.of.Fields {
			if field := &from.of.Fields[number]; from.step != nil && from.step.field == field || m.entersField(*field) {
				from.inside = append(from.inside, int32(number))
			}
		}
	}
}

func (m *modelMove) entersField(f model.Field) bool { return f.Elem != nil && m.at(f.Elem) != nil }

// typesWithin are some types and those of all groups inside them.
func typesWithin(types []*model.Type) []*model.Type {
	all := slices.Clone(types)
	for i := 0; i < len(all); i++ {
		for j := range all[i].Fields {
			if elem := all[i].Fields[j].Elem; elem != nil && !slices.Contains(all, elem) {
				all = append(all, elem)
			}
		}
	}
	return all
}

func unknownGroup(step *Step, from *model.Type) error {
	if f, ok := from.Field(step.Name); ok && f.Kind.IsLeaf() {
		return &Error{Column: step.Column, Message: fmt.Sprintf("%s is a term, not a group: select the group around it and ask has(this.%s)", step.Name, step.Name)}
	}
	return unknownField(step, from)
}

func unknownField(step *Step, from *model.Type) error {
	if step.Axis == Attribute {
		return &Error{Column: step.Column, Message: "the invoice has no attributes: what a document writes into one is a term of its own"}
	}
	message := fmt.Sprintf("%s has no group %s, so the context can select nothing", from.Name, step.Name)
	if near := from.Nearest(step.Name); near != "" && near != step.Name {
		message += fmt.Sprintf("; did you mean %s?", near)
	} else if groups := groupsOf(from); len(groups) > 0 {
		message += "; it has " + strings.Join(groups, ", ")
	}
	return &Error{Column: step.Column, Message: message}
}

// groupsOf are the names of the groups in a group.
func groupsOf(t *model.Type) (names []string) {
	for i := range t.Fields {
		if t.Fields[i].Elem != nil {
			names = append(names, t.Fields[i].Name)
		}
	}
	return names
}

// Root is what the context begins with.
func (s *ModelSelection) Root() *Root { return s.root }

// Types are the types of the groups that can be selected.
func (s *ModelSelection) Types() []*model.Type { return s.types }
