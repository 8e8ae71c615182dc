package ruletest

import (
	"slices"
	"strings"

	"einvoice/engine"

	"gopkg.in/yaml.v3"
)

// CompareCodeLists tells which of the code lists that two rulesets ask have other codes
// in the one library than in the other. A list is changed as a part of the rules that
// ask it, so its changes have the form of a rule's.
func CompareCodeLists(before, after *engine.Library, old, new *engine.Ruleset) ([]RuleChange, error) {
	if old == nil || new == nil {
		return nil, nil
	}
	var changes []RuleChange
	for _, name := range old.CodeLists() {
		if !slices.Contains(new.CodeLists(), name) {
			continue
		}
		was, err := before.CodeList(name)
		if err != nil {
			return nil, err
		}
		is, err := after.CodeList(name)
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
