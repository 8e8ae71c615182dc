package proving

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/service/importer"
	"einvoice/service/validate"
)

// A Fault is a mistake of a published file.
type Fault struct {
	Original string    `json:"original" yaml:"original"`
	Rule     string    `json:"rule" yaml:"rule"`
	Line     int       `json:"line" yaml:"line"`
	Kind     FaultKind `json:"kind" yaml:"kind"`
	Why      string    `json:"why,omitempty" yaml:"why,omitempty"`
	// Document is the smallest on which it shows, "" where it shows on none; Count is how many
	// of those that were made it shows on.
	Document string `json:"document,omitempty" yaml:"document,omitempty"`
	Count    int    `json:"count,omitempty" yaml:"count,omitempty"`
}

// A FaultKind is what is wrong.
type FaultKind string

// The kinds of faults.
const (
	FaultMany    FaultKind = "many"    // several items stop the stylesheet where it expects one
	FaultType    FaultKind = "type"    // a value stops it that is not of the type it is taken for
	FaultHidden  FaultKind = "hidden"  // an earlier rule of the pattern takes all its nodes, or there are none
	FaultNothing FaultKind = "nothing" // nothing that was made had it fire
)

// faults are the mistakes of the published files that the comparison has shown. Ids of the
// standard in an artefact of a country are the standard's.
func (p *proving) faults(library *engine.Library, sheets []*sheet) ([]Fault, error) {
	structure, err := validate.Structure()
	if err != nil {
		return nil, err
	}
	standard := map[string]bool{}
	if !slices.ContainsFunc(p.options.Rulesets, func(ref string) bool { return strings.HasPrefix(ref, "en16931") }) {
		core, err := library.Ruleset("en16931")
		if err != nil {
			return nil, err
		}
		for _, r := range core.Rules {
			standard[r.ID] = true
		}
	}
	var all []Fault
	for _, s := range p.proof.Stops {
		kind := FaultType
		if strings.Contains(s.Why, "more than one item") {
			kind = FaultMany
		}
		if !standard[s.Rule] {
			all = append(all, Fault{filepath.Base(s.Original), s.Rule, s.Line, kind, s.Why, s.Smallest.String(), s.Count})
		}
	}
	for _, s := range sheets {
		t, err := importer.Import(os.DirFS(filepath.Dir(s.file)), filepath.Base(s.file), importer.Options{Structure: structure, Leave: func(id string) bool { return standard[id] }})
		if err != nil {
			return nil, err
		}
		for _, n := range t.NeverFire {
			all = append(all, Fault{Original: n.File, Rule: n.ID, Line: n.Line, Kind: FaultHidden, Why: n.Reason})
		}
		seen := map[string]bool{}
		for _, a := range s.asserts {
			const enough = 40 // documents that show that it may be more than chance
			if r := p.rules[a.ID]; r != nil && r.Fired == 0 && r.Differs == 0 && r.Equal >= enough && !seen[a.ID] && p.has[s.syntax()][a.ID] {
				seen[a.ID] = true
				all = append(all, Fault{Original: filepath.Base(s.file), Rule: a.ID, Line: a.Line, Kind: FaultNothing, Count: r.Equal})
			}
		}
	}
	return all, nil
}
