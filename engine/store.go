package engine

import (
	"fmt"
	"io/fs"

	"einvoice/engine/expr"
)

// StoreFile is where a library may hold its expressions ready checked, so that
// a start of the program need not parse and check them again.
const StoreFile = "compiled/expressions.bin"

// readStore reads the store of the library; there may be none.
func (l *Library) readStore() expr.Store {
	data, err := fs.ReadFile(l.fsys, StoreFile)
	if err != nil {
		return nil
	}
	return expr.ReadStore(data)
}

// CompileExpressions checks every expression of every ruleset and returns them
// as the content of StoreFile.
func (l *Library) CompileExpressions() ([]byte, error) {
	families, err := l.Versions()
	if err != nil {
		return nil, err
	}
	store := expr.Store{}
	for family, versions := range families {
		for _, version := range versions {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				return nil, err
			}
			for _, r := range s.Rules {
				if err := r.store(store); err != nil {
					return nil, fmt.Errorf("rule %s: %w", r.ID, err)
				}
			}
		}
	}
	return store.Encode(), nil
}

// store adds the expressions of a rule.
func (r *Rule) store(to expr.Store) error {
	if r.Row != nil {
		return nil
	}
	for _, syntax := range syntaxes {
		form, ok := r.Form(syntax)
		if !ok || form.Context.Value == "" {
			continue
		}
		g, err := newRuleGroup(form.Context.Value)
		if err != nil {
			return err
		}
		for _, this := range g.types() {
			for _, text := range append(messageExpressions(form.Message.Value), form.Assert.Value) {
				if err := to.Add(text, this); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
