package ruletest

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"einvoice/engine"
	"einvoice/model"
)

// CheckBases reports what is wrong with the documents that examples begin with: those of a folder, or of the upper one of two,
// that cannot be read, and those that examples of its rules name and that are not there. The examples are not run.
func CheckBases(l *engine.Library, read ReadDocument) (mistakes engine.LoadErrors, err error) {
	own, _ := l.Own()
	err = fs.WalkDir(own, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || engine.KindOf(name) != engine.FileOfInvoice {
			return err
		}
		if err := readBase(own, name, read); err != nil {
			mistakes = append(mistakes, mistakeIn(name, err))
		}
		return l.Ended()
	})
	if err != nil {
		return nil, err
	}
	sets, err := l.OwnRulesets()
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, s := range sets {
		for _, r := range l.OwnRules(s) {
			for i := range r.Examples() {
				e := &r.Examples()[i]
				file := beginningOf(r, e).file
				if _, known := there[file]; !known {
					_, err := fs.Stat(l.FS(), file)
					there[file] = err == nil
				}
				if !there[file] {
					mistakes = append(mistakes, engine.LoadError{File: r.File(), Line: e.Line(), Column: 1, Message: fmt.Sprintf("there is no document %s for an example of %s to begin with", file, r.ID)})
				}
			}
		}
	}
	return mistakes, nil
}

// readBase reads the file of a document that examples begin with.
func readBase(fsys fs.FS, name string, read ReadDocument) error {
	if path.Ext(name) == ".xml" {
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			_, err = read(data)
		}
		return err
	}
	into := model.ObjectOf(new(model.Invoice))
	base := strings.TrimSuffix(strings.TrimPrefix(name, folder), ".yaml")
	switch {
	case strings.HasPrefix(base, containers):
		into = model.ObjectOf(new(model.Container))
	case strings.HasPrefix(base, batches):
		into = model.ObjectOf(new(model.BatchEntry))
	}
	return readGroup(fsys, base, into)
}

// mistakeIn is an error about a file at the line that it names, or at the beginning.
func mistakeIn(name string, err error) engine.LoadError {
	e := engine.LoadError{File: name, Line: 1, Column: 1, Message: strings.TrimPrefix(strings.TrimPrefix(err.Error(), name+": "), "yaml: ")}
	place, rest, ok := strings.Cut(e.Message, ": ")
	if !ok {
		return e
	}
	if n, _ := fmt.Sscanf(place, "line %d, column %d", &e.Line, &e.Column); n > 0 {
		e.Message = rest
	}
	return e
}
