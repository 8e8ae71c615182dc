package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"einvoice/engine"
)

// textOutput is the report for people: a heading for each document, then each
// finding with its place, the line itself, and what to do.
type textOutput struct {
	w     io.Writer
	paint func(style, text string) string
	width int
}

// Styles, as terminal escape sequences.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
	blue   = "1;34"
)

func newTextOutput(w io.Writer) *textOutput {
	o := &textOutput{w: w, width: 96, paint: func(_, text string) string { return text }}
	if isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		o.paint = func(style, text string) string { return "\x1b[" + style + "m" + text + "\x1b[0m" }
	}
	return o
}

var syntaxNames = map[string]string{"ubl": "UBL", "cii": "CII"}

var levelStyles = map[engine.Level]string{engine.Fatal: red, engine.Warning: yellow, engine.Information: blue}

// levelNames are how people call the levels.
var levelNames = map[engine.Level]string{engine.Fatal: "error", engine.Warning: "warning", engine.Information: "note"}

func (o *textOutput) write(rendered []byte) error {
	_, err := o.w.Write(rendered)
	return err
}

func (o *textOutput) render(r *outcome) ([]byte, error) {
	var b bytes.Buffer
	if r.err != nil {
		fmt.Fprintf(&b, "%s  %s\n\n", o.paint(red, "✗ UNREADABLE"), o.paint(bold, r.path))
		for _, line := range wrap(r.err.Error(), o.width-4) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		b.WriteByte('\n')
		return b.Bytes(), nil
	}
	report := r.result.Report
	verdict := o.paint(green, "✓ VALID")
	if !report.Valid {
		verdict = o.paint(red, "✗ INVALID")
	}
	fmt.Fprintf(&b, "%s  %s\n", verdict, o.paint(bold, r.path))
	fmt.Fprintf(&b, "  %s\n\n", o.paint(dim, fmt.Sprintf("%s, %s, %s", report.Profile, syntaxNames[report.Syntax], counts(report.Counts))))
	if name := r.result.Document.Attachment; name != "" {
		fmt.Fprintf(&b, "  The invoice is the attachment %s of the PDF; lines and columns are those of the attachment.\n\n", name)
	}
	if report.SchemaValid != nil && !*report.SchemaValid {
		fmt.Fprintf(&b, "  The document does not fit the XML schema of its syntax; the business rules ran on what could be read.\n\n")
	}
	source := newSourceLines(r)
	for i := range report.Findings {
		o.finding(&b, &report.Findings[i], source)
	}
	return b.Bytes(), nil
}

func counts(c engine.Counts) string {
	var parts []string
	for _, p := range []struct {
		n    int
		name string
	}{{c.Fatal, "error"}, {c.Warning, "warning"}, {c.Information, "note"}} {
		if p.n > 0 {
			parts = append(parts, plural(p.n, p.name))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

func (o *textOutput) finding(b *bytes.Buffer, f *engine.Finding, source *sourceLines) {
	level := levelNames[f.Level]
	if f.PublishedLevel != "" {
		level += fmt.Sprintf(" (published as %s)", levelNames[f.PublishedLevel])
	}
	fmt.Fprintf(b, "  %s  %s", o.paint(levelStyles[f.Level], level), o.paint(bold, f.Rule))
	if len(f.BTCodes) > 0 {
		fmt.Fprintf(b, "  %s", strings.Join(f.BTCodes, " "))
	}
	if len(f.Fields) > 0 {
		fmt.Fprintf(b, "  %s", o.paint(dim, strings.Join(f.Fields, ", ")))
	}
	b.WriteByte('\n')
	for _, line := range wrap(f.Message, o.width-4) {
		fmt.Fprintf(b, "    %s\n", line)
	}
	if f.Line != nil {
		source.quote(b, o, *f.Line, *f.Column)
	}
	if f.Location != "" {
		fmt.Fprintf(b, "    %s\n", o.paint(dim, f.Location))
	}
	b.WriteByte('\n')
}

func (o *textOutput) close(t *tally) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %d valid, %d invalid", plural(t.documents, "document"), t.valid, t.invalid)
	if t.unreadable > 0 {
		fmt.Fprintf(&b, ", %d unreadable", t.unreadable)
	}
	if t.stopped {
		fmt.Fprintf(&b, " (stopped; %d were asked for)", t.of)
	}
	fmt.Fprintf(&b, "; %s in %s\n", plural(t.findings, "finding"), time.Since(t.started).Round(time.Millisecond))
	for _, name := range slices.Sorted(maps.Keys(t.rulesets)) {
		fmt.Fprintf(&b, "%s\n", o.paint(dim, "held against "+name))
	}
	_, err := o.w.Write(b.Bytes())
	return err
}

// sourceLines quotes lines of a document.
type sourceLines struct{ lines []string }

func newSourceLines(r *outcome) *sourceLines {
	if r.result.Document.Source == nil || len(r.result.Report.Findings) == 0 {
		return &sourceLines{}
	}
	return &sourceLines{strings.Split(r.result.Document.Source.Data, "\n")}
}

// quote prints a line with its number and a mark below the column.
func (s *sourceLines) quote(b *bytes.Buffer, o *textOutput, line, column int) {
	if line > len(s.lines) {
		return
	}
	text := []rune(strings.ReplaceAll(strings.TrimRight(s.lines[line-1], "\r"), "\t", " "))
	cut := len(text) - len([]rune(strings.TrimLeft(string(text), " ")))
	if column-1 < cut || column-1-cut > o.width/2 { // long lines are shown from the place on
		cut = column - 1
	}
	shown := string(text[min(cut, len(text)):])
	if runes := []rune(shown); len(runes) > o.width-12 {
		shown = string(runes[:o.width-12]) + "..."
	}
	number := fmt.Sprintf("%6d", line)
	fmt.Fprintf(b, "    %s %s\n", o.paint(dim, number+" │"), shown)
	fmt.Fprintf(b, "    %s %s%s\n", o.paint(dim, strings.Repeat(" ", len(number))+" │"), strings.Repeat(" ", column-1-cut), o.paint(red, "^"))
}

// wrap breaks a text into lines of at most width characters.
func wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}
