package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"strings"

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
	verdicts, err := p.options.VeraPDF.Check(ctx, received.Container.Bytes())
	if stopped := ctx.Err(); stopped != nil {
		return fmt.Errorf("validation stopped: %w", stopped)
	}
	if err != nil {
		f := archiveFinding(archiveRule, engine.Warning, "veraPDF gave no verdict: "+err.Error()+".", archiveText)
		f.Failed = true
		report.Add(f)
		return nil
	}
	for i := range verdicts {
		report.Add(archiveFindings(&verdicts[i])...)
	}
	return nil
}

// archiveText is the rule that the verdict as a whole is about.
const archiveText = "The PDF is what it claims to be."

// archiveFindings has the verdict as a whole, and one finding for each clause that
// the PDF does not keep. PDF/A is what an invoice has to keep; what else a PDF
// claims, such as PDF/UA, is its own affair.
func archiveFindings(v *verapdf.Verdict) []engine.Finding {
	if v.Compliant {
		return []engine.Finding{archiveFinding(archiveRule, engine.Information,
			fmt.Sprintf("veraPDF accepts the PDF as %s: it keeps all %d rules.", v.Profile, v.Rules), archiveText)}
	}
	level := engine.Warning
	if strings.HasPrefix(v.Profile, "PDF/A") {
		level = engine.Fatal
	}
	findings := []engine.Finding{archiveFinding(archiveRule, level,
		fmt.Sprintf("veraPDF does not accept the PDF as %s: it breaks %d rules and keeps %d.", v.Profile, len(v.Failures), v.Rules), archiveText)}
	for i := range v.Failures {
		f := &v.Failures[i]
		message := cmp.Or(f.Message, f.Text)
		if f.Places > 1 {
			message += fmt.Sprintf(" (%d places)", f.Places)
		}
		finding := archiveFinding(fmt.Sprintf("%s-%s-%s", archiveRule, f.Clause, f.Test), level, message, f.Standard+", "+f.Clause+": "+f.Text)
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
