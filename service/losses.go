package service

import (
	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model/quote"
)

// WithoutPlaces takes lines and columns out of findings: they are those of a
// document that the caller of a request has never seen.
func WithoutPlaces(report *engine.Report) {
	for i := range report.Findings {
		report.Findings[i].Line, report.Findings[i].Column = nil, nil
	}
}

// lossFindings makes findings of what could not be written as the invoice has it. A
// term that would be missing from the document is an error: the caller asked for it
// and would not notice.
func (s *Service) lossFindings(losses []formats.Loss) ([]engine.Finding, error) {
	findings := make([]engine.Finding, 0, len(losses))
	for _, l := range losses {
		about := values{"value": quote.Value(l.Value), "reason": l.Reason, "kind": string(l.Kind)}
		var f engine.Finding
		var err error
		switch {
		case l.Kind == binding.Lost:
			f, err = s.notice(noticeNoPlace, "", about)
		case l.Value != "":
			f, err = s.notice(noticeOtherwise, "value", about)
		default:
			f, err = s.notice(noticeOtherwise, "noValue", about)
		}
		if err != nil {
			return nil, err
		}
		if l.BTCode != "" {
			f.BTCodes = []string{l.BTCode}
		}
		if l.Field != "" {
			f.Fields = []string{l.Field}
		}
		findings = append(findings, f)
	}
	return findings, nil
}
