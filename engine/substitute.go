package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Substitute is the profile whose rules are run because the library does not have those
// of this one; nil where it has them.
func (p *Profile) Substitute() *Profile { return p.substitute }

// substitute finds the profiles that others are validated as, and has these run their
// rules.
func substitute(profiles []*Profile) error {
	for _, p := range profiles {
		if p.ValidatedAs == "" {
			continue
		}
		i := slices.IndexFunc(profiles, func(other *Profile) bool { return other.ID == p.ValidatedAs && other.ValidatedAs == "" })
		if i < 0 {
			return fmt.Errorf("profile %s is validated as %s, which is not a profile with rules of its own", p.ID, p.ValidatedAs)
		}
		if p.Standard != "" || len(p.Rulesets) > 0 || len(p.Overlays) > 0 {
			return fmt.Errorf("profile %s is validated as %s, so it has no standard, rulesets or overlays", p.ID, p.ValidatedAs)
		}
		p.substitute = profiles[i]
		p.Standard, p.Rulesets, p.Overlays = p.substitute.Standard, p.substitute.Rulesets, p.substitute.Overlays
	}
	return nil
}

// byPrefix finds the profile with the longest prefix of an identifier; nil for none.
func byPrefix(profiles []*Profile, declared string) (found *Profile) {
	longest := 0
	for _, p := range profiles {
		for _, prefix := range p.SpecificationPrefixes {
			if len(prefix) > longest && strings.HasPrefix(declared, prefix) {
				found, longest = p, len(prefix)
			}
		}
	}
	return found
}
