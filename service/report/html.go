//go:build !js

package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/model/template"
	"einvoice/service/verdict"
)

//go:embed report.html
var reportTemplate string

//go:embed style.css
var styleSheet string

// Style is the style sheet of the pages, which have it inside.
var Style = template.Safe(styleSheet)

var pages = sync.OnceValue(func() *template.Template {
	return template.HTML(reportTemplate, template.Functions{"say": (*words.Language).Say})
})

// pageFormats are the formats that are pages.
var pageFormats = []*Format{{"html", "text/html", "a page for a browser", newHTML}}

// supplierFormats are the pages for whoever sent the invoice.
var supplierFormats = []*Format{{"supplier", "", "a page for whoever sent the invoice, in the language of their country", newSupplier}}

// Bounds of the report page: a browser is to show it, a person to read it.
const (
	mostShownLines    = 5000
	mostShownFindings = 200
	longestShownLine  = 600 // in bytes; embedded attachments are long
	linesAround       = 2
)

// htmlWriter writes one page for the whole run. Nothing in it loads or runs anything:
// the style is inside, and there are no scripts.
type htmlWriter struct {
	w         io.Writer
	options   Options
	documents int
	request   string
}

func newHTML(w io.Writer, options Options) Writer { return &htmlWriter{w: w, options: options} }

// A htmlDocument is one document on the page.
type htmlDocument struct {
	Prefix     string // of the anchors, so that those of several documents differ
	Valid      bool
	Name       string
	Unreadable string // why; empty for a document that was validated
	Validity   string
	Verdict    string
	Facts      []fact
	Findings   []reportFinding
	Omitted    string
	Document   []reportLine
	Cut        string
	Words      *words.Language
	request    string
}

type fact struct{ Name, Value string }

type reportFinding struct {
	Number    int
	Rule      string
	Level     engine.Level
	LevelName string
	Published string
	Whose     string // the overlay that brought it about, and who answers for it
	Message   string
	Language  string // of the message where it is another than that of the page
	Text      string
	Terms     []ruletest.CardTerm
	Fields    []string
	Location  string
	Line      int // 0 without a place
	Place     string
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

func (h *htmlWriter) Encode(o *Outcome) (Part, error) {
	if o.Err != nil {
		return &htmlDocument{Name: quote.Name(quote.Spelled(o.Name)), Unreadable: quote.Visible(h.options.Words.Say(o.Err.Error())), Words: h.options.Words, request: o.Request}, nil
	}
	r := o.Report
	lines := reportLines(o)
	language := h.options.Words
	d := &htmlDocument{
		Valid: r.Valid, Name: quote.Name(quote.Spelled(o.Name)), Validity: language.Say("The invoice is " + validity(r)), Verdict: verdict.Sentence(r, language), Facts: facts(o, language),
		Words: language, request: o.Request,
	}
	shown := engine.First(r.Findings, mostShownFindings)
	if n := len(r.Findings) - len(shown) + r.OmittedCount(); n > 0 {
		d.Omitted = language.Say(fmt.Sprintf("%s more are not shown here; the JSON form has %s.", numeral.Count(n, "finding"), h.inJSON()))
	}
	for i := range shown {
		f := h.options.reportFinding(r, &shown[i], i+1)
		if f.Line > 0 && f.Line <= len(lines) {
			at := &lines[f.Line-1]
			if at.Level == "" { // the findings come heaviest first
				at.Level = f.Level
			}
			at.Marks = append(at.Marks, reportMark{f.Number, f.Rule, f.Level})
		}
		d.Findings = append(d.Findings, f)
	}
	for i := range d.Findings {
		d.Findings[i].excerpt(lines)
	}
	if len(lines) > mostShownLines {
		d.Cut = language.Say(fmt.Sprintf("The first %d of %d lines.", mostShownLines, len(lines)))
		lines = lines[:mostShownLines]
	}
	d.Document = lines
	return d, nil
}

// inJSON is how many findings the JSON form has.
func (h *htmlWriter) inJSON() string {
	if h.options.Most > 0 {
		return "up to " + strconv.Itoa(h.options.Most)
	}
	return "all that are listed"
}

func (h *htmlWriter) Write(part Part) error {
	d := part.(*htmlDocument)
	if h.documents++; h.documents == 1 {
		h.request = d.request
		if err := h.head(d); err != nil {
			return err
		}
	} else {
		d.Prefix = fmt.Sprintf("d%d-", h.documents)
	}
	return pages().Execute(h.w, "document", d)
}

// head begins the page, which has the title of its first document.
func (h *htmlWriter) head(first *htmlDocument) error {
	say := h.options.Words.Say
	title := say("Invoices")
	if first != nil {
		if title = say("Invalid"); first.Valid {
			title = say("Valid")
		}
		if first.Name != "" {
			title = labelled(title, first.Name, h.options.Words)
		}
	}
	return pages().Execute(h.w, "head", map[string]any{"Title": title, "Style": Style, "Language": h.options.Words.Sentences()})
}

func (h *htmlWriter) Close(s *Summary) error {
	if h.documents == 0 {
		if err := h.head(nil); err != nil {
			return err
		}
	}
	say := h.options.Words.Say
	total := ""
	if s.Documents > 1 {
		total = say(fmt.Sprintf("%d documents: %d valid, %d invalid, %d unreadable.", s.Documents, s.Valid, s.Invalid, s.Unreadable))
	}
	made := "einvoice " + h.options.Version
	if h.request != "" {
		made += ", " + say("request "+h.request)
	}
	return pages().Execute(h.w, "foot", map[string]string{"Total": total, "Made": made, "Decided": say("The rulesets that decided are named above with their digests.")})
}

func facts(o *Outcome, language *words.Language) []fact {
	r := o.Report
	say := language.Say
	schema := say("fits")
	if r.SchemaValid != nil && !*r.SchemaValid {
		schema = say("does not fit; the business rules ran on what could be read")
	}
	number := say("none")
	if o.Document != nil && o.Document.Invoice.Number.Raw != "" {
		number = quote.Shorten(o.Document.Invoice.Number.Raw, quote.Most)
	}
	facts := []fact{
		{say("Invoice number"), number}, {say("Profile"), r.Profile}, {say("Validated against"), r.Standard},
		{say("Syntax"), model.Syntax(r.Syntax).Label()}, {say("XML schema"), schema},
		{say("Rules"), say(fmt.Sprintf("%d run, %d not for this syntax", r.RulesRun, r.RulesSkipped))},
	}
	if o.Document != nil && o.Document.Attachment != "" {
		facts = append(facts, fact{say("Attached to the PDF as"), o.Document.Attachment})
	}
	if r.Digest != "" {
		facts = append(facts, fact{say("Digest of all that decided"), r.Digest})
	}
	for _, line := range chosenRules(r) {
		facts = append(facts, fact{say("Chosen"), say(line)})
	}
	for _, s := range r.Rulesets {
		facts = append(facts, fact{say("Ruleset"), fmt.Sprintf("%s, %s, sha256 %s", exactly(&s), say(numeral.Count(s.Rules, "rule")), s.SHA256)})
		if newer := notNewest(&s); newer != "" {
			facts = append(facts, fact{say("Newer rules"), say(newer)})
		}
	}
	return facts
}

// otherLanguage is the language of a finding where it is another than that of a page around it.
func otherLanguage(f *engine.Finding, page *words.Language) string {
	if said := cmp.Or(f.Language, page.String()); said != page.Sentences() {
		return said
	}
	return ""
}

func (o *Options) reportFinding(r *engine.Report, f *engine.Finding, number int) reportFinding {
	out := reportFinding{
		Number: number, Rule: f.Rule, Level: f.Level, LevelName: o.Words.Say(levelNames[f.Level]),
		Message: f.Message, Language: otherLanguage(f, o.Words), Whose: provenance(f, o.Words), Text: statement(f), Fields: f.Fields, Location: f.Location,
	}
	if f.PublishedLevel != "" {
		out.Published = o.Words.Say(fmt.Sprintf("published as %s", levelNames[f.PublishedLevel]))
	}
	if f.Line != nil {
		out.Line = *f.Line
		out.Place = o.Words.Say(fmt.Sprintf("line %d", *f.Line))
	}
	if rule, set := o.rule(r, f.Rule); rule != nil {
		out.Terms = ruletest.CardOf(rule, set).Terms
	} else {
		for _, code := range f.BTCodes {
			name, _ := engine.TermName(code)
			out.Terms = append(out.Terms, ruletest.CardTerm{Code: code, Name: name})
		}
	}
	for i := range out.Terms {
		out.Terms[i].Name = o.Words.Say(out.Terms[i].Name)
	}
	return out
}

// reportLines are those of the document, cut where they are too long to be read.
func reportLines(o *Outcome) []reportLine {
	if o.Document == nil || o.Document.Source == nil {
		return nil
	}
	texts := strings.Split(strings.TrimSuffix(o.Document.Source.Data, "\n"), "\n")
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
