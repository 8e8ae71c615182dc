package server

import (
	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/server/refusal"
	"einvoice/service/answer"
	"einvoice/service/verdict"
)

// violations is the problem of a document that violates rules; attachment is the file
// of a PDF that it was.
func violations(r *engine.Report, attachment string) *Problem {
	p := newProblem(refusal.ValidationFailed, "%s", "")
	p.judged, p.attachment = r, attachment
	p.tellViolations(nil)
	return p
}

// tellViolations says in a language which rules the document violates.
func (p *Problem) tellViolations(language *words.Language) {
	r := p.judged
	if err := r.Translate(language); err != nil { // the words of some findings are missing, the findings are not
		language = nil
	}
	p.Detail = verdict.Sentence(r, language)
	p.Errors = map[string][]string{"xml": verdict.Violations(r, language)}
	p.Warnings, p.Findings, p.Report = answer.Warnings(r), answer.Findings(r), answer.SummaryOf(r, p.attachment)
}
