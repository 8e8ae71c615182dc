package expr

import (
	"einvoice/model"
	"einvoice/model/source"
)

// A list is a list of any element type; which part is used is known when the
// expression is compiled.
type list struct {
	groups model.List     // of groups, as the invoice has them
	objs   []model.Object // of groups, picked
	picked bool
	strs   []string
	decs   []model.Decimal
	nodes  []source.Node
}

func (l *list) lenObjs() int {
	if l.picked {
		return len(l.objs)
	}
	return l.groups.Len()
}

func (l *list) objAt(i int) model.Object {
	if l.picked {
		return l.objs[i]
	}
	return l.groups.At(i)
}
