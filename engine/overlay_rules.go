package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/expr"
)

// OverlaidValidator prepares rulesets to be run as overlays leave them, with the rules
// that these add. Rules that no overlay changes are shared with the library.
func (l *Library) OverlaidValidator(overlays []*Overlay, refs ...string) (*Validator, error) {
	overlays = slices.DeleteFunc(slices.Clone(overlays), func(o *Overlay) bool { return !o.ChangesRules() })
	if len(overlays) == 0 {
		return l.Validator(refs...)
	}
	w, sets, err := l.overlaidSets(overlays, refs)
	if err != nil {
		return nil, err
	}
	env := l.env
	if len(w.lists) > 0 {
		env = l.newEnvironment(l.lookupIn(w.lists))
	}
	v := newValidator(env, sets)
	v.overlays = overlays
	return v, nil
}

// overlaidSets are rulesets as overlays leave them, those that these run in addition and the
// rules that they add, with what they change.
func (l *Library) overlaidSets(overlays []*Overlay, refs []string) (w *overlaid, sets []*Ruleset, err error) {
	w = &overlaid{library: l, overlays: overlays, replaced: map[string]bool{}}
	if w.lists, err = l.listsOf(overlays); err != nil {
		return nil, nil, err
	}
	for _, o := range overlays {
		w.digests = append(w.digests, o.SHA256)
	}
	if sets, err = l.AllOf(refs); err != nil {
		return nil, nil, err
	}
	// What overlays add is about each document by itself, and would find nothing but faults in
	// an entry of a job, which has no invoice.
	together := len(sets) > 0 && !slices.ContainsFunc(sets, func(s *Ruleset) bool { return s.Layer != LayerBatch })
	if !together {
		if sets, err = l.AllOf(AddedRulesets(refs, overlays)); err != nil {
			return nil, nil, err
		}
	}
	for _, o := range overlays {
		if o.rules != nil && !together {
			sets = append(sets, o.rules.butThose(w.replaced))
			for id := range o.rules.ByID {
				w.replaced[id] = true
			}
		}
	}
	for i, s := range sets {
		if sets[i], err = w.rulesOf(s); err != nil {
			return nil, nil, err
		}
	}
	return w, sets, nil
}

// butThose is the ruleset without rules that an overlay over it replaces.
func (s *Ruleset) butThose(replaced map[string]bool) *Ruleset {
	if !slices.ContainsFunc(s.Rules, func(r *Rule) bool { return replaced[r.ID] }) {
		return s
	}
	out := *s
	out.Rules, out.ByID = nil, map[string]*Rule{}
	for _, r := range s.Rules {
		if !replaced[r.ID] {
			out.Rules = append(out.Rules, r)
			out.ByID[r.ID] = r
		}
	}
	return &out
}

// AddedRulesets are rulesets and those that overlays run in addition: of each family one,
// that of the overlay which decides first.
func AddedRulesets(refs []string, overlays []*Overlay) []string {
	for _, o := range overlays {
		for _, ref := range o.Rulesets {
			if !slices.ContainsFunc(refs, func(have string) bool { return familyOf(have) == familyOf(ref) }) {
				refs = append(refs[:len(refs):len(refs)], ref)
			}
		}
	}
	return refs
}

// overlaid is what several overlays change together.
type overlaid struct {
	library  *Library
	overlays []*Overlay // the one that decides first
	lists    map[string]changedList
	replaced map[string]bool // ids of rules of overlays that others are over
	digests  []string
}

// parametersOf are the values that the overlays give to parameters of a ruleset, and the
// overlays that do.
func (w *overlaid) parametersOf(s *Ruleset) (values, by map[string]string) {
	if len(s.Parameters) == 0 {
		return nil, nil
	}
	values, by = map[string]string{}, map[string]string{}
	for _, o := range w.overlays {
		if len(o.Parameters) == 0 || !reaches(w.library.Reached(o), s) {
			continue
		}
		for _, p := range s.Parameters {
			value, sets := o.Parameters[p.Name]
			if _, set := values[p.Name]; sets && !set {
				values[p.Name], by[p.Name] = value.Value, o.Name
			}
		}
	}
	return values, by
}

// addedBy is the overlay that runs a ruleset in addition; "" for none.
func (w *overlaid) addedBy(s *Ruleset) string {
	for _, o := range w.overlays {
		if reaches(o.Rulesets, s) {
			return o.Name
		}
	}
	return ""
}

// rulesOf is a ruleset as the overlays leave it: itself where they change no rule of it.
func (w *overlaid) rulesOf(s *Ruleset) (*Ruleset, error) {
	changed := *s
	changed.constants = maps.Clone(s.constants)
	values, by := w.parametersOf(s)
	maps.Copy(changed.constants, values)
	changed.Rules = slices.Clone(s.Rules)
	any, added := false, w.addedBy(s)
	for i, r := range s.Rules {
		now, err := w.rule(r, s, &changed, by)
		if err != nil {
			return nil, err
		}
		any = any || now != r
		if now.Overlay == "" && added != "" {
			now = now.Clone()
			now.Overlay = added
		}
		changed.Rules[i] = now
	}
	if !any && added == "" {
		return s, nil
	}
	changed.ByID = make(map[string]*Rule, len(changed.Rules))
	for _, r := range changed.Rules {
		changed.ByID[r.ID] = r
	}
	if !any {
		return &changed, nil
	}
	digest := sha256.New()
	io.WriteString(digest, s.SHA256)
	for _, d := range w.digests {
		fmt.Fprintf(digest, "\noverlay %s", d)
	}
	changed.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return &changed, nil
}

// rule is a rule as the overlays leave it; by has the overlays that set parameters.
func (w *overlaid) rule(r *Rule, before, after *Ruleset, by map[string]string) (*Rule, error) {
	out := r
	var changedBy []string
	if r.Template != nil {
		for _, name := range NamesIn(r.Template) {
			if before.constants[name] != after.constants[name] && !slices.Contains(changedBy, by[name]) {
				changedBy = append(changedBy, by[name])
			}
		}
	}
	if changedBy != nil {
		filled, failures := after.resolve(r)
		if err := failures.ErrOrNil(); err != nil {
			return nil, err
		}
		if out = filled; r.Level != filled.Level {
			// The version that took it over changed the level, unless a parameter is the level.
			written, failures := before.resolve(r)
			if err := failures.ErrOrNil(); err != nil {
				return nil, err
			}
			if r.Level != written.Level {
				out = filled.withLevel(r.Level)
			}
		}
	}
	for _, name := range out.CodeLists() {
		for _, overlay := range w.lists[name].by {
			if !slices.Contains(changedBy, overlay) {
				changedBy = append(changedBy, overlay)
			}
		}
	}
	if changedBy == nil {
		return r, nil
	}
	if out == r {
		out = r.Clone()
	}
	if r.Overlay != "" && !slices.Contains(changedBy, r.Overlay) {
		changedBy = append([]string{r.Overlay}, changedBy...)
	}
	out.Overlay = strings.Join(changedBy, ", ")
	if out.Row != nil {
		out.Row.readCodes(w.library.lookupIn(w.lists))
	}
	return out, nil
}

// newEnvironment compiles expressions that ask code lists from somewhere.
func (l *Library) newEnvironment(lists listLookup) *expr.Environment {
	return l.environment(lists, l.lookUp)
}

func (l *Library) environment(lists listLookup, tables expr.Tables) *expr.Environment {
	return expr.NewEnvironment(expr.Options{Stores: l.openStores, Tables: tables, Ended: l.Ended, Pay: l.pay, CodeLists: func(name string) (func(string) bool, error) {
		list, err := lists(name)
		if err != nil {
			return nil, err
		}
		return list.finder(), nil
	}})
}

// EnvironmentOf compiles expressions of an overlay's own rules; of all others, if it is nil.
func (l *Library) EnvironmentOf(o *Overlay) *expr.Environment {
	if o == nil || len(o.Lists) == 0 && len(o.over) == 0 {
		return l.env
	}
	return l.newEnvironment(o.lookup(l))
}
