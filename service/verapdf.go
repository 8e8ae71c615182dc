package service

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf/verapdf"
)

// runVeraPDF adds what veraPDF says of the PDF that a document came in. Where veraPDF
// fails, that is a finding, and the invoice is validated all the same.
func (s *Service) runVeraPDF(ctx context.Context, received *formats.Received, report *engine.Report) error {
	if s.config.VeraPDF == nil || received.Container == nil {
		return nil
	}
	verdicts, err := s.config.VeraPDF.Check(ctx, received.Container.Bytes())
	if stopped := ctx.Err(); stopped != nil {
		return fmt.Errorf("validation stopped: %w", stopped)
	}
	if err != nil {
		f, failed := s.notice(noticeVeraPDF, "failed", values{"error": err.Error()})
		f.Failed = true
		report.Add(f)
		return failed
	}
	for i := range verdicts {
		findings, err := s.veraPDFFindings(&verdicts[i])
		if err != nil {
			return err
		}
		report.Add(findings...)
	}
	return nil
}

// veraPDFFindings are one for the verdict as a whole, and one for each clause that the
// PDF fails.
func (s *Service) veraPDFFindings(v *verapdf.Verdict) ([]engine.Finding, error) {
	about := values{"profile": v.Profile, "rules": strconv.Itoa(v.Rules), "broken": strconv.Itoa(len(v.Failures))}
	which := "accepted"
	if !v.Compliant {
		which = "claimRefused"
		if strings.HasPrefix(v.Profile, "PDF/A") {
			which = "refused"
		}
	}
	whole, err := s.notice(noticeVeraPDF, which, about)
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
		f, err := s.notice(noticeVeraPDFClause, which, values{
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
