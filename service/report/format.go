package report

import (
	"bytes"
	"io"
	"slices"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/numeral"
)

// A Format is one form in which outcomes are reported.
type Format struct {
	Name      string // as the command line is asked for it
	MediaType string // as HTTP is asked for it (Accept); "" for the command line alone
	About     string // what it is, in a few words
	New       func(io.Writer, Options) Writer
}

// Formats is the list of all formats. The first is the default of the command line.
var Formats = guarded(slices.Concat([]*Format{
	{"text", "text/plain", "for people", newText},
	{"json", "application/json", "one JSON document", newJSON},
	{"jsonl", "application/jsonl", "one JSON object a line", newJSONLines},
}, pageFormats, []*Format{
	{"sarif", "application/sarif+json", "SARIF 2.1.0, for code scanning", newSARIF},
	{"svrl", "application/xml", "SVRL of ISO Schematron, of one document", newSVRL},
	{"junit", "application/x-junit+xml", "JUnit XML, for CI systems", newJUnit},
	{"gitlab", "", "code quality of GitLab, for merge requests", newGitLab},
}, supplierFormats))

// Named returns the format of a name; nil if there is none.
func Named(name string) *Format {
	if i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Name == name }); i >= 0 {
		return Formats[i]
	}
	return nil
}

// Names returns the names of all formats.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Options say how a report is written.
type Options struct {
	Library *engine.Library // the rules that were run; nil leaves out what only they know
	Version string          // of the program
	// Most bounds the findings of one document that are shown; 0 shows all. How many
	// there are is always told. Pages of HTML have bounds of their own.
	Most  int
	Color bool // of a terminal, for text
	// Words is the language of the report; nil is English. Findings are as Report.Translate
	// left them.
	Words *words.Language
	// LanguageAsked tells that Words was asked for, English included. A report for a supplier
	// is else in the language of the seller's country.
	LanguageAsked bool
}

// A Writer writes the outcomes of one run.
type Writer interface {
	// Encode prepares the report of one document. Several goroutines may call it at a
	// time; the part does not keep the document alive.
	Encode(*Outcome) (Part, error)
	// Write adds a part that Encode made. Parts come in the order of their documents.
	Write(Part) error
	// Close ends the report.
	Close(*Summary) error
}

// A Part is the report of one document by a Writer.
type Part any

// An Outcome is the result of validating one document.
type Outcome struct {
	Name     string          // of the file
	Report   *engine.Report  // nil where the document could not be read
	Document *model.Document // as it was read, to show where findings are; may be nil
	Err      error           // why the document could not be validated
	Request  string          // id of the HTTP request, if it was one
}

// Single returns the report of one document.
func (f *Format) Single(o *Outcome, options Options) ([]byte, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := f.New(&out, options)
	part, err := w.Encode(o)
	if err != nil {
		return nil, err
	}
	if err := w.Write(part); err != nil {
		return nil, err
	}
	s := Summary{Asked: 1}
	s.Add(o)
	if err := w.Close(&s); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Holds returns an error if the format cannot report so many documents. A caller that knows how
// many there will be asks before it writes: a report of the first alone would look like one of all.
func (f *Format) Holds(documents int) error {
	if f.Name == "svrl" && documents > 1 {
		return errOneDocument
	}
	return nil
}

// findings are those of an outcome that are shown.
func (o *Options) findings(of *Outcome) []engine.Finding {
	if o.Most > 0 {
		return engine.First(of.Report.Findings, o.Most)
	}
	return of.Report.Findings
}

// notShown says how many findings an outcome has beside so many that are shown; "" if it has none.
// Every report tells them, so that nobody takes a part of the faults for all.
func notShown(of *Outcome, shown int, language *words.Language) string {
	n := len(of.Report.Findings) - shown + of.Report.OmittedCount()
	if n <= 0 {
		return ""
	}
	return language.Say(numeral.Count(n, "finding") + " more are not shown.")
}
