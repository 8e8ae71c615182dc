package xpath

import (
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A modelNode is a node of the model seen as XML: a group or a term, named by its
// field; a list is repeated elements.
type modelNode struct {
	of     model.Object // the group, or the group around the term
	field  *model.Field // that leads to it; nil for the root of the model
	number int32        // of the field in the type around it; aboveRoot for what is above the root
	index  int32        // in a list
}

// aboveRoot is the number of the root of the tree, which XPath has above the
// document element.
const aboveRoot = -1

func (n *modelNode) isTerm() bool { return n.field != nil && n.field.Kind.IsLeaf() }

// modelText is XPath's string-value: of a term, what is written; of a group, all
// that is written in it.
func modelText(e *Evaluation, n modelNode) string {
	if n.isTerm() {
		return e.Read(n.of.Raw(n.field))
	}
	var all strings.Builder
	writeTexts(e, n.of, &all)
	return all.String()
}

func writeTexts(e *Evaluation, o model.Object, to *strings.Builder) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		if f.Kind.IsLeaf() {
			to.WriteString(e.Read(o.Raw(f)))
			continue
		}
		for _, g := range (&modelStep{field: f}).candidates(e, o) {
			writeTexts(e, g.of, to)
		}
	}
}

func modelName(_ *Evaluation, n modelNode) source.QName {
	if n.number == aboveRoot {
		return source.QName{}
	}
	if n.field == nil {
		return source.QName{Local: rootOfType(n.of.Type).Name}
	}
	return source.QName{Local: n.field.Name}
}

// A modelStep leads from a group into one of its fields.
type modelStep struct {
	field  *model.Field
	number int32
	predicates[modelNode]
}

// candidates are the nodes in the step's field.
func (s *modelStep) candidates(e *Evaluation, o model.Object) (out []modelNode) {
	switch {
	case !o.Has(s.field):
	case s.field.Kind.IsLeaf():
		out = append(out, modelNode{o, s.field, s.number, 0})
	case s.field.Kind == model.KindGroup:
		out = append(out, modelNode{o.Group(s.field), s.field, s.number, 0})
	default:
		list := o.List(s.field)
		for i := range list.Len() {
			if !e.Budget.Step() {
				return nil
			}
			out = append(out, modelNode{list.At(i), s.field, s.number, int32(i)})
		}
	}
	return out
}
