package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/model/nearest"

	"gopkg.in/yaml.v3"
)

// A ListChange is what an overlay says of a code list: a list of its own, with codes, or
// fewer of a list that there is.
type ListChange struct {
	Name    string
	title   string
	Codes   []string // of a new list
	only    []string // of those that there are, these
	without []string // or all but these

	Node *yaml.Node
}

func (f *ruleFile) listChanges(n *yaml.Node) (changes []ListChange) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "codeLists must be a list of {list, codes}, {list, only} or {list, without}")
		return nil
	}
	for item := range f.items(n) {
		c := ListChange{Node: item}
		known := f.mapping(item, "a code list of an overlay", func(key string, value *yaml.Node) bool {
			switch key {
			case "list":
				c.Name = f.scalar(value)
			case "title":
				c.title = f.scalar(value)
			case "codes":
				c.Codes = f.names(value)
			case "only":
				c.only = f.names(value)
			case "without":
				c.without = f.names(value)
			default:
				return false
			}
			return true
		})
		forms := 0
		for _, codes := range [][]string{c.Codes, c.only, c.without} {
			if len(codes) > 0 {
				forms++
			}
		}
		switch {
		case item.Kind != yaml.MappingNode || !known:
		case c.Name == "" || forms != 1:
			f.fail(item, "a code list of an overlay needs list, its name, and one of codes (a new list), only or without (fewer codes of a list that there is)")
		case slices.ContainsFunc(changes, func(other ListChange) bool { return other.Name == c.Name }):
			f.fail(item, "the code list %s is changed twice", c.Name)
		default:
			changes = append(changes, c)
		}
	}
	return changes
}

// String says the change on one line.
func (c *ListChange) String() string {
	switch {
	case c.Codes != nil:
		return c.Name + ": " + strings.Join(c.Codes, " ")
	case c.only != nil:
		return c.Name + " only " + strings.Join(c.only, " ")
	}
	return c.Name + " without " + strings.Join(c.without, " ")
}

// A listLookup finds code lists by their names.
type listLookup func(name string) (*CodeList, error)

// CheckLists reports changes of code lists that cannot be made.
func (o *Overlay) CheckLists(l *Library) error {
	_, err := l.listsOf([]*Overlay{o})
	return err
}

// A changedList is a code list with the overlays that say something of it.
type changedList struct {
	*CodeList
	by []string
}

// listsOf are the lists that overlays change, by their names. Those that one of them, or one
// that it is over, makes are there; fewer codes add up, so that order does not matter.
func (l *Library) listsOf(overlays []*Overlay) (map[string]changedList, error) {
	lists := map[string]changedList{}
	for _, o := range overlays {
		for _, of := range append([]*Overlay{o}, o.Ancestors(l)...) {
			for i := range of.Lists {
				c := &of.Lists[i]
				if _, made := lists[c.Name]; c.Codes == nil || made { // by one that decides over this
					continue
				}
				if _, err := l.CodeList(c.Name); err == nil {
					return nil, c.mistake(of, fmt.Errorf("there is a code list %s already: an overlay can take codes from it (only, without), and a rule's level can be lowered where codes are missing", c.Name))
				}
				lists[c.Name] = changedList{&CodeList{Name: c.Name, Title: c.title, codes: given(setOf(c.Codes))}, []string{of.Name}}
			}
		}
	}
	published := map[string]*CodeList{}
	for _, o := range overlays {
		for i := range o.Lists {
			c := &o.Lists[i]
			if c.Codes != nil {
				continue
			}
			list, known := lists[c.Name]
			if !known {
				found, err := l.CodeList(c.Name)
				if err != nil {
					if near := nearest.Of(c.Name, slices.Collect(maps.Keys(lists))); near != "" {
						err = fmt.Errorf("there is no code list %q; did you mean %s?", c.Name, near)
					}
					return nil, c.mistake(o, err)
				}
				list = changedList{CodeList: found}
			}
			if published[c.Name] == nil {
				published[c.Name] = list.CodeList
			}
			for _, code := range slices.Concat(c.only, c.without) {
				if _, has := published[c.Name].codes()[code]; !has {
					return nil, c.mistake(o, fmt.Errorf("the code list %s has no code %q", c.Name, code))
				}
			}
			fewer := *list.CodeList
			if fewer.codes = given(c.narrow(list.codes())); fewer.Len() == 0 {
				return nil, c.mistake(o, fmt.Errorf("the code list %s has no code left: keep one at least", c.Name))
			}
			lists[c.Name] = changedList{&fewer, append(list.by[:len(list.by):len(list.by)], o.Name)}
		}
	}
	return lists, nil
}

func (c *ListChange) mistake(o *Overlay, err error) LoadError {
	at := c.place(o)
	at.Message = err.Error()
	return at
}

// narrow are the codes that the change leaves of some.
func (c *ListChange) narrow(codes map[string]struct{}) map[string]struct{} {
	left := make(map[string]struct{}, len(codes))
	for code := range codes {
		if c.only != nil && !slices.Contains(c.only, code) || slices.Contains(c.without, code) {
			continue
		}
		left[code] = struct{}{}
	}
	return left
}

// lookupIn finds code lists among those that overlays change, and else in the library.
func (l *Library) lookupIn(lists map[string]changedList) listLookup {
	return func(name string) (*CodeList, error) {
		if list, ok := lists[name]; ok {
			return list.CodeList, nil
		}
		return l.CodeList(name)
	}
}

// lookup finds the lists of a library as this overlay alone leaves them. It is asked when
// all is loaded.
func (o *Overlay) lookup(l *Library) listLookup {
	return func(name string) (*CodeList, error) {
		lists, err := l.listsOf([]*Overlay{o})
		if err != nil {
			return nil, err
		}
		return l.lookupIn(lists)(name)
	}
}

// List is a code list as the overlay's own rules ask it.
func (o *Overlay) List(l *Library, name string) (*CodeList, error) { return o.lookup(l)(name) }

func setOf(codes []string) map[string]struct{} {
	set := make(map[string]struct{}, len(codes))
	for _, code := range codes {
		set[strings.TrimSpace(code)] = struct{}{}
	}
	return set
}
