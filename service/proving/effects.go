package proving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/hybrid"
)

// An Effect is what a change of a rule does on documents.
type Effect struct {
	Only, Before     int    // documents on which it fires now alone, and before alone
	OnlyIn, BeforeIn string // one of each
	Level            int    // documents on which it fires at another level
}

// Effects decides the invoices of a folder by two sets of rules. Files that are not invoices, or
// that the rules say nothing of, are passed over and counted.
func Effects(ctx context.Context, before, now *engine.Validator, folder string) (effects map[string]*Effect, documents, others int, err error) {
	effects = map[string]*Effect{}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
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
			others++
			return nil //nolint:nilerr // it is counted
		}
		old, err := levelsOf(ctx, before, doc)
		if err == nil {
			var fresh fired
			if fresh, err = levelsOf(ctx, now, doc); err == nil {
				documents++
				note(effects, old, fresh, path)
			}
		}
		if _, without := errors.AsType[*engine.NoRulesError](err); without { // the rules of UBL say nothing of CII
			others++
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	if err == nil && documents == 0 {
		err = fmt.Errorf("%s holds no invoices", folder)
	}
	return effects, documents, others, err
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
