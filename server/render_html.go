package server

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
)

// Bounds of the report page: a browser is to show it, a person to read it.
const (
	mostShownLines    = 5000
	mostShownFindings = 200
	longestShownLine  = 600 // in bytes; embedded attachments are long
	linesAround       = 2
)

type reportPage struct {
	Style     template.CSS
	Valid     bool
	Name      string
	Verdict   string
	Facts     []fact
	Findings  []reportFinding
	Omitted   string
	Document  []reportLine
	Cut       string
	Version   string
	RequestID string
}

type fact struct{ Name, Value string }

type reportFinding struct {
	Number    int
	Rule      string
	Level     engine.Level
	LevelName string
	Published string
	Message   string
	Text      string
	Terms     []ruletest.CardTerm
	Fields    []string
	Location  string
	Line      int // 0 without a place
	Excerpt   []reportLine
}

type reportLine struct {
	Number int
	Text   string
	Level  engine.Level // of the heaviest finding here; "" for none
	Marks  []reportMark
}

type reportMark struct {
	Number int // of the finding
	Rule   string
	Level  engine.Level
}

// levelNames are how people call the levels.
var levelNames = map[engine.Level]string{engine.Fatal: "error", engine.Warning: "warning", engine.Information: "note"}

func renderHTML(x *exchange, v *validation) error {
	return x.sendPage(v.status(), "report.html", v.page())
}

func (v *validation) page() *reportPage {
	r := v.report()
	lines := v.lines()
	p := &reportPage{
		Style: style, Valid: r.Valid, Name: v.name, Verdict: v.verdict(), Facts: v.facts(), Version: Version, RequestID: v.id,
	}
	shown := r.Findings[:min(len(r.Findings), mostShownFindings)]
	if n := len(r.Findings) - len(shown); n > 0 {
		p.Omitted = fmt.Sprintf("%s more are not shown here; the JSON form has up to %d.", count(n, "finding"), mostFindings)
	}
	for i := range shown {
		f := v.shown(&shown[i], i+1)
		if f.Line > 0 && f.Line <= len(lines) {
			at := &lines[f.Line-1]
			if at.Level == "" { // the findings come heaviest first
				at.Level = f.Level
			}
			at.Marks = append(at.Marks, reportMark{f.Number, f.Rule, f.Level})
		}
		p.Findings = append(p.Findings, f)
	}
	for i := range p.Findings {
		p.Findings[i].excerpt(lines)
	}
	if len(lines) > mostShownLines {
		p.Cut = fmt.Sprintf("The first %d of %d lines.", mostShownLines, len(lines))
		lines = lines[:mostShownLines]
	}
	p.Document = lines
	return p
}

func (v *validation) facts() []fact {
	r := v.report()
	schema := "fits"
	if r.SchemaValid != nil && !*r.SchemaValid {
		schema = "does not fit; the business rules ran on what could be read"
	}
	number := v.result.Document.Invoice.Number.Raw
	if number == "" {
		number = "none"
	}
	facts := []fact{
		{"Invoice number", number}, {"Profile", r.Profile}, {"Validated against", r.Standard},
		{"Syntax", syntaxNames[v.result.Document.Syntax]}, {"XML schema", schema},
		{"Rules", fmt.Sprintf("%d run, %d not for this syntax", r.RulesRun, r.RulesSkipped)},
	}
	if name := v.result.Document.Attachment; name != "" {
		facts = append(facts, fact{"Attached to the PDF as", name})
	}
	for _, s := range r.Rulesets {
		facts = append(facts, fact{"Ruleset", fmt.Sprintf("%s %s, %d rules, sha256 %s", s.Name, s.Version, s.Rules, s.SHA256)})
	}
	return facts
}

func (v *validation) shown(f *engine.Finding, number int) reportFinding {
	out := reportFinding{
		Number: number, Rule: f.Rule, Level: f.Level, LevelName: levelNames[f.Level], Published: levelNames[f.PublishedLevel],
		Message: f.Message, Fields: f.Fields, Location: f.Location,
	}
	if _, text, found := strings.Cut(f.Raw, ") "); found {
		out.Text = text
	}
	if f.Line != nil {
		out.Line = *f.Line
	}
	if r, set := v.book.rule(v.report(), f.Rule); r != nil {
		out.Terms = ruletest.CardOf(r, set).Terms
	} else {
		for _, code := range f.BTCodes {
			out.Terms = append(out.Terms, ruletest.CardTerm{Code: code})
		}
	}
	return out
}

// lines are those of the document, cut where they are too long to be read.
func (v *validation) lines() []reportLine {
	if v.result.Document.Source == nil {
		return nil
	}
	texts := strings.Split(strings.TrimSuffix(v.result.Document.Source.Data, "\n"), "\n")
	lines := make([]reportLine, len(texts))
	for i, text := range texts {
		text = strings.TrimRight(text, "\r")
		if len(text) > longestShownLine {
			text = strings.ToValidUTF8(text[:longestShownLine], "") + " ... (" + strconv.Itoa(len(text)-longestShownLine) + " more bytes)"
		}
		lines[i] = reportLine{Number: i + 1, Text: text}
	}
	return lines
}

// excerpt takes the lines around the finding, without the indentation that they
// share.
func (f *reportFinding) excerpt(lines []reportLine) {
	if f.Line == 0 || f.Line > len(lines) {
		return
	}
	around := lines[max(f.Line-1-linesAround, 0):min(f.Line+linesAround, len(lines))]
	indent := len(around[0].Text)
	for _, l := range around {
		if text := strings.TrimLeft(l.Text, " \t"); text != "" {
			indent = min(indent, len(l.Text)-len(text))
		}
	}
	for _, l := range around {
		l.Text = l.Text[min(indent, len(l.Text)):]
		if l.Number != f.Line {
			l.Level = ""
		}
		f.Excerpt = append(f.Excerpt, l)
	}
}
