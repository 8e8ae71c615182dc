package lint

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
)

// Files of phrases that translate the names of terms, and what rules and overlays say of
// themselves: why a syntax has another form, a level is changed, a rule never fires; the
// clauses of rules and the titles of overlays.
const (
	termWords   = "phrases/terms.yaml"
	reasonWords = "phrases/reasons.yaml"
)

// A reason is a sentence of a rule or an overlay that is not a message or text: why something is
// so, and the clause or title that it is from.
type reason struct {
	of   string // the rule or overlay
	file string
	text string
}

// checkWords compares the names of terms and the reasons with a language's phrases for
// them: those that translate nothing, and where it is to be complete, what is missing.
func checkWords(l *engine.Library, language *words.Language, complete bool) (failures engine.LoadErrors) {
	own, _ := l.Own()
	names := namedFields()
	var reasons []reason // all rulesets are loaded for them
	if complete || isIn(own, language.Path(reasonWords)) {
		reasons = allReasons(l)
	}
	failures = append(needlessWords(own, language, termWords, "no term has this name", func(english string) bool {
		return slices.ContainsFunc(names, func(f *model.Field) bool { return f.Term == english })
	}), needlessWords(own, language, reasonWords, "no rule or overlay gives this reason", func(english string) bool {
		return slices.ContainsFunc(reasons, func(r reason) bool { return r.text == english })
	})...)
	if complete {
		failures = slices.Concat(failures, missingNames(own, language, names), missingReasons(own, language, reasons), missingConstants(l, own, language))
	}
	return failures
}

// needlessWords are the phrases of a file that translate nothing.
func needlessWords(own fs.FS, language *words.Language, file, why string, isKnown func(string) bool) (failures engine.LoadErrors) {
	if !isIn(own, language.Path(file)) {
		return nil
	}
	phrases, err := language.Phrases(file)
	if err != nil {
		return nil // reported with all phrases
	}
	for _, english := range slices.Sorted(maps.Keys(phrases)) {
		if !isKnown(english) {
			failures = append(failures, engine.LoadError{File: language.Path(file), Message: fmt.Sprintf("%s: %q", why, english)})
		}
	}
	return failures
}

// missingNames are the names of terms that a library lacks which has the file for them.
func missingNames(own fs.FS, language *words.Language, names []*model.Field) (failures engine.LoadErrors) {
	if !isIn(own, language.Path(termWords)) {
		return nil
	}
	for _, f := range names {
		if !language.Has(f.Term) {
			failures = append(failures, engine.LoadError{File: language.Path(termWords), Message: fmt.Sprintf("the name of %s is not translated: %q", cmp.Or(f.BT, f.Name), f.Term)})
		}
	}
	return failures
}

// missingReasons are those of the library's own rules and overlays, each once, that a library
// lacks which has phrases of its own in the language.
func missingReasons(own fs.FS, language *words.Language, reasons []reason) (failures engine.LoadErrors) {
	if files, err := fs.Glob(own, language.Path("phrases/*.yaml")); err != nil || len(files) == 0 {
		return nil
	}
	told := map[string]bool{}
	for _, r := range reasons {
		if isIn(own, r.file) && !told[r.text] && !language.Has(r.text) {
			told[r.text] = true
			failures = append(failures, engine.LoadError{File: language.Path(reasonWords), Message: fmt.Sprintf("%s: the reason is not translated: %q", r.of, r.text)})
		}
	}
	return failures
}

// missingConstants are those that translations show and that are words rather than names,
// where the language does not have them. A version that takes a rule over may have another
// constant.
func missingConstants(l *engine.Library, own fs.FS, language *words.Language) (failures engine.LoadErrors) {
	told := map[string]bool{}
	eachRuleset(l, func(s *engine.Ruleset) {
		for _, r := range s.Rules {
			if r.Row != nil || !isIn(own, language.Path(r.File())) {
				continue
			}
			t, found, err := language.Text(r.File(), r.ID)
			if err != nil || !found {
				continue // reported with the file
			}
			for _, value := range wordsIn(t, r.Constants) {
				if !told[value] && !language.Has(value) {
					told[value] = true
					failures = append(failures, engine.LoadError{File: language.Path(r.File()), Message: fmt.Sprintf("%s: the constant that it shows is in no file of phrases: %q", r.ID, value)})
				}
			}
		}
	})
	return failures
}

// wordsIn are the constants that a translation shows and that are words rather than a name.
func wordsIn(t *words.Text, constants map[string]string) (shown []string) {
	for _, text := range append(slices.Collect(maps.Values(t.Cases)), t.Message, t.Text) {
		engine.FillConstants(text, func(name string) (string, bool) {
			if value := constants[name]; strings.Contains(value, " ") && !slices.Contains(shown, value) {
				shown = append(shown, value)
			}
			return "", true
		})
	}
	slices.Sort(shown)
	return shown
}

// reasons are those of all rules and overlays; what does not load has none.
func allReasons(l *engine.Library) (all []reason) {
	eachRuleset(l, func(s *engine.Ruleset) {
		for _, r := range s.Rules {
			for i := range r.Variants {
				all = append(all, reason{r.ID, r.File(), r.Variants[i].Reason})
			}
			all = append(all, reason{r.ID, r.File(), r.NeverFires})
			if source := s.SourceOf(r); source != nil {
				all = append(all, reason{r.ID, r.File(), source.Clause})
			}
		}
	})
	names, _ := l.OverlayNames()
	for _, name := range names {
		if o, err := l.Overlay(name); err == nil {
			all = append(all, reason{"overlay " + name, o.File, o.Title})
			for i := range o.Levels {
				all = append(all, reason{"overlay " + name, o.File, o.Levels[i].Reason})
			}
		}
	}
	return slices.DeleteFunc(all, func(r reason) bool { return r.text == "" })
}

// eachRuleset does something with all versions of all families, and with the rules that
// overlays add; what does not load is reported elsewhere. It ends with the checks of the library.
func eachRuleset(l *engine.Library, do func(*engine.Ruleset)) {
	refs, _ := allVersions(l)
	for _, ref := range refs {
		if l.Ended() != nil {
			return
		}
		if s, err := l.Ruleset(ref); err == nil {
			do(s)
		}
	}
	names, _ := l.OverlayNames()
	for _, name := range names {
		if l.Ended() != nil {
			return
		}
		if o, err := l.Overlay(name); err == nil && o.Rules() != nil {
			do(o.Rules())
		}
	}
}

// namedFields are the terms, groups and other fields that rules can reach and that have a
// name, one for each name.
func namedFields() (all []*model.Field) {
	seen := map[string]bool{"": true}
	for _, t := range engine.ModelTypes() {
		for i := range t.Fields {
			if f := &t.Fields[i]; !seen[f.Term] {
				seen[f.Term] = true
				all = append(all, f)
			}
		}
	}
	return all
}
