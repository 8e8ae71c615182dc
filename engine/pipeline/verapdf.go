package pipeline

import (
	"context"
	"fmt"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf/verapdf"
)

// archiveRule begins the rules of veraPDF's findings, which are its own: a clause
// of ISO 19005 and the number of a test.
const archiveRule = "VERAPDF"

// judgeArchive has veraPDF judge the PDF that a document came in, and adds what it
// says. Where it fails, that is told, and the invoice is judged all the same.
func (p *Pipeline) judgeArchive(ctx context.Context, received *formats.Received, report *engine.Report) error {
	if p.options.VeraPDF == nil || received.Container == nil {
		return nil
	}
	verdict, err := p.options.VeraPDF.Check(ctx, received.Container.Bytes())
	if stopped := ctx.Err(); stopped != nil {
		return fmt.Errorf("validation stopped: %w", stopped)
	}
	if err != nil {
		f := archiveFinding(archiveRule, engine.Warning, "veraPDF gave no verdict: "+err.Error()+".", "The PDF is the PDF/A that it claims to be.")
		f.Failed = true
		report.Add(f)
		return nil
	}
	report.Add(archiveFindings(verdict)...)
	return nil
}

// archiveFindings has one finding for each clause that the PDF does not keep, and
// the verdict as a whole.
func archiveFindings(v *verapdf.Verdict) []engine.Finding {
	if v.Compliant && len(v.Failures) == 0 {
		return []engine.Finding{archiveFinding(archiveRule, engine.Information,
			fmt.Sprintf("veraPDF accepts the PDF as %s: it keeps all %d rules.", v.Profile, v.Rules), "The PDF is the PDF/A that it claims to be.")}
	}
	findings := []engine.Finding{archiveFinding(archiveRule, engine.Information,
		fmt.Sprintf("veraPDF does not accept the PDF as %s: it breaks %d rules and keeps %d.", v.Profile, len(v.Failures), v.Rules), "The PDF is the PDF/A that it claims to be.")}
	for i := range v.Failures {
		f := &v.Failures[i]
		message := f.Message
		if message == "" {
			message = f.Text
		}
		if f.Places > 1 {
			message += fmt.Sprintf(" (%d places)", f.Places)
		}
		finding := archiveFinding(fmt.Sprintf("%s-%s-%s", archiveRule, f.Clause, f.Test), engine.Fatal, message, f.Standard+", "+f.Clause+": "+f.Text)
		finding.Location = f.Place
		findings = append(findings, finding)
	}
	return findings
}

func archiveFinding(rule string, level engine.Level, message, text string) engine.Finding {
	return engine.Finding{
		Rule: rule, Layer: engine.LayerContainer, Level: level, Message: message, BTCodes: []string{},
		Raw: fmt.Sprintf("[%s](%s) %s", rule, engine.LayerContainer, text),
	}
}
