package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"einvoice/engine/words"
)

// A Mistake is a mistake in files of rules.
type Mistake struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`   // from 1; 0 for the file as a whole
	Column  int    `json:"column,omitempty"` // from 1
	Level   string `json:"level"`            // error, warning or note
	Rule    string `json:"rule,omitempty"`   // whose example it is
	Message string `json:"message"`
}

// The levels of mistakes, as SARIF has them. Warnings and notes alone leave rules as they are;
// a note is no mistake.
const (
	MistakeError   = "error"
	MistakeWarning = "warning"
	MistakeNote    = "note"
)

// MistakeFormats are the forms in which mistakes are written.
var MistakeFormats = []string{"text", "json", "sarif"}

// String returns the mistake on a line, with its place first, as editors read it.
func (m *Mistake) String() string {
	at := m.File
	if m.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, m.Line)
	}
	if m.Column > 0 {
		at = fmt.Sprintf("%s:%d", at, m.Column)
	}
	if m.Level != MistakeError {
		at += ": " + m.Level
	}
	if m.Rule != "" {
		at += ": " + m.Rule
	}
	return at + ": " + m.Message
}

// WriteMistakes writes mistakes in one of MistakeFormats; any other format is text. Their
// files are in the folder dir, their messages are told in a language; nil is English. The summary
// is about all of them: a line for text, any value for JSON. An error is one of writing.
func WriteMistakes(w io.Writer, format, dir string, mistakes []Mistake, summary any, version string, language *words.Language) error {
	if w == nil {
		return errors.New("there is nowhere to write the mistakes to")
	}
	mistakes = slices.Clone(mistakes)
	for i := range mistakes {
		mistakes[i].Message = language.Say(mistakes[i].Message)
	}
	switch format {
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		if mistakes == nil {
			mistakes = []Mistake{}
		}
		return encoder.Encode(map[string]any{"mistakes": mistakes, "summary": summary})
	case "sarif":
		return sarifOfMistakes(w, dir, mistakes, version)
	}
	for i := range mistakes {
		if _, err := fmt.Fprintln(w, mistakes[i].String()); err != nil {
			return err
		}
	}
	return nil
}

func sarifOfMistakes(w io.Writer, dir string, mistakes []Mistake, version string) error {
	s := newSARIF(w, Options{Version: version}).(*sarifWriter)
	s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, sarifRule{
		ID: "rules", FullDescription: sarifText{"Files of rules can be loaded, say what they mean, and do what their examples say."}, DefaultConfiguration: sarifLevel{MistakeError},
	})
	for i := range mistakes {
		m := &mistakes[i]
		at := sarifLocation{Physical: sarifPhysical{Artifact: sarifURIOf(path.Join(dir, m.File))}}
		if m.Line > 0 {
			at.Physical.Region = &sarifRegion{StartLine: m.Line, StartColumn: max(m.Column, 1)}
		}
		text := m.Message
		if m.Rule != "" {
			text = m.Rule + ": " + text
		}
		s.run.Results = append(s.run.Results, sarifResult{RuleID: "rules", Level: m.Level, Message: sarifText{text}, Locations: []sarifLocation{at}})
	}
	return s.encode()
}
