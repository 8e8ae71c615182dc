package authoring

import (
	"errors"
	"regexp"
	"strings"

	"einvoice/engine"
	"einvoice/engine/lint"
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

// A Fix corrects a mistake by replacing its range.
type Fix struct{ Title, Text string }

// Check finds all mistakes and warnings of the workspace, by file, as rules check does. A
// mistake that is in no line is at the first.
func (w *Workspace) Check() (map[string][]Mistake, error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	all := map[string][]Mistake{}
	err = validate.CheckLibrary(library, false)
	var mistakes, warnings engine.LoadErrors
	if err != nil && !errors.As(err, &mistakes) {
		return nil, err
	}
	if err == nil {
		mistakes = lint.CheckTerms(library, engine.Today())
		if warnings, err = lint.Warnings(library); err != nil {
			return nil, err
		}
	}
	for _, m := range mistakes {
		all[m.File] = append(all[m.File], w.mistake(m))
	}
	for _, m := range warnings {
		warning := w.mistake(m)
		warning.Warning = true
		all[m.File] = append(all[m.File], warning)
	}
	return all, nil
}

func (w *Workspace) mistake(e engine.LoadError) Mistake {
	m := Mistake{File: e.File, Message: e.Message, Range: Range{max(e.Line, 1), max(e.Column, 1), 0}}
	at := wordAt(lineOf(w.Text(e.File), m.Line), m.Column)
	if e.Column > 0 && at.End > at.Column {
		m.Column, m.End = at.Column, at.End
	} else {
		m.End = m.Column + 1
	}
	m.Fixes = fixes(e, at)
	return m
}

var (
	suggested = regexp.MustCompile(`did you mean ([^\s?]+)\?`)
	offered   = regexp.MustCompile(`use one of ([\w:., -]+)$`)
)

// mostFixes is how many corrections are offered for one mistake.
const mostFixes = 6

// fixes are the corrections that a message suggests for the word that it is about.
func fixes(e engine.LoadError, at word) []Fix {
	var names []string
	switch {
	case suggested.MatchString(e.Message):
		names = []string{suggested.FindStringSubmatch(e.Message)[1]}
	case offered.MatchString(e.Message):
		names = strings.Split(offered.FindStringSubmatch(e.Message)[1], ", ")
	}
	var all []Fix
	for _, name := range names[:min(len(names), mostFixes)] {
		text := name
		if dot := strings.LastIndexByte(at.text, '.'); dot >= 0 && !strings.Contains(name, ".") {
			text = at.text[:dot+1] + name // the mistake is in the last step of a path
		}
		all = append(all, Fix{"Write " + name, text})
	}
	return all
}
