package engine

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"einvoice/engine/expr"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/reserve"
	"einvoice/model/syntax"
)

// A Library is a folder of rulesets: <family>/<version>/*.yaml, codelists/,
// profiles/. Files are read when they are first needed, so that opening costs
// nothing; lint.Check reads and checks all of them. A Library is safe for concurrent
// use and never changes: to see edited files, open a new one.
type Library struct {
	fsys   fs.FS
	env    *expr.Environment
	stores atomic.Pointer[[]func() *expr.Store] // of the rulesets that were read

	versions func() (map[string][]string, error) // read once
	until    atomic.Pointer[context.Context]     // ends checks; nil for none
	paid     atomic.Int64                        // bytes of memory that reading asked for
	refused  atomic.Pointer[error]               // why it got no more; nil where it did

	mu        sync.Mutex
	codeLists map[string]*CodeList
	rulesets  map[string]*loaded
	overlays  map[string]*Overlay
	composed  map[string]error   // of sets of overlays that were asked for
	decisions map[any]*Decisions // by *Ruleset or *Overlay
	profiles  []*Profile
	declared  map[string]*Profile // by each of their specification identifiers
	languages map[string]*words.Language
	tables    tablesOf
}

type loaded struct {
	ruleset *Ruleset
	err     error
}

// Reserved are the folders that hold no rules.
var Reserved = []string{FolderOfCodeLists, FolderOfProfiles, FolderOfOverlays, FolderOfTables, "schemas", "examples", "compiled", "findings", words.Folder}

// Open opens a folder of rulesets.
func Open(fsys fs.FS) (*Library, error) {
	if _, err := fs.Stat(fsys, "."); err != nil {
		return nil, fmt.Errorf("open rulesets: %w", err)
	}
	l := &Library{fsys: fsys, codeLists: map[string]*CodeList{}, rulesets: map[string]*loaded{}, overlays: map[string]*Overlay{}, composed: map[string]error{}, decisions: map[any]*Decisions{}}
	l.stores.Store(new([]func() *expr.Store))
	l.versions = sync.OnceValues(l.readVersions)
	l.env = l.newEnvironment(l.CodeList)
	return l, nil
}

// Until has checks of rules, and their examples, end with a context; [Library.Ended] is its error
// then, also for what was found until then and is not all. What it returns takes the context away,
// before anybody else has a Library that is kept.
func (l *Library) Until(ctx context.Context) (free func()) {
	before := l.until.Load()
	if ctx != nil {
		l.until.Store(&ctx)
	}
	return func() { l.until.Store(before) }
}

// Context is that of Until; one without an end where there is none.
func (l *Library) Context() context.Context {
	if ctx := l.until.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

// Ended is why reading and checks of rules are to end: the error of the context, or a
// *reserve.Refused where it grants no more memory. It is nil where they may go on.
func (l *Library) Ended() error {
	if refused := l.refused.Load(); refused != nil {
		return *refused
	}
	return l.Context().Err()
}

// pay asks whoever bounds the memory of the library's context for more, in bytes.
func (l *Library) pay(bytes int) error {
	err := reserve.AtOnce(l.Context(), "rules", l.paid.Add(int64(bytes)))
	if err != nil {
		l.refused.Store(&err)
	}
	return err
}

// FS is the folder that the library was opened on.
func (l *Library) FS() fs.FS { return l.fsys }

// Versions lists the versions of each family, oldest first. Nobody changes the lists.
func (l *Library) Versions() (map[string][]string, error) { return l.versions() }

func (l *Library) readVersions() (map[string][]string, error) {
	families, err := fs.ReadDir(l.fsys, ".")
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, family := range families {
		if !family.IsDir() || slices.Contains(Reserved, family.Name()) || strings.HasPrefix(family.Name(), ".") {
			continue
		}
		versions, err := fs.ReadDir(l.fsys, family.Name())
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			if !v.IsDir() {
				continue
			}
			is, err := l.looksLikeVersion(path.Join(family.Name(), v.Name()))
			if err != nil {
				return nil, err
			}
			if is {
				out[family.Name()] = append(out[family.Name()], v.Name())
			}
		}
		slices.SortFunc(out[family.Name()], compareVersions)
	}
	return out, nil
}

// looksLikeVersion reports whether a folder has a file in it that looks like one of rules. A folder
// of notes or scripts is no version. One whose rules are at the wrong place, or end in .yml, is
// one: to pass it over would leave its rules out in silence.
func (l *Library) looksLikeVersion(dir string) (found bool, err error) {
	err = fs.WalkDir(l.fsys, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".yaml", ".yml":
			if !d.IsDir() {
				found = true
				return fs.SkipAll
			}
		}
		return nil
	})
	return found, err
}

// compareVersions orders 1.3.9 before 1.3.16, and all variants, such as 1.09-minimum, before
// all versions: the newest of a family, its last, is a variant only where it has no version.
func compareVersions(a, b string) int {
	numberA, variantA, isA := strings.Cut(a, "-")
	numberB, variantB, isB := strings.Cut(b, "-")
	if isA != isB {
		if isA {
			return -1
		}
		return 1
	}
	return cmp.Or(compareNumbers(numberA, numberB), cmp.Compare(variantA, variantB))
}

// isVariant reports whether a version is a variant of another, as 1.09-minimum.
func isVariant(version string) bool { return strings.Contains(version, "-") }

func compareNumbers(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		c := cmp.Compare(x, y)
		if errX != nil || errY != nil {
			c = cmp.Compare(as[i], bs[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// Ruleset returns a version of a family, "en16931/1.3.16", or its newest,
// "en16931".
func (l *Library) Ruleset(ref string) (*Ruleset, error) {
	family, version, given := strings.Cut(ref, "/")
	if !given {
		versions, err := l.Versions()
		if err != nil {
			return nil, err
		}
		have := versions[family]
		if len(have) == 0 {
			return nil, noRuleset(family, versions)
		}
		version = have[len(have)-1]
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ruleset(family+"/"+version, nil)
}

// VersionAt is the newest version of a family that is in force on a day, as
// "family/version"; a variant only where the family has no version.
func (l *Library) VersionAt(family string, day Day) (string, error) {
	versions, err := l.Versions()
	if err != nil {
		return "", err
	}
	have := versions[family]
	if len(have) == 0 {
		return "", noRuleset(family, versions)
	}
	for _, version := range slices.Backward(have) {
		if isVariant(version) && !isVariant(have[len(have)-1]) {
			break // the versions come after the variants
		}
		s, err := l.Ruleset(family + "/" + version)
		if err != nil {
			return "", err
		}
		if s.Effective.Has(day) {
			return family + "/" + version, nil
		}
	}
	return "", &NotInForceError{Family: family, Day: day, Versions: have}
}

// A NotInForceError says that a family has no version for a day.
type NotInForceError struct {
	Family   string
	Day      Day
	Versions []string
}

func (e *NotInForceError) Error() string {
	return fmt.Sprintf("no version of the ruleset %s is in force on %s; there are %s", e.Family, e.Day, join(e.Versions))
}

// noVersion says that there is no version of that name.
func (l *Library) noVersion(ref string) error {
	family, version, _ := strings.Cut(ref, "/")
	versions, err := l.Versions()
	if err != nil {
		return err
	}
	have := versions[family]
	if len(have) == 0 {
		return noRuleset(family, versions)
	}
	if version == "" {
		return &NotFoundError{Kind: "ruleset", Name: ref, Known: have, says: fmt.Sprintf("the version of the ruleset %s is missing: write it too, as in %s/%s", family, family, have[len(have)-1])}
	}
	if slices.Contains(have, version) {
		return fmt.Errorf("the folder of the ruleset %s holds no .yaml file", ref)
	}
	return &NotFoundError{Kind: "ruleset", Name: ref, Known: have, says: fmt.Sprintf("there is no version %s of the ruleset %s; there are %s%s", version, family, join(have), Suggest(version, have))}
}

func noRuleset(family string, versions map[string][]string) error {
	return &NotFoundError{Kind: "ruleset", Name: family, Known: slices.Sorted(maps.Keys(versions))}
}

func (l *Library) ruleset(ref string, within []string) (*Ruleset, error) {
	if have, ok := l.rulesets[ref]; ok {
		return have.ruleset, have.err
	}
	if slices.Contains(within, ref) {
		return nil, fmt.Errorf("ruleset %s extends itself", ref)
	}
	s, err := l.readRuleset(ref, append(within, ref))
	if ended := l.Context().Err(); ended != nil {
		s, err = nil, ended // what was not read to its end has no mistakes to tell of
	}
	l.rulesets[ref] = &loaded{s, err}
	return s, err
}

func (l *Library) readRuleset(ref string, within []string) (*Ruleset, error) {
	family, version, _ := strings.Cut(ref, "/")
	if family == FolderOfOverlays {
		return l.rulesOfOverlay(version)
	}
	files, err := fs.Glob(l.fsys, path.Join(family, version, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, l.noVersion(ref)
	}
	l.addStore(family, version)
	slices.Sort(files)
	s := &Ruleset{Name: family, Version: version, ByID: map[string]*Rule{}, sources: map[string]*Source{}, growth: growth{library: l}}
	var failures LoadErrors
	var own []*Rule
	parsed, err := l.parseFiles(files)
	if err != nil {
		return nil, err
	}
	digest, err := l.digestFiles(parsed)
	if err != nil {
		return nil, err
	}
	for _, f := range parsed {
		failures = append(failures, f.errors...)
		failures = append(failures, s.take(f)...)
		giveCodes(f.rules, l.CodeList)
		own = append(own, f.rules...)
	}
	failures = append(failures, s.own(parsed)...)
	failures = append(failures, s.ownParameters(parsed)...)
	if s.Extends == "" {
		if len(s.without)+len(s.only)+len(s.levels) > 0 {
			failures = append(failures, LoadError{File: files[0], Line: 1, Column: 1, Message: "without, only and levels choose among the rules of the ruleset that this one extends, and there is no key extends"})
		}
		own, failures = s.resolveAll(own, failures)
	} else {
		base, err := l.ruleset(s.Extends, within)
		var inherited LoadErrors
		switch {
		case errors.As(err, &inherited):
			return nil, append(failures, inherited...)
		case err != nil:
			return nil, append(failures, extendsAt(parsed, err))
		default:
			io.WriteString(digest, base.SHA256)
			failures = append(failures, s.takeParameters(base)...)
			s.takeConstants(base)
			s.takeSources(base)
			own, failures = s.resolveAll(own, failures)
			failures = append(failures, s.inherit(base, files[0], own)...)
		}
	}
	failures = append(failures, s.add(own)...)
	io.WriteString(digest, l.dataOf(s))
	s.SHA256 = hex.EncodeToString(digest.Sum(nil))
	if err := failures.ErrOrNil(); err != nil {
		return nil, err
	}
	return s, nil
}

// extendsAt says at the key extends why the ruleset there cannot be taken over.
func extendsAt(files []*ruleFile, err error) LoadError {
	for _, f := range files {
		if f.extends.Value != "" {
			return f.extends.Mistake(f.name, err)
		}
	}
	return LoadError{Message: err.Error()}
}

// giveCodes lets rows find their codes.
func giveCodes(rules []*Rule, lists listLookup) {
	for _, r := range rules {
		if r.Row != nil {
			r.Row.readCodes(lists)
		}
	}
}

// parseFiles reads the files of a ruleset in parallel.
func (l *Library) parseFiles(names []string) ([]*ruleFile, error) {
	files := make([]*ruleFile, len(names))
	failures := make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			c, err := l.open(name)
			if err != nil {
				failures[i] = err
				return
			}
			files[i] = parseRuleFile(c)
		})
	}
	wait.Wait()
	return files, errors.Join(failures...)
}

// take adds what a file says of the ruleset, and checks that the file belongs to
// this folder.
func (s *Ruleset) take(f *ruleFile) (failures LoadErrors) {
	fail := func(format string, args ...any) {
		failures = append(failures, LoadError{File: f.name, Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)})
	}
	if f.ruleset != "" && f.ruleset != s.Name || f.version != "" && f.version != s.Version {
		fail("the file says %s/%s but is in the folder %s/%s", f.ruleset, f.version, s.Name, s.Version)
	}
	if s.Layer == "" {
		s.Layer = f.layer
	} else if f.layer != "" && f.layer != s.Layer {
		fail("the file is of layer %s, the other files of the folder of layer %s", f.layer, s.Layer)
	}
	if extends := f.extends.Value; extends != "" {
		if s.Extends != "" && s.Extends != extends {
			fail("the ruleset already extends %s", s.Extends)
		}
		s.Extends = extends
	}
	if f.source != nil {
		if s.sources[s.Name] != nil {
			fail("the source of the ruleset is already in another of its files")
		}
		s.sources[s.Name] = f.source
	}
	if f.effective != (Period{}) {
		if s.Effective != (Period{}) && s.Effective != f.effective {
			fail("the file is effective %s, another file of the folder %s", f.effective, s.Effective)
		}
		s.Effective = f.effective
	}
	for _, id := range f.without {
		prefix, inner, found := strings.Cut(id, ":")
		if !found || syntax.Named(prefix) == nil {
			s.without = append(s.without, id)
			continue
		}
		if s.withoutIn == nil {
			s.withoutIn = map[string][]model.Syntax{}
		}
		s.withoutIn[inner] = append(s.withoutIn[inner], model.Syntax(prefix))
	}
	s.Languages = append(s.Languages, f.languages...)
	s.WithoutExamples = cmp.Or(s.WithoutExamples, f.withoutExamples)
	s.only = append(s.only, f.only...)
	s.levels = append(s.levels, f.levels...)
	for _, r := range f.rules {
		r.Layer = f.layer
	}
	return failures
}

// inherit takes over the rules of the base: all, or those named in only, except
// those named in without and those that this version defines itself.
func (s *Ruleset) inherit(base *Ruleset, file string, own []*Rule) (failures LoadErrors) {
	left := map[string]bool{} // what is not taken over
	for _, id := range slices.Concat(s.without, s.only) {
		if _, ok := base.ByID[id]; !ok {
			failures = append(failures, LoadError{File: file, Line: 1, Column: 1, Message: fmt.Sprintf("without or only names rule %s, which %s does not have%s", id, s.Extends, Suggest(id, IdsOf(base)))})
		}
	}
	for id := range s.withoutIn {
		if _, ok := base.ByID[id]; !ok {
			failures = append(failures, LoadError{File: file, Line: 1, Column: 1, Message: fmt.Sprintf("without or only names rule %s, which %s does not have%s", id, s.Extends, Suggest(id, IdsOf(base)))})
		}
	}
	for _, id := range s.without {
		if slices.Contains(s.only, id) {
			failures = append(failures, LoadError{File: file, Line: 1, Column: 1, Message: fmt.Sprintf("without and only both name rule %s: is it taken over or not?", id)})
		}
	}
	if len(s.only) > 0 {
		for id := range base.ByID {
			left[id] = true
		}
		for _, id := range s.only {
			left[id] = false
		}
	}
	for _, id := range s.without {
		left[id] = true
	}
	for _, r := range own {
		left[r.ID] = true
	}
	failures = append(failures, s.checkLevels(base, left)...)
	for _, r := range base.Rules {
		if !left[r.ID] {
			r, failed := s.inherited(r, base)
			failures = append(failures, failed...)
			r = s.atLevel(r)
			r = s.notIn(r)
			s.Rules = append(s.Rules, r)
			s.ByID[r.ID] = r
		}
	}
	return failures
}

// notIn is a rule that is not taken over in some syntaxes without its forms there.
func (s *Ruleset) notIn(r *Rule) *Rule {
	left := s.withoutIn[r.ID]
	if len(left) == 0 {
		return r
	}
	r = r.Clone()
	for _, of := range left {
		r.Variants = slices.Insert(r.Variants, 0, Variant{Syntax: of})
	}
	if all := r.examples; all != nil {
		r.examples = func() []Example {
			return slices.DeleteFunc(slices.Clone(all()), func(e Example) bool { return slices.Contains(left, e.Syntax) })
		}
	}
	return r
}

func (s *Ruleset) add(rules []*Rule) (failures LoadErrors) {
	for _, r := range rules {
		if other, ok := s.ByID[r.ID]; ok {
			failures = append(failures, LoadError{File: r.file, Line: r.Node.Line, Column: r.Node.Column,
				Message: fmt.Sprintf("rule %s is defined twice, first at %s:%d", r.ID, other.file, other.Node.Line)})
			continue
		}
		s.ByID[r.ID] = r
		s.Rules = append(s.Rules, r)
	}
	return failures
}
