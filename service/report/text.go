package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/model/source"
	"einvoice/service/verdict"
)

// textWidth is how many characters a line has.
const textWidth = 96

// Styles, as terminal escape sequences.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
	blue   = "1;34"
)

var levelStyles = map[engine.Level]string{engine.Fatal: red, engine.Warning: yellow, engine.Information: blue}

// textWriter writes the report for people: a heading for each document, then each
// finding with its place, the line itself, and what to do.
type textWriter struct {
	w       io.Writer
	options Options
}

func newText(w io.Writer, options Options) Writer { return &textWriter{w, options} }

func (t *textWriter) Write(part Part) error {
	_, err := t.w.Write(part.([]byte))
	return err
}

// say says a sentence of the program in the language of the report.
func (t *textWriter) say(sentence string) string { return t.options.Words.Say(sentence) }

// paint sets a text in a style where the terminal has colours.
func (t *textWriter) paint(style, text string) string {
	if !t.options.Color {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

func (t *textWriter) Encode(o *Outcome) (Part, error) {
	var b bytes.Buffer
	if o.Err != nil {
		fmt.Fprintf(&b, "%s  %s\n\n", t.paint(red, "✗ "+t.say("UNREADABLE")), t.paint(bold, quote.Name(quote.Spelled(o.Name))))
		for _, line := range Wrap(quote.Visible(t.say(o.Err.Error())), textWidth-4) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		b.WriteByte('\n')
		return b.Bytes(), nil
	}
	t.heading(&b, o)
	from := sourceOf(o)
	shown := t.options.findings(o)
	for i := range shown {
		t.finding(&b, &shown[i], from)
	}
	if more := notShown(o, len(shown), t.options.Words); more != "" {
		fmt.Fprintf(&b, "  %s\n\n", more)
	}
	return b.Bytes(), nil
}

func (t *textWriter) heading(b *bytes.Buffer, o *Outcome) {
	mark := t.paint(green, "✓ "+t.say("VALID"))
	switch {
	case !o.Report.Valid:
		mark = t.paint(red, "✗ "+t.say("INVALID"))
	case o.Report.ValidatedAs != "":
		mark = t.paint(yellow, "✓ "+t.say("VALID against "+o.Report.ValidatedAs))
	}
	fmt.Fprintf(b, "%s  %s\n", mark, t.paint(bold, quote.Name(quote.Spelled(o.Name))))
	about := fmt.Sprintf("%s, %s, %s", verdict.Rules(o.Report), model.Syntax(o.Report.Syntax).Label(), t.counts(o.Report.Counts))
	fmt.Fprintf(b, "  %s\n\n", t.paint(dim, about))
	if o.Report.ValidatedAs != "" {
		for _, line := range Wrap(t.say(verdict.MissingRules(o.Report)), textWidth-2) {
			fmt.Fprintf(b, "  %s\n", line)
		}
		b.WriteByte('\n')
	}
	chosen := chosenRules(o.Report)
	for _, line := range chosen {
		for _, wrapped := range Wrap(t.say(line), textWidth-2) {
			fmt.Fprintf(b, "  %s\n", t.paint(dim, wrapped))
		}
	}
	if chosen != nil {
		b.WriteByte('\n')
	}
	if o.Document != nil && o.Document.Attachment != "" {
		t.paragraph(b, fmt.Sprintf("The invoice is the attachment %s of the PDF; lines and columns are those of the attachment.", quote.Name(o.Document.Attachment)))
	}
	if o.Report.SchemaValid != nil && !*o.Report.SchemaValid {
		t.paragraph(b, "The document does not fit the XML schema of its syntax; the business rules ran on what could be read.")
	}
}

// paragraph writes a sentence of the program.
func (t *textWriter) paragraph(b *bytes.Buffer, sentence string) {
	fmt.Fprintf(b, "  %s\n\n", t.say(sentence))
}

func (t *textWriter) counts(c engine.Counts) string {
	var parts []string
	for _, p := range []struct {
		n     int
		level engine.Level
	}{{c.Fatal, engine.Fatal}, {c.Warning, engine.Warning}, {c.Information, engine.Information}} {
		if p.n > 0 {
			parts = append(parts, t.say(numeral.Count(p.n, levelNames[p.level])))
		}
	}
	if len(parts) == 0 {
		return t.say("no findings")
	}
	return strings.Join(parts, ", ")
}

func (t *textWriter) finding(b *bytes.Buffer, f *engine.Finding, from *source.Tree) {
	level := t.say(levelNames[f.Level])
	if f.PublishedLevel != "" {
		level += " " + t.say(fmt.Sprintf("(published as %s)", levelNames[f.PublishedLevel]))
	}
	if f.Overlay != "" && f.PublishedLevel == "" {
		level += " " + t.say(fmt.Sprintf("(overlay %s)", f.Overlay))
	}
	fmt.Fprintf(b, "  %s  %s", t.paint(levelStyles[f.Level], level), t.paint(bold, f.Rule))
	if len(f.BTCodes) > 0 {
		fmt.Fprintf(b, "  %s", strings.Join(f.BTCodes, " "))
	}
	if len(f.Fields) > 0 {
		fmt.Fprintf(b, "  %s", t.paint(dim, strings.Join(f.Fields, ", ")))
	}
	b.WriteByte('\n')
	for _, line := range Wrap(quote.Visible(f.Message), textWidth-4) {
		fmt.Fprintf(b, "    %s\n", line)
	}
	for _, line := range Wrap(quote.Visible(provenance(f, t.options.Words)), textWidth-4) {
		if line != "" {
			fmt.Fprintf(b, "    %s\n", t.paint(dim, line))
		}
	}
	if f.Line != nil && from != nil {
		quoteLine(b, t, from, source.Position{Line: *f.Line, Column: *f.Column})
	}
	if f.Location != "" {
		fmt.Fprintf(b, "    %s\n", t.paint(dim, quote.Visible(f.Location)))
	}
	b.WriteByte('\n')
}

func (t *textWriter) Close(s *Summary) error {
	var b bytes.Buffer
	b.WriteString(t.say(fmt.Sprintf("%s: %d valid, %d invalid", numeral.Count(s.Documents, "document"), s.Valid, s.Invalid)))
	if s.Unreadable > 0 {
		fmt.Fprintf(&b, ", %s", t.say(fmt.Sprintf("%d unreadable", s.Unreadable)))
	}
	if s.Stopped {
		fmt.Fprintf(&b, " %s", t.say(fmt.Sprintf("(stopped; %d were asked for)", s.Asked)))
	}
	b.WriteString(t.say("; ") + t.say(numeral.Count(s.Findings, "finding")))
	if s.Took > 0 {
		fmt.Fprintf(&b, " %s", t.say(fmt.Sprintf("in %s", s.Took.Round(time.Millisecond))))
	}
	b.WriteByte('\n')
	for _, name := range slices.Sorted(maps.Keys(s.Rulesets)) {
		fmt.Fprintf(&b, "%s\n", t.paint(dim, t.say("validated against "+name)))
	}
	for _, said := range slices.Sorted(maps.Keys(s.Newer)) {
		fmt.Fprintf(&b, "%s\n", t.say(said))
	}
	_, err := t.w.Write(b.Bytes())
	return err
}

// isBreak tells where a line may end: at white space, but at no no-break space, as French
// has before some marks.
func isBreak(r rune) bool {
	return unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f'
}

// Wrap returns a text in lines of at most width characters. A longer word has a line of its
// own.
func Wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		var line strings.Builder
		long := 0 // characters of the line
		for _, word := range strings.FieldsFunc(paragraph, isBreak) {
			length := utf8.RuneCountInString(word)
			if long > 0 && long+1+length > width {
				lines = append(lines, line.String())
				line.Reset()
				long = 0
			}
			if long > 0 {
				line.WriteByte(' ')
				long++
			}
			line.WriteString(word)
			long += length
		}
		lines = append(lines, line.String())
	}
	return lines
}
