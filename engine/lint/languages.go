package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
)

// checkLanguages reads the files of all languages of the library's own folder, and
// compares them with what they translate: a file has no other rules or findings than the
// one that it translates, where it is to be complete all of them, and shows the same
// values. What is not translated stays in English.
func checkLanguages(l *engine.Library, notices engine.Notices, complete bool) (failures engine.LoadErrors) {
	own, _ := l.Own()
	for _, tag := range words.Tags(own) {
		language, err := l.LanguageOf(tag)
		if err != nil {
			failures = append(failures, languageMistakes(l, path.Join(words.Folder, tag), err)...)
			continue
		}
		if err := language.Check(); err != nil {
			failures = append(failures, languageMistakes(l, path.Join(words.Folder, tag), err)...)
		} else {
			failures = append(failures, checkWords(l, language, complete)...)
		}
		err = engine.EachFile(own, func(name string) error {
			file, inside := strings.CutPrefix(name, path.Join(words.Folder, tag)+"/")
			if !inside || path.Ext(file) != ".yaml" || file == "language.yaml" || path.Dir(file) == "phrases" {
				return nil
			}
			if isIn(own, file) && !loads(l, file) {
				return nil // what it translates is reported itself
			}
			failures = append(failures, checkTexts(l, language, file, translatable(l, file, notices), complete)...)
			return nil
		})
		if err != nil {
			failures = append(failures, engine.LoadError{File: words.Folder, Message: err.Error()})
		}
	}
	return append(failures, checkPromised(l, own, notices)...)
}

// checkPromised sees that every rule of a ruleset has a text in each language that the ruleset
// says to be in.
func checkPromised(l *engine.Library, own fs.FS, notices engine.Notices) (failures engine.LoadErrors) {
	eachRuleset(l, func(s *engine.Ruleset) {
		for _, tag := range s.Languages {
			if l.Ended() != nil {
				return
			}
			language, err := l.LanguageOf(tag)
			if err != nil {
				failures = append(failures, engine.LoadError{File: path.Join(s.Name, s.Version), Message: "languages: " + err.Error()})
			}
			if language == nil { // English is in the rules
				continue
			}
			for _, file := range ownFiles(s) {
				if isIn(own, file) {
					failures = append(failures, checkTexts(l, language, file, translatable(l, file, notices), true)...)
				}
			}
		}
	})
	return failures
}

// ownFiles are the files with rules of a version, without those that it takes over.
func ownFiles(s *engine.Ruleset) (files []string) {
	for _, r := range s.Rules {
		if file := r.File(); path.Dir(file) == path.Join(s.Name, s.Version) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// languageMistakes are the mistakes in files of a language.
func languageMistakes(l *engine.Library, folder string, err error) (failures engine.LoadErrors) {
	if both, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range both.Unwrap() {
			failures = append(failures, languageMistakes(l, folder, one)...)
		}
		return failures
	}
	if mistake := new(words.FileError); errors.As(err, &mistake) {
		data, _ := fs.ReadFile(l.FS(), mistake.File) // for the columns; it was read before
		return engine.YamlErrors(mistake.File, data, mistake.Err)
	}
	return engine.MistakesIn(folder, err)
}

// An englishText is what a translation is compared with. Values are written as
// translations have them: {1}, {name}.
type englishText struct {
	message, text string
	cases         map[string]string // that a translation needs
	more          []string          // cases that a translation may have
	constants     map[string]string // those that ${name} may name
}

// translatable is what a file of texts may translate of a file of the library, by id; nil
// for a file that has nothing of the kind.
func translatable(l *engine.Library, file string, notices engine.Notices) map[string]englishText {
	all := map[string]englishText{}
	switch dir := path.Dir(file); {
	case file == engine.TableWords:
		return rowsInEnglish()
	case dir == "findings":
		for _, n := range notices {
			if n.File == file {
				all[n.ID] = noticeInEnglish(n)
			}
		}
	default:
		for _, r := range rulesOf(l, dir, strings.TrimSuffix(path.Base(file), ".yaml")) {
			if r.Row == nil && r.File() == file {
				all[r.ID] = ruleInEnglish(r)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// loads reports whether a file of rules can be read, with its version or as an overlay; so is any
// other file.
func loads(l *engine.Library, file string) bool {
	dir := path.Dir(file)
	switch {
	case dir == engine.FolderOfOverlays:
		_, err := l.Overlay(strings.TrimSuffix(path.Base(file), ".yaml"))
		return err == nil
	case strings.Count(file, "/") == 2:
		_, err := l.Ruleset(dir)
		return err == nil
	}
	return true
}

// rulesOf are the rules of a version, or of an overlay; none where it does not load, which
// is reported with it.
func rulesOf(l *engine.Library, dir, name string) []*engine.Rule {
	if dir == engine.FolderOfOverlays {
		if o, err := l.Overlay(name); err == nil && o.Rules() != nil {
			return o.Rules().Rules
		}
		return nil
	}
	if s, err := l.Ruleset(dir); err == nil {
		return s.Rules
	}
	return nil
}

// inEnglish is a finding of the program as translations are compared with it.
func noticeInEnglish(n *engine.Notice) englishText {
	t := englishText{message: n.Message, text: n.Text}
	for name, c := range n.Cases {
		if t.cases == nil {
			t.cases = map[string]string{}
		}
		t.cases[name] = c.Message
	}
	return t
}

// rowsInEnglish are the words of tables.
func rowsInEnglish() map[string]englishText {
	all := map[string]englishText{}
	for kind, w := range engine.RowWords {
		t := englishText{message: rowShape(w[1]), text: rowShape(w[0]), cases: map[string]string{"where": "{where}"}}
		if kind == engine.RowCode {
			t.message = "{code} " + t.message
			t.cases["or"], t.cases["list"] = "", "{list}"
		}
		all[string(kind)] = t
	}
	return all
}

func rowShape(format string) string {
	return strings.NewReplacer("%[1]s", "{path}", "%[2]s", "{where}", "%[3]s", "{codes}").Replace(format)
}

// inEnglish is a rule as translations are compared with it.
func ruleInEnglish(r *engine.Rule) englishText {
	t := englishText{message: numbered(r.Message.Value), text: r.Text, constants: r.Constants}
	for i := range r.Variants {
		v := &r.Variants[i]
		if !v.Message.Written() {
			continue
		}
		t.more = append(t.more, string(v.Syntax))
		if own := numbered(v.Message.Value); own != t.message {
			if t.cases == nil {
				t.cases = map[string]string{}
			}
			t.cases[string(v.Syntax)] = own
		}
	}
	return t
}

// numbered is a message with {1}, {2} ... in place of its expressions.
func numbered(text string) string {
	var b strings.Builder
	for n := 1; text != ""; {
		before, expression, after, err := engine.CutExpression(text)
		b.WriteString(before)
		if err != nil {
			break
		}
		if expression != "" {
			b.WriteString("{" + strconv.Itoa(n) + "}")
			n++
		}
		text = after
	}
	return b.String()
}

// checkTexts compares a file of texts with what it translates.
func checkTexts(l *engine.Library, language *words.Language, file string, english map[string]englishText, complete bool) (failures engine.LoadErrors) {
	name := language.Path(file)
	fail := func(format string, args ...any) {
		failures = append(failures, engine.LoadError{File: name, Message: fmt.Sprintf(format, args...)})
	}
	texts, err := language.Texts(file)
	if err != nil {
		return languageMistakes(l, name, err)
	}
	if english == nil {
		fail("this file translates %s, and there is no such file, or nothing in it can be translated", file)
		return failures
	}
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		if _, known := english[id]; !known {
			fail("%s does not have %s", file, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(english)) {
		t, translated := texts[id]
		if !translated && !complete {
			continue // it stays in English
		}
		if !translated {
			fail("%s is not translated: %q", id, english[id].message)
			continue
		}
		for _, mistake := range compareText(english[id], t) {
			fail("%s: %s", id, mistake)
		}
	}
	return failures
}

// compareText says what a translation lacks, or has and must not have.
func compareText(english englishText, t *words.Text) (mistakes []string) {
	compare := func(what, from, to string) {
		switch wanted, has := valuesIn(from), valuesIn(to); {
		case (from == "") != (to == ""):
			mistakes = append(mistakes, fmt.Sprintf("%s is missing in English or in the translation; English has %q", what, from))
		case !slices.Equal(wanted, has):
			mistakes = append(mistakes, fmt.Sprintf("%s shows %s, and English shows %s: %q", what, listed(has), listed(wanted), from))
		}
	}
	compare("message", english.message, t.Message)
	compare("text", english.text, t.Text)
	for _, name := range slices.Sorted(maps.Keys(english.cases)) {
		translated, has := t.Cases[name]
		if !has {
			mistakes = append(mistakes, fmt.Sprintf("the case %s is not translated: %q", name, english.cases[name]))
		} else if english.cases[name] != "" {
			compare("case "+name, english.cases[name], translated)
		}
	}
	for _, name := range constantsWithoutValue(t, english.constants) {
		mistakes = append(mistakes, fmt.Sprintf("nothing gives ${%s} a value, so readers would see the name: write a constant of the rule's file, or what is meant%s", name, engine.Suggest(name, slices.Sorted(maps.Keys(english.constants)))))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Cases)) {
		if _, known := english.cases[name]; !known && !slices.Contains(english.more, name) {
			mistakes = append(mistakes, fmt.Sprintf("there is no case %s", name))
		}
	}
	return mistakes
}

// constantsWithoutValue are the names, in a translation, of constants that there are not.
func constantsWithoutValue(t *words.Text, constants map[string]string) (names []string) {
	for _, text := range append(slices.Collect(maps.Values(t.Cases)), t.Message, t.Text) {
		engine.FillConstants(text, func(name string) (string, bool) {
			if _, known := constants[name]; !known {
				names = append(names, name)
			}
			return "", true
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// valuesIn are the values and constants that a text shows, sorted, each once.
func valuesIn(text string) []string {
	names := words.Names(engine.FillConstants(text, func(string) (string, bool) { return "", true }))
	slices.Sort(names)
	return slices.Compact(names)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no value"
	}
	return "{" + strings.Join(names, "}, {") + "}"
}
