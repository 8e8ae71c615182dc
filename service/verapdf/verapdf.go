// Package verapdf makes findings of what the program veraPDF says of a PDF.
package verapdf

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf/verapdf"
	"einvoice/model/numeral"
	"einvoice/service/validate"
)

// The findings of Check; rulesets/findings says what they say.
const (
	noticeVeraPDF       = "VERAPDF"
	noticeVeraPDFClause = "VERAPDF-{clause}-{test}"
)

// Check adds what veraPDF says of the PDF that a document came in. Where veraPDF
// fails, that is a finding, and the invoice is validated anyway.
func Check(program *verapdf.Program) validate.Check {
	return func(ctx context.Context, s *validate.Service, received *formats.Received, report *engine.Report) error {
		verdicts, err := program.Check(ctx, received.PDF.Data)
		if stopped := ctx.Err(); stopped != nil {
			return fmt.Errorf("validation stopped: %w", stopped)
		}
		if err != nil {
			f, failed := s.Notice(noticeVeraPDF, "failed", validate.Values{"error": err.Error()})
			f.Failed = true
			report.Add(f)
			return failed
		}
		for i := range verdicts {
			found, err := findings(s, &verdicts[i])
			if err != nil {
				return err
			}
			report.Add(found...)
		}
		return nil
	}
}

// findings are one for the verdict as a whole, and one for each clause that the
// PDF fails.
func findings(s *validate.Service, v *verapdf.Verdict) ([]engine.Finding, error) {
	about := validate.Values{"profile": v.Profile, "rules": numeral.Count(v.Rules, "rule"), "broken": numeral.Count(len(v.Failures), "rule")}
	which := "accepted"
	if !v.Compliant {
		which = "claimRefused"
		if strings.HasPrefix(v.Profile, "PDF/A") {
			which = "refused"
		}
	}
	whole, err := s.Notice(noticeVeraPDF, which, about)
	if err != nil || v.Compliant {
		return []engine.Finding{whole}, err
	}
	findings := []engine.Finding{whole}
	for i := range v.Failures {
		failure := &v.Failures[i]
		message := cmp.Or(failure.Message, failure.Text)
		if failure.Places > 1 {
			message += fmt.Sprintf(" (%d places)", failure.Places)
		}
		f, err := s.Notice(noticeVeraPDFClause, which, validate.Values{
			"clause": failure.Clause, "test": failure.Test, "standard": failure.Standard, "requirement": failure.Text, "message": message,
		})
		if err != nil {
			return nil, err
		}
		f.Location = failure.Place
		findings = append(findings, f)
	}
	return findings, nil
}
