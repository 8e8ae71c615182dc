package ruletest

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/lookup"
	"einvoice/model/quote"

	"gopkg.in/yaml.v3"
)

// CompareData tells which of the code lists and look-up tables that two rulesets ask, or the
// rules of two overlays, are others in the one library than in the other. Data is changed as a
// part of the rules that ask it, so its changes have the form of a rule's.
func CompareData(before, after *engine.Library, old, new *engine.Ruleset) ([]RuleChange, error) {
	if old == nil || new == nil {
		return nil, nil
	}
	lists, err := compareCodeLists(before, after, old, new)
	if err != nil {
		return nil, err
	}
	tables, err := compareTables(before, after, old, new)
	return append(lists, tables...), err
}

func compareCodeLists(before, after *engine.Library, old, new *engine.Ruleset) ([]RuleChange, error) {
	var changes []RuleChange
	for _, name := range old.CodeLists() {
		if !slices.Contains(new.CodeLists(), name) {
			continue
		}
		was, err := before.CodeList(name)
		if err != nil && old.Name == engine.FolderOfOverlays {
			continue // a list that the overlay makes itself is one of its keys
		}
		if err != nil {
			return nil, err
		}
		is, err := after.CodeList(name)
		if err != nil && new.Name == engine.FolderOfOverlays {
			continue
		}
		if err != nil {
			return nil, err
		}
		gone, added := without(was.Codes(), is.Codes()), without(is.Codes(), was.Codes())
		if gone != "" || added != "" {
			changes = append(changes, RuleChange{Rule: "code list " + name, Change: Changed, Parts: []PartChange{{Part: "codes", Before: gone, After: added}}})
		}
	}
	return changes, nil
}

// mostRows bounds how many rows of a table are listed on a side; the part says how many there are.
const mostRows = 50

func compareTables(before, after *engine.Library, old, new *engine.Ruleset) ([]RuleChange, error) {
	var changes []RuleChange
	for _, name := range old.Tables() {
		if !slices.Contains(new.Tables(), name) {
			continue
		}
		was, err := dataOf(before, name)
		if err != nil {
			return nil, err
		}
		is, err := dataOf(after, name)
		if err != nil {
			return nil, err
		}
		var parts []PartChange
		if old, new := columnsOf(was), columnsOf(is); old != new {
			parts = append(parts, PartChange{"columns", old, new})
		}
		gone, removed := rowsOnlyIn(was, is)
		come, added := rowsOnlyIn(is, was)
		if removed+added > 0 {
			parts = append(parts, PartChange{fmt.Sprintf("rows (-%d +%d)", removed, added), gone, come})
		}
		if parts != nil {
			changes = append(changes, RuleChange{Rule: "table " + name, Change: Changed, Parts: parts})
		}
	}
	return changes, nil
}

func dataOf(library *engine.Library, name string) (*lookup.Table, error) {
	t, err := library.Table(name)
	if err != nil {
		return nil, err
	}
	return t.Data()
}

func columnsOf(t *lookup.Table) string {
	texts := make([]string, len(t.Columns()))
	for i, c := range t.Columns() {
		texts[i] = fmt.Sprintf("%s: %s", c.Name, c.Kind)
	}
	return strings.Join(texts, ", ")
}

// rowsOnlyIn are the rows that another table does not have as they are here: the first of them,
// a line for each, and how many there are.
func rowsOnlyIn(t, other *lookup.Table) (lines string, count int) {
	places := make([]int, len(t.Columns())) // of the columns, in the other table; -1 for none
	for i, c := range t.Columns() {
		places[i] = other.Column(c.Name)
	}
	for row := range t.Rows() {
		if have, found := other.Find(row.Cell(0)); found && isSameRow(row, have, places) {
			continue
		}
		if count++; count <= mostRows {
			lines += told(t, row) + "\n"
		}
	}
	return lines, count
}

// isSameRow compares the cells of a row with those at places of another one.
func isSameRow(row, other lookup.Row, places []int) bool {
	for i, at := range places {
		cell := ""
		if at >= 0 {
			cell = other.Cell(at)
		}
		if row.Cell(i) != cell {
			return false
		}
	}
	return true
}

func told(t *lookup.Table, row lookup.Row) string {
	cells := []string{}
	for i, c := range t.Columns() {
		if cell := row.Cell(i); cell != "" {
			cells = append(cells, fmt.Sprintf("%s: %s", c.Name, quote.Visible(quote.Shorten(cell, quote.Most))))
		}
	}
	return "{" + strings.Join(cells, ", ") + "}"
}

// without are the codes of the one list that the other does not have.
func without(codes, others []string) string {
	return strings.Join(slices.DeleteFunc(codes, func(code string) bool {
		_, found := slices.BinarySearch(others, code)
		return found
	}), " ")
}

// CompareProfiles tells which profiles that run a family of rules differ between two
// libraries, with their overlays.
func CompareProfiles(before, after *engine.Library, family string) ([]RuleChange, error) {
	old, err := before.Profiles()
	if err != nil {
		return nil, err
	}
	new, err := after.Profiles()
	if err != nil {
		return nil, err
	}
	named := func(all []*engine.Profile, id string) *engine.Profile {
		if i := slices.IndexFunc(all, func(p *engine.Profile) bool { return p.ID == id && runs(p, family) }); i >= 0 {
			return all[i]
		}
		return nil
	}
	var changes []RuleChange
	for _, p := range new {
		if !runs(p, family) {
			continue
		}
		switch was := named(old, p.ID); {
		case was == nil:
			changes = append(changes, RuleChange{Rule: "profile " + p.ID, Change: Added})
		case was.SHA256() != p.SHA256():
			parts, err := changedKeys(was, p)
			if err != nil {
				return nil, err
			}
			changes = append(changes, RuleChange{Rule: "profile " + p.ID, Change: Changed, Parts: parts})
		}
	}
	for _, p := range old {
		if runs(p, family) && named(new, p.ID) == nil {
			changes = append(changes, RuleChange{Rule: "profile " + p.ID, Change: Removed})
		}
	}
	return changes, nil
}

// runs reports whether a profile runs rules of a family.
func runs(p *engine.Profile, family string) bool {
	return slices.ContainsFunc(p.Rulesets, func(ref string) bool {
		name, _, _ := strings.Cut(ref, "/")
		return name == family
	})
}

// changedKeys are the keys of two profiles that differ; of lists, such as the overlays,
// the entries that only one of them has.
func changedKeys(before, after *engine.Profile) ([]PartChange, error) {
	var old, new yaml.Node
	if err := old.Encode(before); err != nil {
		return nil, err
	}
	if err := new.Encode(after); err != nil {
		return nil, err
	}
	var parts []PartChange
	for i := 0; i+1 < len(old.Content); i += 2 { // both have all keys, in the same order
		was, is := entries(old.Content[i+1]), entries(new.Content[i+1])
		part := PartChange{Part: old.Content[i].Value, Before: only(was, is), After: only(is, was)}
		if part.Before != "" || part.After != "" {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// entries are the texts of a list's entries, or of the one value.
func entries(n *yaml.Node) []string {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	texts := make([]string, len(nodes))
	for i, node := range nodes {
		text, err := yaml.Marshal(node)
		if err != nil {
			text = []byte(node.Value)
		}
		texts[i] = strings.TrimSpace(string(text))
	}
	return texts
}

func only(texts, others []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(others, text) }), "\n")
}
