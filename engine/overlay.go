package engine

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// An Overlay changes what profiles and rulesets ask, without touching them: levels of
// findings, parameters, code lists; and it adds rules. It is a file of its own,
// overlays/<name>.yaml. Those that a profile names apply to all of its documents; others
// where they are asked for.
type Overlay struct {
	Name   string
	Title  string
	Owner  string // who answers for it
	Source string // where it is published; "" where it is not
	On     OverlayBase
	// Documents are those that it is for, among those of what it rests on.
	Documents Documents
	Effective Period
	// DecidedBy is the day that decides whether the overlay, and a change of levels in it, is
	// in force; "" for the issue date.
	DecidedBy string
	Levels    []LevelChange
	// Rulesets are run in addition: "family/version" or "family".
	Rulesets []string
	// NotWith are overlays that it is never together with.
	NotWith []string
	SHA256  string

	File       string
	Parameters map[string]Located[string] // values that it sets
	Lists      []ListChange
	rules      *Ruleset // that it adds; nil for none
	mistakes   LoadErrors

	written map[string]*yaml.Node // the values of its keys

	over  []string // overlays that it decides over, and that apply with it
	above []string // these, and those that they are over
	depth int      // how many overlays one over the other it is over
}

// An OverlayBase is what an overlay rests on: any of these. The zero value is anything.
type OverlayBase struct {
	Profiles []string // ids; one that ends in * is the beginning of ids
	Rulesets []string // "family/version" or "family"
}

// IsEmpty reports whether the overlay rests on nothing in particular.
func (b *OverlayBase) IsEmpty() bool { return len(b.Profiles)+len(b.Rulesets) == 0 }

// FolderOfOverlays is the folder that has them.
const FolderOfOverlays = "overlays"

// ChangesRules reports whether the overlay does more than to change levels.
func (o *Overlay) ChangesRules() bool {
	return len(o.Parameters)+len(o.Lists)+len(o.Rulesets) > 0 || o.rules != nil
}

// Mistake is a mistake at one of the overlay's keys, at its beginning where it lacks the key.
func (o *Overlay) Mistake(key, format string, args ...any) LoadError {
	at := LoadError{File: o.File, Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)}
	if n := o.written[key]; n != nil {
		at.Line, at.Column = n.Line, n.Column
	}
	return at
}

// Unreached warns of documents that an overlay, or one of its changes of levels, is for, if no
// document can be one of them.
func (l *Library) Unreached(o *Overlay, profiles []*Profile) (warnings LoadErrors) {
	terms, all := knownTerms(profiles), o.condition(profiles)
	if _, ok := terms.Meet(all); !ok {
		return LoadErrors{o.Mistake("documents", "no document is one that the overlay is for: its documents, days and profiles exclude each other")}
	}
	for i := range o.Levels {
		c := &o.Levels[i]
		if _, ok := terms.Meet(all, c.condition()); !ok {
			warnings = append(warnings, c.Mistake("no document is one that this change is for: its documents and last day exclude those of the overlay"))
		}
	}
	return warnings
}

// restsOn reports whether what judges a document is what the overlay rests on.
func (b *OverlayBase) restsOn(j *Judged) bool {
	if b.IsEmpty() { // of a profile, which an entry of a job has none of
		return j.Document.Batch == nil
	}
	return j.Profile != nil && slices.ContainsFunc(b.Profiles, func(id string) bool { return Covers(id, j.Profile.ID) }) ||
		slices.ContainsFunc(b.Rulesets, func(ref string) bool {
			return slices.ContainsFunc(j.Rulesets, func(run string) bool { return sameRuleset(ref, run) })
		})
}

// sameRuleset compares "family" or "family/version"; a family alone is any of its versions.
func sameRuleset(a, b string) bool {
	familyA, versionA, _ := strings.Cut(a, "/")
	familyB, versionB, _ := strings.Cut(b, "/")
	return familyA == familyB && (versionA == "" || versionB == "" || versionA == versionB)
}

// leaves says why the overlay does not apply to a document; "" if it does.
func (o *Overlay) leaves(ctx context.Context, l *Library, j *Judged) (reason string, err error) {
	switch {
	case !o.On.restsOn(j):
		return "it rests on " + strings.Join(slices.Concat(o.On.Profiles, o.On.Rulesets), ", "), nil
	case !o.Effective.In(j.Days):
		return fmt.Sprintf("it is in force %s, and the day that decides is %s", o.Effective, j.Days.By(o.DecidedBy)), nil
	}
	return o.Documents.have(ctx, l, j)
}

// Overlay returns the overlay of that name.
func (l *Library) Overlay(name string) (*Overlay, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.overlay(name)
}

func (l *Library) overlay(name string) (*Overlay, error) {
	if o, ok := l.overlays[name]; ok {
		return o, o.mistakes.ErrOrNil()
	}
	o, err := l.readOverlay(name)
	if err != nil {
		return nil, err
	}
	l.overlays[name] = o
	o.placeOver(l)
	return o, o.mistakes.ErrOrNil()
}

// placeOver finds the overlays that this one is over. It is among the overlays of the
// library already, so that one that leads back to it is noticed.
func (o *Overlay) placeOver(l *Library) {
	fail := func(key, format string, args ...any) {
		o.mistakes = append(o.mistakes, o.Mistake(key, format, args...))
	}
	o.depth = -1 // until it is known
	deepest, restsItself := 0, !o.On.IsEmpty()
	ends := func() bool {
		if n := len(o.mistakes); n >= mostMistakes {
			fail("over", "the file has %d mistakes up to here: correct them, and check again", n)
			return true
		}
		return l.Ended() != nil
	}
	for _, name := range o.over {
		if ends() {
			return
		}
		if name == o.Name {
			fail("over", "overlay %s is over itself: name the overlay that it has priority over, or remove the key", name)
			continue
		}
		parent, err := l.overlay(name)
		switch {
		case parent == nil:
			fail("over", "over: %v; if another folder has it, name both, as in `--rulesets PARENT,SUBSIDIARY` or `rules check --over PARENT SUBSIDIARY`", err)
			continue
		case parent.depth < 0:
			fail("over", "overlay %s is over %s, which is over it: one of them decides, and the other has no key over", o.Name, name)
			continue
		case err != nil:
			fail("over", "overlay %s, which this one is over, has mistakes", name)
			continue
		}
		deepest = max(deepest, parent.depth+1)
		if !restsItself { // it rests on what those rest on
			o.On.Profiles, o.On.Rulesets = withMissing(o.On.Profiles, parent.On.Profiles), withMissing(o.On.Rulesets, parent.On.Rulesets)
		}
		o.above = withMissing(o.above, append([]string{name}, parent.above...))
		if slices.Contains(o.NotWith, name) {
			fail("notWith", "notWith names %s, which this overlay is over: they apply together, so remove it from one of the two", name)
		}
	}
	o.depth = deepest
	for _, name := range o.NotWith {
		if ends() {
			return
		}
		if name == o.Name {
			fail("notWith", "notWith names the overlay itself: name the overlays that it is never together with, or remove the key")
			continue
		}
		if _, err := fs.Stat(l.fsys, path.Join(FolderOfOverlays, name+".yaml")); err != nil {
			names, _ := l.OverlayNames()
			fail("notWith", "notWith names the overlay %s, which there is not%s", name, Suggest(name, names))
		}
	}
}

// withMissing are texts and those of others that are not among them.
func withMissing(texts, others []string) []string {
	for _, other := range others {
		if !slices.Contains(texts, other) {
			texts = append(texts, other)
		}
	}
	return texts
}

// Over are the overlays that this one decides over.
func (o *Overlay) Over() []string { return o.over }

// OverlayNames are the names of all overlays of the library, sorted.
func (l *Library) OverlayNames() ([]string, error) { return OverlaysIn(l.fsys) }

// OwnOverlays are the names of those in the upper of two folders, sorted: what a folder
// brings that is laid over the built-in one.
func (l *Library) OwnOverlays() ([]string, error) {
	own, _ := l.Own()
	return OverlaysIn(own)
}

// OverlaysIn are the names of the overlays in a folder.
func OverlaysIn(fsys fs.FS) ([]string, error) { return namesIn(fsys, FolderOfOverlays) }

// namesIn are the names of the YAML files in a folder of a library, in order.
func namesIn(fsys fs.FS, folder string) ([]string, error) {
	files, err := fs.Glob(fsys, folder+"/*.yaml")
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	slices.Sort(names)
	return names, nil
}

func (l *Library) readOverlay(name string) (*Overlay, error) {
	file := path.Join(FolderOfOverlays, name+".yaml")
	c, err := l.open(file)
	if err != nil {
		names, _ := l.OverlayNames()
		return nil, &NotFoundError{Kind: "overlay", Name: name, Known: names}
	}
	f := newRuleFile(c)
	o := &Overlay{Name: name, SHA256: c.digest, File: f.name}
	root := f.root()
	if root == nil {
		o.mistakes = f.errors
		return o, nil
	}
	o.read(f, root)
	o.addRules(l, f)
	o.mistakes = f.errors
	return o, nil
}

func (o *Overlay) read(f *ruleFile, root *yaml.Node) {
	named := ""
	o.written = map[string]*yaml.Node{}
	f.mapping(root, "an overlay", func(key string, value *yaml.Node) bool {
		o.written[key] = value
		switch key {
		case "overlay":
			if named = f.scalar(value); named != o.Name {
				f.fail(value, "the overlay calls itself %q; it must be named as its file", named)
			}
		case "title":
			o.Title = f.scalar(value)
		case "owner":
			o.Owner = f.scalar(value)
		case "source":
			o.Source = f.scalar(value)
		case "on":
			o.On = f.overlayBase(value)
		case "documents":
			o.Documents = f.documents(value)
		case "effective":
			o.Effective = f.period(value)
		case "decidedBy":
			o.DecidedBy = f.decidedBy(value)
		case "layer":
			f.readLayer(value)
		case "levels":
			o.Levels = f.levelChanges(value, true)
		case "parameters":
			o.Parameters = f.values(value, "parameters")
		case "codeLists":
			o.Lists = f.listChanges(value)
		case "rulesets":
			o.Rulesets = f.texts(value)
		case "over":
			o.over = f.names(value)
		case "notWith":
			o.NotWith = f.names(value)
		default:
			return f.readPart(key, value)
		}
		return true
	})
	if root.Kind != yaml.MappingNode {
		return
	}
	if decidedAt := o.written["decidedBy"]; decidedAt != nil && o.Effective == (Period{}) && !slices.ContainsFunc(o.Levels, func(c LevelChange) bool { return c.Until != "" }) {
		f.fail(decidedAt, "decidedBy says which day decides whether the overlay is in force, and it always is: give it effective or changes of levels with a last day, or remove decidedBy")
	}
	if o.Effective != (Period{}) {
		o.Effective.By = o.DecidedBy
	}
	if named == "" {
		f.fail(root, "the key \"overlay\" is missing: the name of the overlay, %s", o.Name)
	}
	if o.Title == "" {
		f.fail(root, "the overlay needs a title: what it is for, in a few words")
	}
	o.inheritByLevels(f)
}

// inheritByLevels gives changes of levels the owner and source of the overlay, and reports
// those that end up without what is demanded.
func (o *Overlay) inheritByLevels(f *ruleFile) {
	for i := range o.Levels {
		c := &o.Levels[i]
		c.decidedBy = o.DecidedBy
		if c.Owner == "" {
			c.Owner = o.Owner
		}
		if c.Source == "" {
			c.Source = o.Source
		}
		switch {
		case !c.whole:
		case c.Owner == "":
			f.fail(c.node, "the change of %s needs an owner, who answers for it: write it here, or at the top of the overlay", strings.Join(c.Rules, ", "))
		case c.Until == "" && c.Source == "":
			f.fail(c.node, "the change of %s is open and has no source: give it its last day, or say where it is published", strings.Join(c.Rules, ", "))
		}
	}
}

func (f *ruleFile) overlayBase(n *yaml.Node) (b OverlayBase) {
	known := f.mapping(n, "on", func(key string, value *yaml.Node) bool {
		switch key {
		case "profiles":
			b.Profiles = f.texts(value)
		case "rulesets":
			b.Rulesets = f.texts(value)
		default:
			return false
		}
		return true
	})
	if b.IsEmpty() && known && b.Profiles == nil && b.Rulesets == nil && n.Kind == yaml.MappingNode {
		f.fail(n, "on needs profiles, rulesets or both: what the overlay rests on")
	}
	return b
}

// values reads a mapping of names to texts.
func (f *ruleFile) values(n *yaml.Node, what string) map[string]Located[string] {
	out := map[string]Located[string]{}
	f.mapping(n, what, func(name string, value *yaml.Node) bool {
		out[name] = located(f.scalar(value), value)
		return true
	})
	return out
}

// addRules makes a ruleset of the rules in the file.
func (o *Overlay) addRules(l *Library, f *ruleFile) {
	if len(f.rules) == 0 {
		if len(f.constants) > 0 {
			f.errors = append(f.errors, LoadError{File: f.name, Line: 1, Column: 1, Message: "the overlay has constants and no rules that hold them"})
		}
		return
	}
	if f.layer == "" {
		f.layer = LayerCIUS
	}
	s := &Ruleset{Name: FolderOfOverlays, Version: o.Name, Layer: f.layer, Effective: o.Effective, SHA256: o.SHA256, ByID: map[string]*Rule{}, growth: growth{library: l}}
	f.errors = append(f.errors, s.own([]*ruleFile{f})...)
	giveCodes(f.rules, o.lookup(l))
	rules, failures := s.resolveAll(f.rules, nil)
	f.errors = append(f.errors, failures...)
	for _, r := range rules {
		r.Layer, r.Overlay = f.layer, o.Name
	}
	f.errors = append(f.errors, s.add(rules)...)
	if data := l.dataOf(s); data != "" {
		s.SHA256 = hexDigest([]byte(o.SHA256 + data))
	}
	o.rules = s
}

// rulesOfOverlay are the rules that an overlay adds, as a ruleset of its own.
func (l *Library) rulesOfOverlay(name string) (*Ruleset, error) {
	o, err := l.overlay(name)
	switch {
	case err != nil:
		return nil, err
	case o.rules == nil:
		return nil, fmt.Errorf("the overlay %s has no rules of its own", name)
	}
	return o.rules, nil
}

// Rules are those that the overlay adds, as a ruleset of its own; nil for none.
func (o *Overlay) Rules() *Ruleset { return o.rules }

// Concerns reports whether the overlay rests on one of some profiles or rulesets, which are
// "family/version", or on anything.
func (b *OverlayBase) Concerns(profiles, rulesets []string) bool {
	if b.IsEmpty() {
		return true
	}
	return slices.ContainsFunc(profiles, func(id string) bool {
		return slices.ContainsFunc(b.Profiles, func(of string) bool { return Covers(of, id) })
	}) || slices.ContainsFunc(rulesets, func(run string) bool {
		return slices.ContainsFunc(b.Rulesets, func(ref string) bool { return sameRuleset(ref, run) })
	})
}
