package ruletest

import (
	"io/fs"
	"slices"

	"einvoice/engine"

	"gopkg.in/yaml.v3"
)

// CompareOverlays tells which overlays differ between two libraries, key by key; of lists,
// the entries that only one of them has. Rules that overlays add are compared as those of
// rulesets are.
func CompareOverlays(before, after *engine.Library, names []string) ([]RuleChange, error) {
	var changes []RuleChange
	for _, name := range names {
		was, err := overlayIn(before, name)
		if err != nil {
			return nil, err
		}
		is, err := overlayIn(after, name)
		if err != nil {
			return nil, err
		}
		change := RuleChange{Rule: "overlay " + name, Change: Changed}
		switch {
		case was == nil && is == nil:
			continue
		case was == nil:
			change.Change = Added
		case is == nil:
			change.Change = Removed
		}
		keys := slices.Compact(slices.Sorted(slices.Values(append(keysOf(was), keysOf(is)...))))
		for _, key := range keys {
			old, new := entriesOf(was, key), entriesOf(is, key)
			part := PartChange{Part: key, Before: only(old, new), After: only(new, old)}
			if part.Before != "" || part.After != "" {
				change.Parts = append(change.Parts, part)
			}
		}
		if len(change.Parts) > 0 {
			changes = append(changes, change)
		}
	}
	return changes, nil
}

// overlayIn is an overlay of a library as it is written; nil where there is none.
func overlayIn(l *engine.Library, name string) (*yaml.Node, error) {
	data, err := fs.ReadFile(l.FS(), engine.FolderOfOverlays+"/"+name+".yaml")
	if err != nil {
		return nil, nil //nolint:nilerr // it is not there
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	return doc.Content[0], nil
}

// keysOf are the keys of an overlay that are not rules.
func keysOf(n *yaml.Node) (keys []string) {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i].Value; !slices.Contains([]string{"rules", "repeat", "tables", "overlay"}, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func entriesOf(n *yaml.Node, key string) []string {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return entries(n.Content[i+1])
		}
	}
	return nil
}
