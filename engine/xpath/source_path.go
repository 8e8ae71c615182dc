package xpath

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model/source"
)

// A SourcePath is a compiled location path over the source document. It is
// followed down from a node (source_walk.go); that of a context is matched
// upwards from its last step (source_match.go), so that one walk over the
// elements serves every rule.
type SourcePath struct {
	absolute bool
	// plain: children of children, and attributes at the end, so that the first node
	// is found without visitors.
	plain bool
	// anyChild: it is *, which rules ask of every element.
	anyChild bool
	// byName: the path begins at the root, only goes down and ends at a name, so
	// that the elements of this name can be matched upwards.
	byName bool
	// nameAlone: it is // and a name without conditions.
	nameAlone bool
	// bare are the steps of a plain path without conditions; nil for others.
	bare  []bareStep
	steps []sourceStep
	// compared is what the path shares with others that differ in a literal; nil if it
	// does not.
	compared *comparedPath
	// The steps before down are nested loops, which reach each node once and in
	// document order. The step down is the first with //: it and those after it
	// are matched upwards from all nodes inside. From sorted on, the nodes of each
	// step are gathered and sorted. Most paths have nested loops alone.
	down, sorted int
	// joined: the paths of a union, in place of steps.
	joined []*SourcePath
}

type sourceStep struct {
	predicates[source.Ref]
	descendant bool
	anyNode    bool        // the node test is node()
	any        bool        // the node test is * or prefix:*
	leaf       bool        // its first condition is not(*)
	name       source.Name // the node test otherwise
	axis       Axis
	fits       func(source.QName) bool // where any name will do, what it must be like; nil for every one
	comparand  *comparand              // what the first condition compares with a literal, if it does
	asked      []Expr                  // the predicates as they were parsed
	column     int
}

// sourceDialect is that of expressions about the source document.
func sourceDialect() *dialect[source.Ref] {
	return &dialect[source.Ref]{
		path: func(path LocationPath) (nodeSet[source.Ref], error) {
			p, err := OverSource(path)
			return nodeSet[source.Ref]{p.each, p.first}, err
		},
		joined: func(x *Expr) (nodeSet[source.Ref], error) { return join(sourceDialect(), x, inDocumentOrder) },
		text:   stringValue,
		name:   func(e *Evaluation, r source.Ref) source.QName { return nameOf(e.Tree, r) },
		shared: &sharedValues,
	}
}

// OverSource compiles a location path over the source document.
func OverSource(path LocationPath) (*SourcePath, error) {
	return sharedPaths.of(path.appendKey(nil), func() (*SourcePath, error) { return compileOverSource(path) })
}

func compileOverSource(path LocationPath) (*SourcePath, error) {
	p := &SourcePath{absolute: path.Absolute, steps: make([]sourceStep, 0, len(path.Steps))}
	for i := range path.Steps {
		step := path.Steps[i] // a copy: what is decided by name is taken away
		if path.leadsNowhere(i, len(p.steps)) {
			continue
		}
		s, err := compileSourceStep(&step)
		if err != nil {
			return nil, err
		}
		p.steps = append(p.steps, s)
	}
	p.plan()
	p.shareComparand()
	p.nameAlone = p.byName && len(p.steps) == 1 && p.steps[0].descendant && len(p.steps[0].all) == 0 && !p.steps[0].positional
	return p, nil
}

// leadsNowhere reports whether a path is the same without its step i, when it has so many of
// those before it: a/./b is a/b.
func (path *LocationPath) leadsNowhere(i, before int) bool {
	step := &path.Steps[i]
	return step.isAnyNode() && step.Axis == Self && before+len(path.Steps)-i > 1
}

// Len counts the steps that lead somewhere, as those of the compiled path.
func (path *LocationPath) Len() int {
	steps := 0
	for i := range path.Steps {
		if !path.leadsNowhere(i, steps) {
			steps++
		}
	}
	return steps
}

// JoinedOverSource compiles what | joins in an assertion: it leads to each node once, in
// document order.
func JoinedOverSource(u *Union) (*SourcePath, error) {
	if len(u.Paths) == 1 {
		return OverSource(u.Paths[0])
	}
	all := &SourcePath{}
	for _, path := range u.Paths {
		p, err := OverSource(path)
		if err != nil {
			return nil, err
		}
		all.joined = append(all.joined, p)
	}
	return all, nil
}

// ContextOverSource compiles the path of a context, or of a row below one, which
// a Dispatcher finds: it is absolute and only goes down.
func ContextOverSource(path LocationPath) (*SourcePath, error) {
	if err := path.downwards(); err != nil {
		return nil, err
	}
	return compileOverSource(path)
}

func compileSourceStep(step *Step) (s sourceStep, err error) {
	s = sourceStep{descendant: step.Descendant, axis: step.Axis, column: step.Column}
	if step.Name == anyNode {
		s.anyNode = true
		return s, nil
	}
	if strings.HasSuffix(step.Name, "*") {
		s.any = true
		if err := s.restrict(step); err != nil {
			return s, err
		}
	} else {
		q, err := source.ParseQName(step.Name)
		if err != nil {
			return s, &Error{Column: step.Column, Message: err.Error()}
		}
		if q.URI == "" && step.Axis != Attribute {
			return s, &Error{Column: step.Column, Message: fmt.Sprintf("%s has no prefix: elements of documents are named with one, such as cbc:ID; a context over the invoice begins with /invoice, one over the PDF around it with /container, one over the documents of a job with /batch", step.Name)}
		}
		s.name = source.Intern(q)[0]
	}
	if s.asked = step.Predicates; len(s.asked) == 0 {
		return s, nil
	}
	s.leaf = s.any && s.axis == Child && step.Predicates[0].beginsWithLeaf()
	if s.predicates, err = sourceDialect().predicates(step.Predicates); err != nil || s.positional {
		return s, err
	}
	s.comparand, err = comparandOf(step)
	return s, err
}

// restrict compiles what a * says of the name alone: its namespace, as in
// ram:*, and predicates such as [ends-with(name(), 'ID')]. That much is decided
// once a name instead of once an element.
func (s *sourceStep) restrict(step *Step) error {
	prefix, _, prefixed := strings.Cut(step.Name, ":")
	uri, known := source.Prefixes[prefix]
	if prefixed && !known {
		return &Error{Column: step.Column, Message: fmt.Sprintf("unknown prefix %q in name %q", prefix, step.Name)}
	}
	byName := 0
	for byName < len(step.Predicates) && asksName(&step.Predicates[byName]) {
		byName++
	}
	all, err := nameDialect.predicates(step.Predicates[:byName])
	if err != nil {
		return err
	}
	step.Predicates = step.Predicates[byName:]
	if prefixed || byName > 0 {
		s.fits = func(q source.QName) bool { return (!prefixed || q.URI == uri) && all.hold(nil, q) }
	}
	return nil
}

// nameDialect is that of expressions about names alone.
var nameDialect = &dialect[source.QName]{name: func(_ *Evaluation, q source.QName) source.QName { return q }}

// asksName reports whether a condition is about the name of the context node and
// about nothing else.
func asksName(x *Expr) bool { return x.kind() == kindBoolean && asksNoMoreThanName(x) }

func asksNoMoreThanName(x *Expr) bool {
	switch x.Op {
	case Path, Joined:
		return false
	case Call:
		if _, ofName := nameFunctions[x.Name]; len(x.Args) == 0 && !ofName {
			return x.Name == "true" || x.Name == "false"
		}
	}
	for i := range x.Args {
		if !asksNoMoreThanName(&x.Args[i]) {
			return false
		}
	}
	return true
}

// beginsWithLeaf reports whether a condition is not(*), perhaps and others.
func (x *Expr) beginsWithLeaf() bool {
	for x.Op == And {
		x = &x.Args[0]
	}
	if x.Op != Call || x.Name != "not" || x.Args[0].Op != Path {
		return false
	}
	inside := &x.Args[0].Path
	if inside.Absolute || len(inside.Steps) != 1 {
		return false
	}
	step := &inside.Steps[0]
	return step.Name == "*" && step.Axis == Child && !step.Descendant && len(step.Predicates) == 0
}

// plan finds where nested loops would reach nodes twice or out of order.
func (p *SourcePath) plan() {
	p.down, p.sorted = len(p.steps), len(p.steps)
	p.byName = p.absolute && !p.last().any && !slices.ContainsFunc(p.steps, func(s sourceStep) bool { return s.axis != Child })
	p.plain = !p.absolute && !slices.ContainsFunc(p.steps, func(s sourceStep) bool {
		return s.descendant || s.positional || s.anyNode || s.axis != Child && s.axis != Attribute
	})
	p.anyChild = p.plain && len(p.steps) == 1 && p.last().axis == Child && p.last().any && p.last().fits == nil && len(p.last().all) == 0
	p.bare = p.bareSteps()
	one := true // so far, there is one node at most
	for i := range p.steps {
		upOrSelf := p.steps[i].axis == Parent || p.steps[i].axis == Self
		if p.steps[i].axis.leadsAround() {
			p.sorted = i
			return
		}
		switch {
		case upOrSelf && (p.down < i || p.steps[i].axis == Parent && !one):
			p.sorted = i
			return
		case p.steps[i].descendant:
			p.down = min(p.down, i)
		}
		one = one && upOrSelf
	}
}

// last is the last step.
func (p *SourcePath) last() *sourceStep { return &p.steps[len(p.steps)-1] }

// SelectsElements refuses a path whose last step leads to anything else.
func (p *SourcePath) SelectsElements() error {
	if last := p.last(); last.axis == Attribute {
		return &Error{Column: last.column, Message: "a context selects elements: for //a/@b write //a[@b], and ask this.text(\"@b\") in the assertion"}
	}
	return nil
}

// named is the node test. A name or * means attributes on their axis and
// elements on all others.
func (s *sourceStep) named(t *source.Tree, r source.Ref) bool {
	switch {
	case s.anyNode:
		return true
	case r == 0 || (r < 0) != (s.axis == Attribute):
		return false
	case !s.any:
		return nameNumber(t, r) == s.name
	}
	return s.fits == nil || s.fits(t.NameOf(nameNumber(t, r)))
}

func nameNumber(t *source.Tree, r source.Ref) source.Name {
	if r < 0 {
		return t.Interned(t.Attributes[-1-r].Name)
	}
	return t.Name(r.Element())
}

func nameOf(t *source.Tree, r source.Ref) source.QName {
	if r == 0 {
		return source.QName{}
	}
	return t.NameOf(nameNumber(t, r))
}

// parentOf is the element around a node, that of an attribute included, or 0,
// the root of the document.
func parentOf(t *source.Tree, r source.Ref) source.Ref {
	if r < 0 {
		return t.Owner(r).Ref()
	}
	return t.Parent(r.Element()).Ref()
}
