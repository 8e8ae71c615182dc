package proving

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"einvoice/engine"
	"einvoice/formats"
)

// Recorded holds rules against recorded verdicts on the documents of a folder: the rules that
// fired, with their levels, by the file's name. Nobody made these documents for a rule, so that
// each counts for every rule of its syntax.
func Recorded(ctx context.Context, library *engine.Library, rulesets []string, folder string, verdicts map[string]map[string]engine.Level) (*Proof, error) {
	p, err := newProving(library, Options{Rulesets: rulesets})
	if err != nil {
		return nil, err
	}
	p.proof.Originals = []Original{}
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		ours, err := levelsOf(ctx, p.validator, doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.proof.Documents++
		p.hold(&made{base: &base{name: name, doc: doc, size: len(data)}, aimed: p.has[doc.Syntax]}, ours, verdicts[name])
	}
	if p.proof.Documents == 0 {
		return nil, fmt.Errorf("%s has no verdicts on these rulesets", folder)
	}
	return p.finish(), nil
}
