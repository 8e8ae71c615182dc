package create

import (
	"fmt"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
)

// WithoutPlaces takes lines and columns out of findings: they are those of a
// document that the caller of a request has never seen.
func WithoutPlaces(report *engine.Report) {
	for i := range report.Findings {
		report.Findings[i].Line, report.Findings[i].Column = nil, nil
	}
}

// placeFindings turns what could not be written as the invoice has it into
// findings. A term that would be missing from the document is an error: whoever
// asked for it would not notice.
func placeFindings(losses []formats.Loss) []engine.Finding {
	var out []engine.Finding
	for _, l := range losses {
		f := engine.Finding{
			Rule: "NO-PLACE", Layer: engine.LayerSchema, Level: engine.Fatal,
			Message: fmt.Sprintf("The value %q cannot be written: %s. Leave it out, or choose another format.", short(l.Value), l.Reason),
			BTCodes: []string{}, Raw: "[NO-PLACE](schema) Every term of the invoice has a place in the document.",
		}
		if l.Kind != binding.Lost {
			f.Rule, f.Level = "WRITTEN-OTHERWISE", engine.Information
			f.Message = fmt.Sprintf("The document differs from the invoice: %s.", l.Reason)
			if l.Value != "" {
				f.Message = fmt.Sprintf("The document differs from the invoice (%s %q): %s.", l.Kind, short(l.Value), l.Reason)
			}
			f.Raw = "[WRITTEN-OTHERWISE](schema) The document says what the invoice says."
		}
		if l.BTCode != "" {
			f.BTCodes = []string{l.BTCode}
		}
		if l.Field != "" {
			f.Fields = []string{l.Field}
		}
		out = append(out, f)
	}
	return out
}

func short(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
