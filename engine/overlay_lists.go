package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
	for _, item := range n.Content {
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

// A listLookup finds code lists by their names.
type listLookup func(name string) (*CodeList, error)

// CheckLists reports a change of code lists that cannot be made.
func (o *Overlay) CheckLists(l *Library) error {
	_, err := o.listsOver(l.CodeList)
	return err
}

// listsOver are the lists as the overlay leaves them, over those of before.
func (o *Overlay) listsOver(before listLookup) (listLookup, error) {
	if len(o.Lists) == 0 {
		return before, nil
	}
	changed := map[string]*CodeList{}
	for i := range o.Lists {
		c := &o.Lists[i]
		list, err := c.apply(before)
		if err != nil {
			return nil, LoadError{File: o.File, Line: c.Node.Line, Column: c.Node.Column, Message: err.Error()}
		}
		changed[c.Name] = list
	}
	return func(name string) (*CodeList, error) {
		if list, ok := changed[name]; ok {
			return list, nil
		}
		return before(name)
	}, nil
}

// lookup finds the lists of a library as this overlay alone leaves them.
func (o *Overlay) lookup(l *Library) listLookup {
	if len(o.Lists) == 0 {
		return l.CodeList
	}
	return func(name string) (*CodeList, error) {
		lists, err := o.listsOver(l.CodeList)
		if err != nil {
			return nil, err
		}
		return lists(name)
	}
}

func (c *ListChange) apply(before listLookup) (*CodeList, error) {
	list, err := before(c.Name)
	if c.Codes != nil {
		if err == nil {
			return nil, fmt.Errorf("there is a code list %s already: an overlay can take codes from it (only, without), and a rule's level can be lowered where codes are missing", c.Name)
		}
		return &CodeList{Name: c.Name, Title: c.title, codes: setOf(c.Codes)}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, code := range slices.Concat(c.only, c.without) {
		if _, has := list.codes[code]; !has {
			return nil, fmt.Errorf("the code list %s has no code %q", c.Name, code)
		}
	}
	changed := *list
	if c.only != nil {
		changed.codes = setOf(c.only)
		return &changed, nil
	}
	changed.codes = maps.Clone(list.codes)
	for _, code := range c.without {
		delete(changed.codes, code)
	}
	if len(changed.codes) == 0 {
		return nil, fmt.Errorf("the code list %s has no code left", c.Name)
	}
	return &changed, nil
}

func setOf(codes []string) map[string]struct{} {
	set := make(map[string]struct{}, len(codes))
	for _, code := range codes {
		set[strings.TrimSpace(code)] = struct{}{}
	}
	return set
}
