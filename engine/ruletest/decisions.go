package ruletest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"einvoice/engine"
	"einvoice/model"
)

// Decisions are the digests of the rules of a ruleset, by their ids: of everything that
// decides on which documents a rule fires, and at which level. What is only said of a
// finding is not part of it. A nil ruleset has no rules.
func Decisions(library *engine.Library, s *engine.Ruleset) (map[string]string, error) {
	if s == nil {
		return nil, nil
	}
	lists, tables := map[string]string{}, map[string]string{}
	for _, name := range s.CodeLists() {
		list, err := library.CodeList(name)
		if err != nil {
			return nil, err
		}
		lists[name] = fmt.Sprintf("%q", list.Codes())
	}
	for _, name := range s.Tables() {
		table, err := library.Table(name)
		if err != nil {
			return nil, err
		}
		if tables[name], err = table.Digest(); err != nil {
			return nil, err
		}
	}
	out := make(map[string]string, len(s.Rules))
	for _, r := range s.Rules {
		digest := sha256.New()
		fmt.Fprintf(digest, "%q %q %q %q", r.Level, r.Effective, r.NeverFires, r.On)
		for _, syntax := range append([]model.Syntax{""}, model.Syntaxes()...) {
			form, applies := r.Form(syntax)
			fmt.Fprintf(digest, "%q %v %q %q %q ", syntax, applies, form.Level, form.Context.Value, form.Assert.Value)
		}
		for _, v := range r.Variants {
			fmt.Fprintf(digest, "%q %q %v %q ", v.Syntax, v.Root, v.Applies, v.Level)
		}
		if r.Row != nil {
			fmt.Fprintf(digest, "%q", r.Row.String())
		}
		for _, name := range r.CodeLists() {
			fmt.Fprintf(digest, "%q %s", name, lists[name])
		}
		for _, name := range r.Tables() {
			fmt.Fprintf(digest, "%q %s", name, tables[name])
		}
		out[r.ID] = hex.EncodeToString(digest.Sum(nil))
	}
	return out, nil
}
