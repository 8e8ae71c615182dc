// Package answer has the answers in JSON that the service gives over HTTP, and that programs
// of other languages get from package guest. The OpenAPI document describes them.
package answer

import (
	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/service/verdict"
	"einvoice/service/write"
)

// Most bounds the findings, and the losses, of one answer; the counts tell of all.
const Most = 1000

// A Validation is the outcome of validating a document.
type Validation struct {
	Valid    bool             `json:"valid"`
	Message  string           `json:"message"`
	Profile  string           `json:"profile"`
	Standard string           `json:"standard"`
	Warnings []engine.Finding `json:"warnings"`
	Findings []engine.Finding `json:"findings"`
	Report   *Summary         `json:"report"`
}

// ValidationOf makes an answer of a report, with its sentence in a language; the findings are
// as Report.Translate left them. The attachment is the file of a PDF that was read, if any.
func ValidationOf(r *engine.Report, attachment string, language *words.Language) *Validation {
	return &Validation{
		Valid: r.Valid, Message: verdict.Sentence(r, language), Profile: r.Profile, Standard: r.Standard,
		Warnings: Warnings(r), Findings: Findings(r), Report: SummaryOf(r, attachment),
	}
}

// A Summary says which rules led to a verdict.
type Summary struct {
	Profile      string               `json:"profile"`
	ValidatedAs  string               `json:"validatedAs,omitempty"` // where the rules of the profile are missing
	Standard     string               `json:"standard"`
	Syntax       string               `json:"syntax"`
	Language     string               `json:"language"`             // of the messages
	Attachment   string               `json:"attachment,omitempty"` // of the PDF that was sent; lines and columns are in it
	SchemaValid  *bool                `json:"schemaValid"`
	Counts       engine.Counts        `json:"counts"`
	Digest       string               `json:"digest"` // of rulesets, code lists, profile and overlays
	Rulesets     []engine.RulesetInfo `json:"rulesets"`
	Date         *engine.DecidingDate `json:"date,omitempty"`     // where time decides anything
	Overlays     []engine.OverlayInfo `json:"overlays,omitempty"` // that were asked for, or that the profile names
	RulesRun     int                  `json:"rulesRun"`
	RulesSkipped int                  `json:"rulesSkipped"`
	// FindingsOmitted counts those that one answer leaves out.
	FindingsOmitted int `json:"findingsOmitted"`
}

// SummaryOf is the summary of a report.
func SummaryOf(r *engine.Report, attachment string) *Summary {
	return &Summary{
		Profile: r.Profile, ValidatedAs: r.ValidatedAs, Standard: r.Standard, Syntax: r.Syntax, Language: r.Language, Attachment: attachment, SchemaValid: r.SchemaValid, Counts: r.Counts,
		Digest: r.Digest, Rulesets: r.Rulesets, Date: r.Date, Overlays: r.Overlays, RulesRun: r.RulesRun, RulesSkipped: r.RulesSkipped,
		FindingsOmitted: len(r.Findings) - len(Findings(r)) + r.OmittedCount(),
	}
}

// Findings are those that an answer has, the first of every rule among them.
func Findings(r *engine.Report) []engine.Finding {
	if r.Findings == nil {
		return []engine.Finding{}
	}
	return engine.First(r.Findings, Most)
}

// Warnings are the findings of that level among those that an answer has.
func Warnings(r *engine.Report) []engine.Finding {
	out := []engine.Finding{}
	for _, f := range Findings(r) {
		if f.Level == engine.Warning {
			out = append(out, f)
		}
	}
	return out
}

// A Document is one that was created, converted, transformed, embedded or rendered.
type Document struct {
	Document  any    `json:"document"` // a PDF in base64, all others as text
	MediaType string `json:"mediaType"`
	FileName  string `json:"fileName"`

	Data []byte `json:"-"`
}

// DocumentOf is the answer with a document.
func DocumentOf(data []byte, mediaType, fileName string) Document {
	d := Document{Document: data, MediaType: mediaType, FileName: fileName, Data: data}
	if mediaType != write.MediaTypePDF {
		d.Document = string(data)
	}
	return d
}

// A LossReport says how a document differs from the one it was made from.
type LossReport struct {
	Lost   int            `json:"lost"`
	Losses []formats.Loss `json:"losses"`
	// LossesOmitted counts those that one answer leaves out.
	LossesOmitted int `json:"lossesOmitted"`
}

// LossesOf reports losses, with their reasons in a language; nil is English.
func LossesOf(losses []formats.Loss, language *words.Language) *LossReport {
	shown := append([]formats.Loss{}, losses[:min(len(losses), Most)]...)
	for i := range shown {
		shown[i].Reason = language.Say(shown[i].Reason)
	}
	return &LossReport{Lost: formats.Lost(losses), Losses: shown, LossesOmitted: len(losses) - len(shown)}
}

// A Converted document is one in another syntax.
type Converted struct {
	Document
	*LossReport
}

// A Made document is one that was validated.
type Made struct {
	Document
	*LossReport
	Warnings []engine.Finding `json:"warnings"`
	Findings []engine.Finding `json:"findings"`
	Report   *Summary         `json:"report"`
}

// MadeOf is the answer with a document that was made, whose findings are as Report.Translate
// left them.
func MadeOf(made *write.Made, language *words.Language) *Made {
	return &Made{
		Document: DocumentOf(made.Data, made.MediaType, made.FileName), LossReport: LossesOf(made.Losses, language),
		Warnings: Warnings(made.Report), Findings: Findings(made.Report), Report: SummaryOf(made.Report, ""),
	}
}

// Codes of problems that are not an error of an operation.
const (
	CodeViolations = "VALIDATION-FAILED"
	CodeLossy      = "CONVERSION-LOSSY"
	CodeTimeout    = "VALIDATION-TIMEOUT"
	CodeInternal   = "INTERNAL"
)
