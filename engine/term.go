package engine

import (
	"slices"
	"sync"

	"einvoice/engine/xpath"
	"einvoice/model"
)

// ModelTypes are the types of all groups that rules can reach.
var ModelTypes = sync.OnceValue(func() []*model.Type {
	var all []*model.Type
	var add func(t *model.Type)
	add = func(t *model.Type) {
		if slices.Contains(all, t) {
			return
		}
		all = append(all, t)
		for i := range t.Fields {
			if elem := t.Fields[i].Elem; elem != nil {
				add(elem)
			}
		}
	}
	for _, root := range xpath.Roots() {
		add(root.Type)
	}
	return all
})

var terms = sync.OnceValue(func() map[string]string {
	names := map[string]string{"BG-2": ""} // the process control group, whose terms are at the top
	for _, t := range ModelTypes() {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.BT != "" {
				names[f.BT] = f.Term
			}
		}
	}
	return names
})

// TermName is the name that the standard gives a term, such as BT-106; known is
// false for a code that is not a term.
func TermName(code string) (name string, known bool) {
	name, known = terms()[code]
	return name, known
}
