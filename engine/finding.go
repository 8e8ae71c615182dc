package engine

import (
	"cmp"
	"slices"
)

// Level says how severe a violation of a rule is.
type Level string

// The levels. Only Fatal makes an invoice invalid.
const (
	Fatal       Level = "fatal"
	Warning     Level = "warning"
	Information Level = "information"
)

// Levels lists the levels, most severe first.
var Levels = []Level{Fatal, Warning, Information}

// Layer says who publishes a rule.
type Layer string

// The layers.
const (
	LayerSchema    Layer = "schema"    // the XML schema of the syntax
	LayerEN16931   Layer = "en16931"   // the core, by CEN
	LayerCIUS      Layer = "cius"      // a national or sector overlay
	LayerProfile   Layer = "profile"   // a profile such as those of Factur-X
	LayerContainer Layer = "container" // the PDF around the invoice
	LayerBatch     Layer = "batch"     // a document among the others of a job
)

var layers = []Layer{LayerSchema, LayerEN16931, LayerCIUS, LayerProfile, LayerContainer, LayerBatch}

// A Finding is one violation of a rule, at one place of the invoice.
type Finding struct {
	Rule  string `json:"rule"`
	Layer Layer  `json:"layer"`
	Level Level  `json:"level"`
	// PublishedLevel is the rule's own level where a profile's overlay, or what was
	// asked for, changed it.
	PublishedLevel Level `json:"publishedLevel,omitempty"`
	// Overlay is the overlay that changed the level, or that added the rule or changed a
	// parameter or code list of it.
	// Several are one text, with commas between their names.
	Overlay string `json:"overlay,omitempty"`
	// Owner answers for the change of the level, else for the overlay.
	Owner string `json:"owner,omitempty"`
	// Since is the first day of the rule or overlay, where that says one.
	Since Day `json:"since,omitempty"`
	// LevelReason and LevelUntil are why an overlay changed the level, and the last day of
	// the change.
	LevelReason string `json:"levelReason,omitempty"`
	LevelUntil  Day    `json:"levelUntil,omitempty"`
	// Line and Column say where in the document, from 1; null without a document.
	Line   *int `json:"line"`
	Column *int `json:"column"`
	// Location is the XPath of that place.
	Location string `json:"location,omitempty"`
	// Message says what to do.
	Message string `json:"message"`
	// Language is that of the message where it is another than that of the report: the
	// report's language has no words for the rule.
	Language string `json:"language,omitempty"`
	// BTCodes are the terms of EN 16931 involved.
	BTCodes []string `json:"btCodes"`
	// Fields are the paths of the request fields to correct; null without any.
	Fields []string `json:"fields"`
	// Raw is "[RULE](layer) " and the rule's normative statement.
	Raw string `json:"raw"`
	// Source is where the rule is published, in other words than Raw; nil where its ruleset
	// does not say.
	Source *Source `json:"source,omitempty"`
	// Constraints are those of XML Schema that a finding of the schema layer is about, in
	// the codes of the parser Xerces; nil for others.
	Constraints []string `json:"-"`
	// Failed is set when the rule could not be decided; it then counts as violated.
	Failed bool `json:"failed,omitempty"`

	// Decided is set where an overlay says the level, also where that is the rule's own one.
	Decided bool `json:"-"`

	said *said // nil for a finding that other languages find by its English message
}

// A RulesetInfo names rules that a report is about.
type RulesetInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// SHA256 is the digest of the ruleset's files, of the rulesets that it extends and of
	// the code lists that its rules refer to.
	SHA256 string `json:"sha256"`
	Rules  int    `json:"rules"`
	// Artefact and ArtefactVersion are what is published and held exactly; "" where the
	// ruleset does not say.
	Artefact        string `json:"artefact,omitempty"`
	ArtefactVersion string `json:"artefactVersion,omitempty"`
	// Newer is a later version of the artefact, in force since NewerSince, that is not held.
	Newer      string `json:"newer,omitempty"`
	NewerSince Day    `json:"newerSince,omitempty"`
	// Effective is when the version is in force; nil where it does not say.
	Effective *Period `json:"effective,omitempty"`
}

// A DecidingDate is the day that chose among what is in force at different times.
type DecidingDate struct {
	Day Day `json:"day"`
	// By is why that day: issueDate (BT-2), asked, or today where the document has no
	// issue date, and malformed where it has one that is not a day.
	By string `json:"by"`
	// Receipt and Validation are the days of receipt and validation, where they decide about
	// anything.
	Receipt    Day `json:"receipt,omitempty"`
	Validation Day `json:"validation,omitempty"`
}

// Why a day decides.
const (
	ByIssueDate = "issueDate"
	ByRequest   = "asked"
	ByToday     = "today"
	ByMalformed = "malformed" // today, as the issue date is not a day
)

// A Report is the outcome of one validation.
type Report struct {
	Valid bool `json:"valid"`
	// Language is that of the messages, as a tag of BCP 47.
	Language string `json:"language"`
	// SchemaValid says whether the document fits the XML schema of its syntax, or
	// that of its profile; null where there is no document.
	SchemaValid *bool  `json:"schemaValid"`
	Profile     string `json:"profile"`
	// ValidatedAs says what was run instead of the rules of Profile: the name of another
	// profile, or those of rulesets; "" where all rules of Profile were run.
	ValidatedAs string `json:"-"`
	// NotAsked says that rules of Profile were not run because the request chose others, and
	// not because the library does not have them.
	NotAsked bool   `json:"-"`
	Standard string `json:"standard"`
	Syntax   string `json:"syntax"`
	Counts   Counts `json:"counts"`
	// Digest covers everything that decided: rulesets, code lists, and the profile with
	// its overlays where they applied.
	Digest   string        `json:"digest"`
	Rulesets []RulesetInfo `json:"rulesets"`
	// Date is there where anything that judged, or that a profile names, has a time in which it is in
	// force, and where a day was asked for.
	Date *DecidingDate `json:"date,omitempty"`
	// Today is the day of validation where the report depends on it, so that it may be another on
	// another day; "" where it stays as it is.
	Today Day `json:"-"`
	// Overlays are those that were asked for, and of the profile those that Applying tells of.
	Overlays []OverlayInfo `json:"overlays,omitempty"`
	// RulesRun counts the rules whose context was looked for, whether or not it
	// matched; RulesSkipped those that do not apply to the document's syntax.
	RulesRun     int       `json:"rulesRun"`
	RulesSkipped int       `json:"rulesSkipped"`
	Findings     []Finding `json:"findings"`
	// Omitted are the findings that are too many to be listed. Counts and Valid are about
	// all.
	Omitted []Omission `json:"-"`

	size   int             // of the findings, in bytes
	listed map[string]bool // rules with a finding, once there is no room for more
}

// Counts are the findings by level.
type Counts struct {
	Fatal       int `json:"fatal"`
	Warning     int `json:"warning"`
	Information int `json:"information"`
}

func (c *Counts) add(level Level, n int) {
	switch level {
	case Fatal:
		c.Fatal += n
	case Warning:
		c.Warning += n
	default:
		c.Information += n
	}
}

// Add appends findings of another layer and brings counts, order and validity
// up to date. It puts all findings in order: whoever has many hands them over at once.
func (r *Report) Add(findings ...Finding) {
	for _, f := range findings {
		r.put(f)
	}
	r.finish()
}

// Advise makes warnings of the fatal findings of a layer, which then no longer
// decide whether the invoice is valid.
func (r *Report) Advise(layer Layer) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Layer == layer && f.Level == Fatal {
			f.PublishedLevel, f.Level = f.Level, Warning
		}
	}
	for i := range r.Omitted {
		if o := &r.Omitted[i]; o.Layer == layer && o.Level == Fatal {
			o.PublishedLevel, o.Level = o.Level, Warning
		}
	}
	r.finish()
}

// finish sorts the findings by level and position, and counts them.
func (r *Report) finish() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Levels, a.Level), slices.Index(Levels, b.Level)),
			cmp.Compare(line(a), line(b)),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
	r.Counts = Counts{}
	for i := range r.Findings {
		r.Counts.add(r.Findings[i].Level, 1)
	}
	for _, o := range r.Omitted {
		r.Counts.add(o.Level, o.Count)
	}
	r.Valid = r.Counts.Fatal == 0
}

func line(f Finding) int {
	if f.Line == nil {
		return 0
	}
	return *f.Line
}
