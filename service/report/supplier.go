//go:build !js

package report

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model/quote"
	"einvoice/model/template"

	bcp47 "golang.org/x/text/language"
)

//go:embed supplier.html
var supplierTemplate string

var supplierPage = sync.OnceValue(func() *template.Template { return template.HTML(supplierTemplate, template.Functions{}) })

// mostDemands is how many rules a supplier is told of at once: a page that is read.
const mostDemands = 12

// mostPlaces is how many lines of the document a demand names.
const mostPlaces = 8

// supplierWriter writes a page for whoever sent the invoice: what to write instead, by whose
// rule, since when, and why a level is another. It has no expression and no path.
type supplierWriter struct {
	w         io.Writer
	options   Options
	language  *words.Language // of the first document
	documents []*supplierDocument
}

func newSupplier(w io.Writer, options Options) Writer { return &supplierWriter{w: w, options: options} }

// A supplierDocument is one document on the page.
type supplierDocument struct {
	Valid   bool
	Heading string
	Facts   []string
	Demands []demand
	More    string
	Chosen  []string

	language *words.Language
}

// A demand is what one rule asks to be written otherwise.
type demand struct {
	Level                                      engine.Level
	LevelName, Message, Language, Terms, Whose string
	Places                                     string
}

func (s *supplierWriter) Encode(o *Outcome) (Part, error) {
	language := s.options.Words
	if o.Err != nil {
		return &supplierDocument{Heading: language.Say("The document cannot be read"), Facts: []string{quote.Name(quote.Spelled(o.Name)), quote.Visible(language.Say(o.Err.Error()))}, language: language}, nil
	}
	report := *o.Report
	var err error
	if report.Findings, err = s.ofSender(report.Findings); err != nil {
		return nil, err
	}
	if language == nil && !s.options.LanguageAsked {
		language = s.languageOf(o)
		if err := report.Translate(language); err != nil {
			return nil, err
		}
	}
	findings := report.Findings
	d := &supplierDocument{Valid: report.Valid, language: language}
	d.head(o, len(findings) > 0)
	places := map[string][]int{}
	var first []*engine.Finding
	for i := range findings {
		f := &findings[i]
		if _, known := places[f.Rule]; !known {
			first = append(first, f)
		}
		line := 0
		if f.Line != nil {
			line = *f.Line
		}
		places[f.Rule] = append(places[f.Rule], line)
	}
	for _, f := range first[:min(len(first), mostDemands)] {
		d.Demands = append(d.Demands, newDemand(f, places[f.Rule], language))
	}
	if more := len(first) - len(d.Demands); more > 0 {
		d.More = language.Say(fmt.Sprintf("Rules that are violated beside these: %d; correct these first.", more))
	}
	if report.OmittedCount() > 0 {
		d.More = strings.TrimSpace(d.More + " " + notShown(&Outcome{Report: &report}, len(findings), language))
	}
	for _, line := range chosenRules(&report) {
		d.Chosen = append(d.Chosen, language.Say(line))
	}
	return d, nil
}

// ofSender are the findings that whoever sent the invoice can do something about: not those about
// the recipient's own tables and terms.
func (s *supplierWriter) ofSender(findings []engine.Finding) ([]engine.Finding, error) {
	if s.options.Library == nil {
		return slices.Clone(findings), nil
	}
	notices, err := s.options.Library.Notices()
	return slices.DeleteFunc(slices.Clone(findings), func(f engine.Finding) bool {
		n := notices[f.Rule]
		return n != nil && n.Recipient
	}), err
}

// languageOf is the language of the country that the seller is in; nil, which is English,
// where the invoice names none or nothing is said in it.
func (s *supplierWriter) languageOf(o *Outcome) *words.Language {
	if s.options.Library == nil || o.Document == nil || o.Document.Invoice.Seller == nil || o.Document.Invoice.Seller.PostalAddress == nil {
		return nil
	}
	country := strings.TrimSpace(o.Document.Invoice.Seller.PostalAddress.CountryCode.Raw)
	region, err := bcp47.ParseRegion(country)
	if err != nil {
		return nil
	}
	tag, err := bcp47.Compose(bcp47.Und, region)
	if err != nil {
		return nil
	}
	spoken, _ := tag.Base()
	if language := s.options.Library.Accepted(spoken.String()); language.Whole() {
		return language
	}
	return nil // a letter is in one language
}

func (d *supplierDocument) head(o *Outcome, notes bool) {
	say := d.language.Say
	switch r := o.Report; {
	case !r.Valid:
		d.Heading = say("This invoice has to be corrected")
	case notes:
		d.Heading = say("This invoice is accepted, with notes")
	default:
		d.Heading = say("This invoice is accepted")
	}
	if o.Document != nil {
		inv := o.Document.Invoice
		if inv.Number.Raw != "" {
			d.Facts = append(d.Facts, labelled(say("Invoice number"), quote.Shorten(inv.Number.Raw, quote.Most), d.language))
		}
		if inv.IssueDate.Raw != "" {
			d.Facts = append(d.Facts, labelled(say("Invoice issue date"), quote.Shorten(inv.IssueDate.Raw, quote.Most), d.language))
		}
	}
	if o.Name != "" {
		d.Facts = append(d.Facts, quote.Name(quote.Spelled(o.Name)))
	}
}

// newDemand says what a rule asks, of all places where it is violated.
func newDemand(f *engine.Finding, lines []int, language *words.Language) demand {
	d := demand{Level: f.Level, LevelName: language.Say(levelNames[f.Level]), Message: f.Message, Language: otherLanguage(f, language), Whose: provenance(f, language)}
	var terms []string
	for _, code := range f.BTCodes {
		name, _ := engine.TermName(code)
		terms = append(terms, strings.TrimSpace(language.Say(name)+" ("+code+")"))
	}
	d.Terms = strings.Join(terms, ", ")
	slices.Sort(lines)
	var named []string
	for _, line := range slices.Compact(lines) {
		if line > 0 && len(named) < mostPlaces {
			named = append(named, fmt.Sprint(line))
		}
	}
	if len(named) > 0 {
		d.Places = language.Say(fmt.Sprintf("In the document: line %s", strings.Join(named, ", ")))
	}
	whose := d.Whose
	switch {
	case whose == "" && f.Source != nil:
		whose = strings.TrimSpace(f.Source.Artefact + " " + f.Source.Version)
	case whose == "":
		whose = string(f.Layer)
	}
	d.Whose = labelled(language.Say("Rule")+" "+f.Rule, whose, language)
	return d
}

func (s *supplierWriter) Write(part Part) error {
	d := part.(*supplierDocument)
	if len(s.documents) == 0 {
		s.language = d.language
	}
	s.documents = append(s.documents, d)
	return nil
}

func (s *supplierWriter) Close(*Summary) error {
	say := s.language.Say
	title := say("Invoices")
	if len(s.documents) == 1 {
		title = s.documents[0].Heading
	}
	return supplierPage().Execute(s.w, "page", map[string]any{
		"Title": title, "Style": Style, "Language": s.language.Sentences(), "Documents": s.documents, "Made": "einvoice " + s.options.Version,
	})
}
