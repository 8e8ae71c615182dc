package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
)

// sidesAt are the same rulesets on two days: those of a folder, of a built-in family or
// version, or all built-in ones without an argument.
func sidesAt(args []string, days []engine.Day) (before, after *side, err error) {
	s, err := openTimed(args)
	if err != nil {
		return nil, nil, err
	}
	if before, err = s.on(days[0]); err != nil {
		return nil, nil, err
	}
	after, err = s.on(days[1])
	return before, after, err
}

// openTimed opens what is compared on two days.
func openTimed(args []string) (*side, error) {
	if len(args) == 0 {
		library, err := openLibrary()
		if err != nil {
			return nil, err
		}
		sets, err := chosen(library, nil)
		if err != nil {
			return nil, err
		}
		s := &side{library: library}
		for _, set := range sets {
			s.refs = append(s.refs, set.Name)
		}
		return s, nil
	}
	if isFolders(args[0]) {
		s, err := openSide(args[0])
		if err != nil {
			return nil, err
		}
		if s.folder { // of each family, the version that is in force
			for i, ref := range s.refs {
				s.refs[i], _, _ = strings.Cut(ref, "/")
			}
			s.refs = slices.Compact(s.refs)
		}
		return s, nil
	}
	library, err := openLibrary()
	if err != nil {
		return nil, err
	}
	if _, err := library.Ruleset(args[0]); err != nil {
		return nil, fmt.Errorf("%s is neither a folder nor a built-in ruleset: %w", args[0], err)
	}
	return &side{library: library, refs: args[:1]}, nil
}

// on is the side on a day: of each family the version that is in force.
func (s *side) on(day engine.Day) (*side, error) {
	out := &side{library: s.library, folder: true, at: day, overlays: s.overlays}
	for _, ref := range s.refs {
		if strings.Contains(ref, "/") {
			out.refs = append(out.refs, ref)
			continue
		}
		version, err := s.library.VersionAt(ref, day)
		if _, none := errors.AsType[*engine.NotInForceError](err); none {
			continue
		}
		if err != nil {
			return nil, err
		}
		out.refs = append(out.refs, version)
	}
	return out, nil
}

// pairsAt pairs the versions of each family on two days, "" where a family has none.
func pairsAt(before, after *side) (out [][2]string) {
	of := func(s *side, family string) string {
		i := slices.IndexFunc(s.refs, func(ref string) bool { return strings.HasPrefix(ref, family+"/") })
		if i < 0 {
			return ""
		}
		return s.refs[i]
	}
	var families []string
	for _, ref := range slices.Concat(before.refs, after.refs) {
		if family, _, _ := strings.Cut(ref, "/"); !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	for _, family := range families {
		out = append(out, [2]string{of(before, family), of(after, family)})
	}
	return out
}
