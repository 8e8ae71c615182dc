package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"

	"einvoice/engine/expr"
)

// OverlaidValidator prepares rulesets to be run as overlays leave them, with the rules
// that these add. Rules that no overlay changes are shared with the library.
func (l *Library) OverlaidValidator(overlays []*Overlay, refs ...string) (*Validator, error) {
	overlays = slices.DeleteFunc(slices.Clone(overlays), func(o *Overlay) bool { return !o.ChangesRules() })
	if len(overlays) == 0 {
		return l.Validator(refs...)
	}
	w := &overlaid{lists: l.CodeList, parameters: map[string]string{}, by: map[string]string{}, changed: map[string]string{}}
	for _, o := range overlays {
		if err := w.add(o); err != nil {
			return nil, err
		}
	}
	sets, err := l.AllOf(AddedRulesets(refs, overlays))
	if err != nil {
		return nil, err
	}
	for _, o := range overlays {
		if o.rules != nil {
			sets = append(sets, o.rules)
		}
	}
	for i, s := range sets {
		changed, err := w.rulesOf(s)
		if err != nil {
			return nil, err
		}
		sets[i] = changed
	}
	env := l.env
	if len(w.changed) > 0 {
		env = l.newEnvironment(w.lists)
	}
	return newValidator(env, sets), nil
}

// AddedRulesets are rulesets and those that overlays run in addition.
func AddedRulesets(refs []string, overlays []*Overlay) []string {
	for _, o := range overlays {
		for _, ref := range o.Rulesets {
			if !slices.ContainsFunc(refs, func(have string) bool { return sameRuleset(have, ref) }) {
				refs = append(refs[:len(refs):len(refs)], ref)
			}
		}
	}
	return refs
}

// overlaid is what several overlays change together.
type overlaid struct {
	lists      listLookup
	changed    map[string]string // names of lists -> the overlay that changes them
	parameters map[string]string // names -> values
	by         map[string]string // names of parameters -> the overlay that sets them
	digests    []string
}

func (w *overlaid) add(o *Overlay) (err error) {
	if w.lists, err = o.listsOver(w.lists); err != nil {
		return err
	}
	for i := range o.Lists {
		w.changed[o.Lists[i].Name] = o.Name
	}
	for name, value := range o.Parameters {
		if _, set := w.parameters[name]; !set { // the first that is asked for decides
			w.parameters[name], w.by[name] = value.Value, o.Name
		}
	}
	w.digests = append(w.digests, o.SHA256)
	return nil
}

// rulesOf is a ruleset as the overlays leave it: itself where they change no rule of it.
func (w *overlaid) rulesOf(s *Ruleset) (*Ruleset, error) {
	changed := *s
	changed.constants = maps.Clone(s.constants)
	for _, p := range s.Parameters {
		if value, set := w.parameters[p.Name]; set {
			changed.constants[p.Name] = value
		}
	}
	changed.Rules = slices.Clone(s.Rules)
	any := false
	for i, r := range s.Rules {
		now, err := w.rule(r, s, &changed)
		if err != nil {
			return nil, err
		}
		any = any || now != r
		changed.Rules[i] = now
	}
	if !any {
		return s, nil
	}
	changed.ByID = make(map[string]*Rule, len(changed.Rules))
	for _, r := range changed.Rules {
		changed.ByID[r.ID] = r
	}
	digest := sha256.New()
	io.WriteString(digest, s.SHA256)
	for _, d := range w.digests {
		fmt.Fprintf(digest, "\noverlay %s", d)
	}
	changed.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return &changed, nil
}

// rule is a rule as the overlays leave it.
func (w *overlaid) rule(r *Rule, before, after *Ruleset) (*Rule, error) {
	out := r
	if r.Template != nil {
		for _, name := range NamesIn(r.Template) {
			if before.constants[name] == after.constants[name] {
				continue
			}
			filled, failures := after.resolve(r)
			if err := failures.ErrOrNil(); err != nil {
				return nil, err
			}
			level := r.Level
			if out = filled; level != filled.Level { // changed by the version that took it over
				out = filled.withLevel(level)
			}
			out.Overlay = w.by[name]
			break
		}
	}
	if len(w.changed) == 0 {
		return out, nil
	}
	for _, list := range out.CodeLists() {
		if by, is := w.changed[list]; is {
			if out == r {
				out = r.Clone()
			}
			out.Overlay = by
		}
	}
	if out.Row != nil && out != r {
		out.Row.readCodes(w.lists)
	}
	return out, nil
}

// newEnvironment compiles expressions that ask code lists from somewhere.
func (l *Library) newEnvironment(lists listLookup) *expr.Environment {
	return expr.NewEnvironment(expr.Options{Store: l.store, CodeLists: func(name string) (func(string) bool, error) {
		list, err := lists(name)
		if err != nil {
			return nil, err
		}
		return list.Contains, nil
	}})
}

// EnvironmentOf compiles expressions of an overlay's own rules; of all others, if it is nil.
func (l *Library) EnvironmentOf(o *Overlay) *expr.Environment {
	if o == nil || len(o.Lists) == 0 {
		return l.env
	}
	return l.newEnvironment(o.lookup(l))
}
