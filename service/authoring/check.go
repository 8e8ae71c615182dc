package authoring

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/engine/words"
	"einvoice/model/nearest"
	"einvoice/model/pattern"
	"einvoice/service/validate"
)

// A Range is part of a line of a text. Lines and columns count from 1, columns in
// characters; End is behind the last one.
type Range struct{ Line, Column, End int }

// A Mistake is one in a file.
type Mistake struct {
	File string
	Range
	Message string
	Warning bool // it does not keep the rules from being used
	Fixes   []Fix
}

// A Fix may correct a mistake by replacing its range; Workspace.Proven returns those that do.
type Fix struct{ Title, Text string }

// In returns the mistake in a language; nil is English. Corrections are called there as in it.
func (m Mistake) In(language *words.Language) Mistake {
	m.Message, m.Fixes = language.Say(m.Message), slices.Clone(m.Fixes)
	for i := range m.Fixes {
		m.Fixes[i] = m.Fixes[i].In(language)
	}
	return m
}

// In returns the correction with its title in a language; nil is English.
func (f Fix) In(language *words.Language) Fix {
	if said := language.Say("Write {name}"); language != nil {
		f.Title = words.Fill(said, func(string) (string, bool) { return f.Text, true })
	}
	return f
}

// A checked is what a check of a library found.
type checked struct {
	library  *engine.Library
	mistakes map[string][]Mistake
}

// Check finds all mistakes and warnings of the workspace, by file, as rules check does. A
// mistake that is in no line is at the first. Nobody changes what it returns: the next call
// returns the same until a text changes.
func (w *Workspace) Check() (map[string][]Mistake, error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	last := w.checked
	w.mu.Unlock()
	if last != nil && last.library == library {
		return last.mistakes, nil
	}
	found, err := w.check(library)
	if err == nil && library.Ended() == nil {
		w.mu.Lock()
		w.checked = &checked{library, found}
		w.mu.Unlock()
	}
	return found, err
}

func (w *Workspace) check(library *engine.Library) (map[string][]Mistake, error) {
	all := map[string][]Mistake{}
	err := validate.CheckLibrary(library, false)
	var mistakes, warnings engine.LoadErrors
	if err != nil && !errors.As(err, &mistakes) {
		return nil, err
	}
	if err == nil {
		mistakes = lint.CheckTerms(library, engine.Today())
		if warnings, err = validate.Warnings(library); err != nil {
			return nil, err
		}
	}
	lines := map[string][]string{} // of files, each of which may have thousands of mistakes
	mistake := func(m engine.LoadError) Mistake {
		if _, known := lines[m.File]; !known {
			lines[m.File] = strings.Split(w.Text(m.File), "\n")
		}
		return mistakeIn(lines[m.File], m)
	}
	for _, m := range mistakes {
		all[m.File] = append(all[m.File], mistake(m))
	}
	for _, m := range warnings {
		warning := mistake(m)
		warning.Warning = true
		all[m.File] = append(all[m.File], warning)
	}
	return all, nil
}

// longestLine bounds the lines, in bytes, whose words are looked at: each mistake looks at all of its
// line, and there may be a thousand in one.
const longestLine = 4096

// mistakeIn is a mistake in a file of these lines.
func mistakeIn(lines []string, e engine.LoadError) Mistake {
	m := Mistake{File: e.File, Message: e.Message, Range: Range{max(e.Line, 1), max(e.Column, 1), 0}}
	line := ""
	if m.Line <= len(lines) {
		line = strings.TrimSuffix(lines[m.Line-1], "\r")
	}
	if len(line) > longestLine {
		line = ""
	}
	at := wordAt(line, m.Column)
	if e.Column > 0 && at.End > at.Column {
		m.Column, m.End = at.Column, at.End
	} else {
		m.End = m.Column + 1
	}
	if names := suggestedIn(e.Message); names != nil {
		if at, found := wrongWord(line, e, names); found {
			m.Column, m.End = at.Column, at.End
			for _, name := range names[:min(len(names), mostFixes)] {
				m.Fixes = append(m.Fixes, Fix{"Write " + name, name})
			}
		}
	}
	return m
}

var (
	suggested = pattern.Later(`did you mean ([^\s?]+)\?`)
	offered   = pattern.Later(`use one of ([\w:., -]+)$`)
	names     = pattern.Later(`[\p{L}_][\p{L}\p{N}_:*-]*`)
)

// mostFixes is how many corrections are offered for one mistake.
const mostFixes = 6

// suggestedIn are the names that a message suggests.
func suggestedIn(message string) []string {
	if m := suggested().FindStringSubmatch(message); m != nil {
		return m[1:]
	}
	if m := offered().FindStringSubmatch(message); m != nil {
		return strings.Split(m[1], ", ")
	}
	return nil
}

// wrongWord is the word of a line that a message is about: the message names it, and it is none
// of those that are suggested; of several the one nearest to where the mistake is.
func wrongWord(line string, e engine.LoadError, suggestions []string) (at word, found bool) {
	told := map[string]bool{}
	for _, name := range names().FindAllString(suggested().ReplaceAllString(offered().ReplaceAllString(e.Message, ""), ""), -1) {
		told[strings.TrimRight(name, ":")] = true
	}
	for _, i := range names().FindAllStringIndex(line, -1) {
		text := strings.TrimRight(line[i[0]:i[1]], ":")
		start := len([]rune(line[:i[0]])) + 1
		w := word{start, start + len([]rune(text)), text}
		if !told[text] || slices.Contains(suggestions, text) || len(suggestions) == 1 && nearest.Of(text, suggestions) == "" {
			continue
		}
		if !found || distance(w, e.Column) < distance(at, e.Column) {
			at, found = w, true
		}
	}
	return at, found
}

// distance is how far a word is from a column.
func distance(w word, column int) int {
	switch {
	case column < w.Column:
		return w.Column - column
	case column >= w.End:
		return column - w.End + 1
	}
	return 0
}

// Proven are the corrections of a mistake after which it is gone and its line has no other: each
// is applied and the folder is checked again. One that is not is not offered.
func (w *Workspace) Proven(m Mistake) (proven []Fix) {
	if len(m.Fixes) == 0 {
		return nil
	}
	before, err := w.Check()
	if err != nil {
		return nil
	}
	known := map[string]bool{}
	for _, other := range before[m.File] {
		known[other.Message] = known[other.Message] || other.Message != m.Message
	}
	for _, fix := range m.Fixes {
		trial := w.with(m.File, m.Range.replace(w.Text(m.File), fix.Text))
		after, err := trial.Check()
		if err == nil && !slices.ContainsFunc(after[m.File], func(other Mistake) bool {
			return !other.Warning && other.Line == m.Line && !known[other.Message]
		}) {
			proven = append(proven, fix)
		}
	}
	return proven
}

// with is the workspace with another text in place of a file.
func (w *Workspace) with(name, text string) *Workspace {
	w.mu.Lock()
	defer w.mu.Unlock()
	trial := Open(w.own, w.base)
	trial.until = w.until
	trial.open = maps.Clone(w.open)
	trial.open[name] = text
	return trial
}

// replace is a text with another in place of the range.
func (r Range) replace(text, by string) string {
	lines := strings.Split(text, "\n")
	if r.Line > len(lines) {
		return text
	}
	runes := []rune(lines[r.Line-1])
	from, to := min(r.Column-1, len(runes)), min(r.End-1, len(runes))
	lines[r.Line-1] = string(runes[:from]) + by + string(runes[max(from, to):])
	return strings.Join(lines, "\n")
}
