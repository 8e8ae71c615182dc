package proving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/model"
	"einvoice/model/numeral"
)

// An Effect is what a change of a rule does on documents.
type Effect struct {
	Only, Before     int    // documents on which it fires now alone, and before alone
	OnlyIn, BeforeIn string // one of each
	Level            int    // documents on which it fires at another level
}

// Effects are what changes of rules do on a folder.
type Effects struct {
	Rules    map[string]*Effect
	Invoices int // that both sets of rules decide
	// Unasked are invoices of which one of the two says nothing, by their syntax.
	Unasked map[model.Syntax]int
	Others  int // XML and PDF that is no invoice
}

// EffectsOn decides the invoices of a folder by two sets of rules.
func EffectsOn(ctx context.Context, before, now *engine.Validator, folder string) (*Effects, error) {
	out := &Effects{Rules: map[string]*Effect{}, Unasked: map[model.Syntax]int{}}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := strings.ToLower(filepath.Ext(path)); ext != ".xml" && ext != ".pdf" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := formats.Read(data, hybrid.Options())
		if err != nil {
			out.Others++
			return nil //nolint:nilerr // it is counted
		}
		old, err := levelsOf(ctx, before, doc)
		if err == nil {
			var fresh fired
			if fresh, err = levelsOf(ctx, now, doc); err == nil {
				out.Invoices++
				note(out.Rules, old, fresh, path)
			}
		}
		if _, without := errors.AsType[*engine.NoRulesError](err); without {
			out.Unasked[doc.Syntax]++
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, out.empty(folder)
}

// empty is the error where there was nothing to decide.
func (e *Effects) empty(folder string) error {
	switch {
	case e.Invoices > 0:
		return nil
	case len(e.Unasked) > 0:
		return fmt.Errorf("%s has no invoice that the rules decide: it has %s, of which the two releases do not both have rules. Name a folder with invoices of their syntax, or the files of both syntaxes", folder, e.unasked())
	case e.Others > 0:
		return fmt.Errorf("%s has no invoices: none of its %d XML and PDF files is one", folder, e.Others)
	}
	return fmt.Errorf("%s has no XML or PDF files", folder)
}

func (e *Effects) unasked() string {
	var all []string
	for _, syntax := range slices.Sorted(maps.Keys(e.Unasked)) {
		all = append(all, fmt.Sprintf("%d in %s", e.Unasked[syntax], syntax.Label()))
	}
	return strings.Join(all, " and ")
}

// String counts what was looked at.
func (e *Effects) String() string {
	s := numeral.Count(e.Invoices, "invoice") + ", " + numeral.Count(e.Others, "other file")
	if len(e.Unasked) > 0 {
		s += fmt.Sprintf("; not decided, as the two releases do not both have rules of the syntax: %s", e.unasked())
	}
	return s
}

// note counts the rules that fire at one of two levels.
func note(effects map[string]*Effect, old, fresh fired, path string) {
	of := func(id string) *Effect {
		if effects[id] == nil {
			effects[id] = &Effect{}
		}
		return effects[id]
	}
	for id, level := range fresh {
		switch was, is := old[id]; {
		case !is:
			of(id).Only++
			of(id).OnlyIn = path
		case was != level:
			of(id).Level++
		}
	}
	for id := range old {
		if _, is := fresh[id]; !is {
			of(id).Before++
			of(id).BeforeIn = path
		}
	}
}
