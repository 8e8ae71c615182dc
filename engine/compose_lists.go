package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// emptied reports published code lists of which overlays that may be together leave nothing.
func (c *composition) emptied() (failures LoadErrors) {
	all := slices.Concat(c.upper, c.lower)
	lists := map[string][]*Overlay{}
	for _, o := range all {
		for i := range o.Lists {
			if o.Lists[i].Codes == nil {
				lists[o.Lists[i].Name] = append(lists[o.Lists[i].Name], o)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		list, err := c.library.CodeList(name)
		if err != nil {
			continue // told with the overlay
		}
		e := &emptying{c: c, name: name, overlays: lists[name], left: mostSets}
		set := e.search(0, nil, list.codes())
		if set == nil && e.left == 0 && e.leavesNothing(list.codes()) {
			set = e.overlays
		}
		if len(set) > 1 && (c.tells == nil || slices.ContainsFunc(set, c.tells)) {
			last := set[len(set)-1]
			var places []string
			for _, o := range set[:len(set)-1] {
				at := o.list(name).place(o)
				places = append(places, fmt.Sprintf("overlay %s (%s:%d:%d)", o.Name, at.File, at.Line, at.Column))
			}
			at := last.list(name).place(last)
			at.Message = fmt.Sprintf("no code of the list %s is left after this and %s, and all may be for one document: leave them a code, or say that they are never together (notWith)", name, strings.Join(places, ", "))
			failures = append(failures, at)
		}
	}
	return failures
}

// An emptying looks for overlays that may be together and leave a code list no code.
type emptying struct {
	c        *composition
	name     string
	overlays []*Overlay
	left     int // sets that are still looked at
}

// mostSets bounds how many sets of overlays are tried; beyond it all are taken together.
const mostSets = 4096

func (e *emptying) search(from int, chosen []*Overlay, codes map[string]struct{}) []*Overlay {
	if len(codes) == 0 {
		return chosen
	}
	for i := from; i < len(e.overlays) && e.left > 0; i++ {
		o := e.overlays[i]
		with := append(chosen[:len(chosen):len(chosen)], o)
		if e.c.areApart(with...) {
			continue
		}
		e.left--
		if found := e.search(i+1, with, o.list(e.name).narrow(codes)); found != nil {
			return found
		}
	}
	return nil
}

// leavesNothing reports whether all of the overlays together leave no code.
func (e *emptying) leavesNothing(codes map[string]struct{}) bool {
	for _, o := range e.overlays {
		codes = o.list(e.name).narrow(codes)
	}
	return len(codes) == 0
}

// list is what the overlay says of a code list; nil for nothing.
func (o *Overlay) list(name string) *ListChange {
	for i := range o.Lists {
		if o.Lists[i].Name == name {
			return &o.Lists[i]
		}
	}
	return nil
}

// isOver reports whether the overlay decides over another one.
func (o *Overlay) isOver(other *Overlay) bool { return slices.Contains(o.above, other.Name) }
