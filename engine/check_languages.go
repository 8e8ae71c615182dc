package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine/words"
)

// checkLanguages reads the files of all languages of the library's own folder, and
// compares them with what they translate: a file has all rules or findings of the one that
// it translates and no others, and shows the same values. What no file translates stays in
// English.
func (l *Library) checkLanguages(sets []*Ruleset, notices Notices) (failures LoadErrors) {
	own, _ := l.own()
	english := l.translatable(sets, notices)
	for _, tag := range words.Tags(own) {
		language, err := l.Language(tag)
		if err != nil {
			failures = append(failures, l.languageMistakes(path.Join(words.Folder, tag), err)...)
			continue
		}
		if err := language.Check(); err != nil {
			failures = append(failures, l.languageMistakes(path.Join(words.Folder, tag), err)...)
		}
		err = eachFile(own, func(name string) error {
			file, inside := strings.CutPrefix(name, path.Join(words.Folder, tag)+"/")
			if !inside || path.Ext(file) != ".yaml" || file == "language.yaml" || path.Dir(file) == "phrases" {
				return nil
			}
			failures = append(failures, l.checkTexts(language, file, english[file])...)
			return nil
		})
		if err != nil {
			failures = append(failures, LoadError{File: words.Folder, Message: err.Error()})
		}
	}
	return failures
}

// languageMistakes are the mistakes in files of a language.
func (l *Library) languageMistakes(folder string, err error) (failures LoadErrors) {
	if both, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range both.Unwrap() {
			failures = append(failures, l.languageMistakes(folder, one)...)
		}
		return failures
	}
	if mistake := new(words.FileError); errors.As(err, &mistake) {
		data, _ := fs.ReadFile(l.fsys, mistake.File) // it could be read before
		return yamlErrors(mistake.File, data, mistake.Err)
	}
	return mistakesIn(folder, err)
}

// An englishText is what a translation is compared with. Values are written as
// translations have them: {1}, {name}.
type englishText struct {
	message, text string
	cases         map[string]string // that a translation needs
	more          []string          // cases that a translation may have
}

// translatable is everything that a file of texts may translate, by file and id.
func (l *Library) translatable(sets []*Ruleset, notices Notices) map[string]map[string]englishText {
	all := map[string]map[string]englishText{tableWords: rowsInEnglish()}
	add := func(file, id string, t englishText) {
		if all[file] == nil {
			all[file] = map[string]englishText{}
		}
		all[file][id] = t
	}
	for _, s := range sets {
		for _, r := range s.Rules {
			if r.Row == nil && path.Dir(r.file) == s.Name+"/"+s.Version {
				add(r.file, r.ID, r.inEnglish())
			}
		}
	}
	for _, name := range l.overlayNames() {
		if o, err := l.Overlay(name); err == nil && o.rules != nil { // one that does not load is reported
			for _, r := range o.rules.Rules {
				if r.Row == nil {
					add(r.file, r.ID, r.inEnglish())
				}
			}
		}
	}
	for _, n := range notices {
		t := englishText{message: n.Message, text: n.Text}
		for name, c := range n.Cases {
			if t.cases == nil {
				t.cases = map[string]string{}
			}
			t.cases[name] = c.Message
		}
		add(n.file, n.ID, t)
	}
	return all
}

// overlayNames are the names of all overlays; none where they cannot be listed, which the
// check of the folder reports.
func (l *Library) overlayNames() []string {
	names, err := l.OverlayNames()
	if err != nil {
		return nil
	}
	return names
}

// rowsInEnglish are the words of tables.
func rowsInEnglish() map[string]englishText {
	all := map[string]englishText{}
	for kind, w := range rowWords {
		t := englishText{message: rowShape(w[1]), text: rowShape(w[0]), cases: map[string]string{"where": "{where}"}}
		if kind == RowCode {
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
func (r *Rule) inEnglish() englishText {
	t := englishText{message: numbered(r.Message.Value), text: r.Text}
	for i := range r.Variants {
		v := &r.Variants[i]
		if !v.Message.written() {
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
		before, expression, after, err := cutExpression(text)
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
func (l *Library) checkTexts(language *words.Language, file string, english map[string]englishText) (failures LoadErrors) {
	name := language.Path(file)
	fail := func(format string, args ...any) {
		failures = append(failures, LoadError{File: name, Message: fmt.Sprintf(format, args...)})
	}
	texts, err := language.Texts(file)
	if err != nil {
		return l.languageMistakes(name, err)
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
	for _, name := range slices.Sorted(maps.Keys(t.Cases)) {
		if _, known := english.cases[name]; !known && !slices.Contains(english.more, name) {
			mistakes = append(mistakes, fmt.Sprintf("there is no case %s", name))
		}
	}
	return mistakes
}

// valuesIn are the values and constants that a text shows, sorted, each once.
func valuesIn(text string) []string {
	names := words.Names(fillConstants(text, func(string) (string, bool) { return "", true }))
	slices.Sort(names)
	return slices.Compact(names)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no value"
	}
	return "{" + strings.Join(names, "}, {") + "}"
}
