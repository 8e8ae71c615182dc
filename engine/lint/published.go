package lint

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
)

// checkPublished reports rules of the library's own folder that have the id of a rule
// below and do not say so: a report would show them as the published ones. A folder that
// takes the place of a version as a whole has its ids.
func checkPublished(l *engine.Library, sets []*engine.Ruleset) (failures engine.LoadErrors) {
	own, below := l.Own()
	if below == nil {
		return nil
	}
	var published map[string]string
	for _, s := range sets {
		if isIn(below, s.Name+"/"+s.Version) {
			continue
		}
		for _, r := range l.OwnRules(s) {
			if !isIn(own, r.File()) {
				continue
			}
			if published == nil {
				published = publishedIDs(below)
			}
			switch by, is := published[r.ID]; {
			case is && r.Replaces == "" && strings.HasPrefix(by, s.Name+"/") && takesPlace(l, s, r): // a newer version of the family writes it again
			case is && r.Replaces == "":
				failures = append(failures, engine.ErrorAt(r.File(), r.Node, fmt.Errorf("%s has a rule %s: give this one an id of its own, or say with the key replaces why it takes that one's place", by, r.ID)))
			case !is && r.Replaces != "" && !takesPlace(l, s, r):
				failures = append(failures, engine.ErrorAt(r.File(), r.Node, fmt.Errorf("replaces is for rules with the id of a published one, and there is no other %s", r.ID)))
			}
		}
	}
	return failures
}

// takesPlace reports whether a rule is written again in a version that extends one with it.
func takesPlace(l *engine.Library, s *engine.Ruleset, r *engine.Rule) bool {
	if s.Extends == "" {
		return false
	}
	base, err := l.Ruleset(s.Extends)
	return err == nil && base.ByID[r.ID] != nil
}

// IDsFile is where a library may hold the ids of its rules, so that they need not be read
// to be compared with: in each line an id and the ruleset that has it.
const IDsFile = "compiled/ids.bin"

// publishedIDs are the ids of the rules of a folder, in the newest version of each family,
// with the ruleset that has them.
func publishedIDs(below fs.FS) map[string]string {
	if data, err := fs.ReadFile(below, IDsFile); err == nil {
		ids := map[string]string{}
		for line := range strings.Lines(string(data)) {
			id, ruleset, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			ids[id] = ruleset
		}
		return ids
	}
	base, err := engine.Open(below)
	if err != nil {
		return nil
	}
	ids, err := allIDs(base)
	if err != nil {
		return nil // what is below was checked when it was made
	}
	return ids
}

func allIDs(l *engine.Library) (map[string]string, error) {
	versions, err := l.Versions()
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		s, err := l.Ruleset(family)
		if err != nil {
			return nil, err
		}
		for _, r := range s.Rules {
			if _, has := ids[r.ID]; !has {
				ids[r.ID] = s.Name + "/" + s.Version
			}
		}
	}
	return ids, nil
}

// CompileIDs is the content of IDsFile.
func CompileIDs(l *engine.Library) ([]byte, error) {
	ids, err := allIDs(l)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		fmt.Fprintf(&b, "%s %s\n", id, ids[id])
	}
	return []byte(b.String()), nil
}
