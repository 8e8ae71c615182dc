package render

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/law"
	"einvoice/model/numeral"
	"einvoice/service/validate"
)

// The findings about what pages do not show; rulesets/findings says what they say.
const (
	noticeNotPrintable = "NOT-PRINTABLE"
	noticeNotShown     = "NOT-SHOWN"
)

// NotSaid is the rule of findings about statements that the law demands and an invoice does
// not make; rulesets/findings has its message.
const NotSaid = "NOT-SAID"

// Report adds findings about what the pages do not show.
func (p *Pages) Report(report *engine.Report, pages *page.Rendered) error {
	if report == nil || pages == nil {
		return errors.New("there are no pages to report on")
	}
	if err := p.reportUnprintable(report, pages.Missing); err != nil {
		return err
	}
	return p.reportUnshown(report, pages.Unshown)
}

// reportUnsaid adds a finding for each statement that the law of the seller's country wants and
// the invoice does not make.
func (p *Pages) reportUnsaid(report *engine.Report, lacks []law.Lack) error {
	for _, l := range lacks {
		f, err := p.Notice(NotSaid, "", validate.Values{"statement": l.Say, "clause": l.Clause})
		if err != nil {
			return err
		}
		report.Add(f)
	}
	return nil
}

// reportUnshown adds a finding about terms that the look leaves out.
func (p *Pages) reportUnshown(report *engine.Report, unshown []compose.Unshown) error {
	if len(unshown) == 0 {
		return nil
	}
	terms := make([]string, len(unshown))
	for i, u := range unshown {
		terms[i] = strings.TrimSpace(u.Label + " " + u.Term)
	}
	f, err := p.Notice(noticeNotShown, "", validate.Values{"count": numeral.Count(len(terms), "term"), "terms": strings.Join(terms, ", ")})
	if err != nil {
		return err
	}
	report.Add(f)
	return nil
}

// reportUnprintable adds a finding about characters that the pages cannot show.
func (p *Pages) reportUnprintable(report *engine.Report, missing []rune) error {
	if len(missing) == 0 {
		return nil
	}
	const most = 10
	codes := make([]string, min(len(missing), most))
	for i := range codes {
		codes[i] = fmt.Sprintf("U+%04X", missing[i])
	}
	f, err := p.Notice(noticeNotPrintable, "", validate.Values{"count": numeral.Count(len(missing), "character"), "characters": strings.Join(codes, ", ")})
	if err != nil {
		return err
	}
	report.Add(f)
	return nil
}
