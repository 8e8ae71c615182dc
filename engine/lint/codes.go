package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/nearest"
	"einvoice/model/pattern"
)

// Codes that a rule compares a term with, and that are in no list which rules ask of the term:
// no valid invoice has them, so that a condition on them holds nowhere, or everywhere.

// A Place is where documents have a term.
type Place struct {
	Field *model.Field
	XML   []string // paths of XPath
}

// CheckCodes reports codes that the library's own rules and overlays compare terms with, and that
// no list has which any rule asks of these; published rules are left alone. The library must have
// passed Check.
func CheckCodes(l *engine.Library, places func() []Place) (failures engine.LoadErrors, err error) {
	compared, err := comparedCodes(l)
	if err != nil || len(compared) == 0 {
		return nil, err
	}
	lists, err := codesAsked(l, places())
	if err != nil {
		return nil, err
	}
	for _, c := range compared {
		known := lists.of(c.of)
		if !known.asked || known.has(c.code) {
			continue
		}
		failures = append(failures, c.mistake(fmt.Errorf("%q is not a code of %s (code list %s), so no valid invoice has it: write a code of the list, or leave the comparison out%s",
			c.code, c.of.name(), strings.Join(slices.Sorted(maps.Keys(known.lists)), ", "), engine.Meant(nearest.Of(c.code, slices.Sorted(maps.Keys(known.codes)))))))
	}
	l.PlaceInBlocks(failures)
	slices.SortStableFunc(failures, compareErrors)
	return slices.Compact(failures), nil
}

// A comparedCode is a literal that something is compared with.
type comparedCode struct {
	of      reached
	code    string
	mistake func(error) engine.LoadError
}

// comparedCodes are the literals in the library's own rules and overlays.
func comparedCodes(l *engine.Library) (all []comparedCode, err error) {
	reader := &codeReader{compared: func(of reached, code string, mistake func(error) engine.LoadError) {
		if len(of.terms) > 0 || of.source {
			all = append(all, comparedCode{of, code, mistake})
		}
	}}
	sets, err := l.OwnRulesets()
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		for _, r := range l.OwnRules(s) {
			if s.SourceOf(r) == nil && r.Row == nil {
				reader.rule(r)
			}
		}
	}
	names, err := l.OwnOverlays()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			continue // told by Check
		}
		reader.context(o.Documents.Where, func(err error) engine.LoadError { return o.Mistake("documents", "documents.where: %v", err) })
		for i := range o.Levels {
			c := &o.Levels[i]
			reader.context(c.Documents.Where, func(err error) engine.LoadError { return c.Mistake("documents.where: %v", err) })
		}
	}
	return all, nil
}

// codes are those that rules ask of something, and the lists that have them.
type codes struct {
	codes, lists map[string]bool
	asked        bool // for one of them, whatever else there is
	folded       bool // their case does not matter
}

func newCodes() *codes { return &codes{codes: map[string]bool{}, lists: map[string]bool{}} }

func (c *codes) has(code string) bool {
	code = strings.TrimSpace(code)
	return code == "" || c.codes[code] || c.folded && c.codes[strings.ToUpper(code)]
}

func (c *codes) add(other *codes) {
	if other == nil {
		return
	}
	maps.Copy(c.codes, other.codes)
	maps.Copy(c.lists, other.lists)
	c.asked, c.folded = c.asked || other.asked, c.folded || other.folded
}

// askedLists are the codes of terms, and of elements and attributes by their names.
type askedLists struct {
	ofTerms    map[*model.Field]*codes
	ofElements map[reachedName]*codes
	places     map[*model.Field][]reachedName
}

// A reachedName is an element or attribute that is reached, in one around it or in any.
type reachedName struct{ parent, element, attribute string }

func (r reached) names() []reachedName {
	return []reachedName{{r.parent, r.element, r.attribute}, {"", r.element, r.attribute}}
}

// codesAsked are those of the lists that rules of the newest versions, and the library's own, ask
// of terms, with the codes that the same rules name beside them.
func codesAsked(l *engine.Library, places []Place) (*askedLists, error) {
	sets, err := l.OwnRulesets()
	if err != nil {
		return nil, err
	}
	families, err := l.Versions()
	if err != nil {
		return nil, err
	}
	for family := range families {
		if s, err := l.Ruleset(family); err == nil {
			sets = append(sets, s)
		}
	}
	all := &askedLists{ofTerms: map[*model.Field]*codes{}, ofElements: map[reachedName]*codes{}, places: map[*model.Field][]reachedName{}}
	for _, s := range sets {
		for _, r := range s.Rules {
			if r.Row == nil && r.CodeLists() != nil {
				all.askedBy(l, r)
			}
		}
	}
	reader := &codeReader{compared: func(reached, string, func(error) engine.LoadError) {}}
	for _, p := range places {
		for _, path := range p.XML {
			for _, at := range reader.context(path, nil) {
				all.places[p.Field] = append(all.places[p.Field], at.names()...)
			}
		}
	}
	return all, nil
}

// nothingElse is an assertion about an element that asks a list and nothing else.
var nothingElse = pattern.Later(`^\s*this\.text\((?:"[^"]*")?\)(?:\.upperCase\(\)|\.normalizeSpace\(\))*\.isInCodeList\("[^"]*"\)\s*$`)

// askedBy adds the codes that a rule asks.
func (a *askedLists) askedBy(l *engine.Library, r *engine.Rule) {
	beside := map[string][]string{}
	reader := &codeReader{compared: func(of reached, code string, _ func(error) engine.LoadError) {
		beside[of.name()] = append(beside[of.name()], code)
	}}
	reader.rule(r) // what is beside a list may come after it
	for _, form := range r.Forms() {
		alone := !xpath.SelectsInSource(form.Context.Value) || nothingElse().MatchString(form.Assert.Value)
		reader.listed = func(of reached, name string, folded bool) {
			list, err := listOf(l, r, name)
			if err != nil {
				return // told by Check
			}
			asks := &codes{codes: map[string]bool{}, lists: map[string]bool{name: true}, asked: alone, folded: folded}
			for _, code := range append(list.Codes(), beside[of.name()]...) {
				asks.codes[code] = true
			}
			a.add(of, asks)
		}
		reader.form(r, form)
	}
}

// add adds codes that are asked of what a path leads to.
func (a *askedLists) add(of reached, asks *codes) {
	for _, f := range of.terms {
		if a.ofTerms[f] == nil {
			a.ofTerms[f] = newCodes()
		}
		a.ofTerms[f].add(asks)
	}
	if of.source {
		at := of.names()[0]
		if a.ofElements[at] == nil {
			a.ofElements[at] = newCodes()
		}
		a.ofElements[at].add(asks)
	}
}

// listOf is a code list as a rule asks it: one of the library, or of the overlay that has the rule.
func listOf(l *engine.Library, r *engine.Rule, name string) (*engine.CodeList, error) {
	list, err := l.CodeList(name)
	if o, failed := l.Overlay(r.Overlay); err != nil && failed == nil {
		return o.List(l, name)
	}
	return list, err
}

// of are the codes of what a path leads to.
func (a *askedLists) of(r reached) *codes {
	all := newCodes()
	for _, f := range r.terms {
		all.add(a.ofTerms[f])
		for _, at := range a.places[f] {
			all.add(a.ofElements[at])
		}
	}
	if r.source && r.element != "" {
		for _, at := range r.names() {
			all.add(a.ofElements[at])
		}
		for f, places := range a.places {
			if slices.Contains(places, r.names()[0]) {
				all.add(a.ofTerms[f])
			}
		}
	}
	return all
}
