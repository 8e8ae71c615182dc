package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A listChange is what an overlay says of a code list: a list of its own, with codes, or
// fewer of a list that there is.
type listChange struct {
	name    string
	title   string
	codes   []string // of a new list
	only    []string // of those that there are, these
	without []string // or all but these

	node *yaml.Node
}

func (f *ruleFile) listChanges(n *yaml.Node) (changes []listChange) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "codeLists must be a list of {list, codes}, {list, only} or {list, without}")
		return nil
	}
	for _, item := range n.Content {
		c := listChange{node: item}
		known := f.mapping(item, "a code list of an overlay", func(key string, value *yaml.Node) bool {
			switch key {
			case "list":
				c.name = f.scalar(value)
			case "title":
				c.title = f.scalar(value)
			case "codes":
				c.codes = f.names(value)
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
		for _, codes := range [][]string{c.codes, c.only, c.without} {
			if len(codes) > 0 {
				forms++
			}
		}
		switch {
		case item.Kind != yaml.MappingNode || !known:
		case c.name == "" || forms != 1:
			f.fail(item, "a code list of an overlay needs list, its name, and one of codes (a new list), only or without (fewer codes of a list that there is)")
		case slices.ContainsFunc(changes, func(other listChange) bool { return other.name == c.name }):
			f.fail(item, "the code list %s is changed twice", c.name)
		default:
			changes = append(changes, c)
		}
	}
	return changes
}

// A listLookup finds code lists by their names.
type listLookup func(name string) (*CodeList, error)

// listsOver are the lists as the overlay leaves them, over those of before.
func (o *Overlay) listsOver(before listLookup) (listLookup, error) {
	if len(o.lists) == 0 {
		return before, nil
	}
	changed := map[string]*CodeList{}
	for i := range o.lists {
		c := &o.lists[i]
		list, err := c.apply(before)
		if err != nil {
			return nil, LoadError{File: o.file, Line: c.node.Line, Column: c.node.Column, Message: err.Error()}
		}
		changed[c.name] = list
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
	if len(o.lists) == 0 {
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

func (c *listChange) apply(before listLookup) (*CodeList, error) {
	list, err := before(c.name)
	if c.codes != nil {
		if err == nil {
			return nil, fmt.Errorf("there is a code list %s already: an overlay can take codes from it (only, without), and a rule's level can be lowered where codes are missing", c.name)
		}
		return &CodeList{Name: c.name, Title: c.title, codes: setOf(c.codes)}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, code := range slices.Concat(c.only, c.without) {
		if _, has := list.codes[code]; !has {
			return nil, fmt.Errorf("the code list %s has no code %q", c.name, code)
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
		return nil, fmt.Errorf("the code list %s has no code left", c.name)
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
