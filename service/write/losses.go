package write

import (
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/service/validate"
)

// WithoutPlaces removes lines and columns from findings: they belong to a document that the
// caller of a request has never seen.
func WithoutPlaces(report *engine.Report) {
	for i := range report.Findings {
		report.Findings[i].Line, report.Findings[i].Column = nil, nil
	}
}

// LossFindings returns findings about terms that could not be written as the invoice has them.
// A term that is missing from the document is an error: the caller asked for it and would not
// notice.
func (out *Output) LossFindings(losses []formats.Loss) ([]engine.Finding, error) {
	findings := make([]engine.Finding, 0, len(losses))
	for _, l := range byGroup(losses, out.Syntax) {
		about := validate.Values{"value": quote.Value(l.Value), "count": l.count(), "reason": l.Reason, "kind": string(l.Kind)}
		var f engine.Finding
		var err error
		switch {
		case l.values > 1, l.Kind == binding.Lost && l.Entries > 0:
			f, err = out.service.Notice(noticeNoPlace, "group", about)
		case l.Kind == binding.Lost:
			f, err = out.service.Notice(noticeNoPlace, "value", about)
		case l.Value != "":
			f, err = out.service.Notice(noticeOtherwise, "value", about)
		default:
			f, err = out.service.Notice(noticeOtherwise, "noValue", about)
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

// A groupLoss is a loss, or that of several values of a group that the syntax does not have.
type groupLoss struct {
	formats.Loss
	values int
}

// count is how much of the group is lost.
func (l *groupLoss) count() string {
	if l.values == 1 && l.Entries > 0 {
		return numeral.Count(l.Entries, "entry") // said with the finding
	}
	return numeral.Count(l.values, "value")
}

// byGroup makes one loss of all that is lost with a group, or a list of groups, for which
// the syntax has no place at all: leaving it out is one correction, not one for each value.
func byGroup(losses []formats.Loss, syntax model.Syntax) []groupLoss {
	out := make([]groupLoss, 0, len(losses))
	at := map[string]int{} // in out, by the path of the group
	for _, l := range losses {
		group, field := groupWithoutPlace(l.Field, syntax)
		if l.Kind != binding.Lost || group == "" {
			out = append(out, groupLoss{l, 1})
			continue
		}
		i, known := at[group]
		if !known {
			at[group] = len(out)
			out = append(out, groupLoss{l, 1})
			continue
		}
		out[i].values++
		out[i].Field, out[i].BTCode = group, field.BT
	}
	return out
}

// groupWithoutPlace is the path of the outermost group around a term for which the syntax
// has no place, without the index of an entry; empty where it has one for all of them.
func groupWithoutPlace(path string, syntax model.Syntax) (string, *model.Field) {
	t := model.InvoiceType()
	places := groupsBySyntax()[syntax]
	general := ""
	for end := 0; end < len(path); {
		step, rest, _ := strings.Cut(path[end:], ".")
		name, _, _ := strings.Cut(step, "[")
		field, ok := t.Field(name)
		if !ok || field.Elem == nil {
			return "", nil
		}
		if general = model.Join(general, name); !places[general] {
			return path[:end] + name, field
		}
		t, end = field.Elem, len(path)-len(rest)
	}
	return "", nil
}

// groupsBySyntax are the paths of the groups that each syntax has a term of.
var groupsBySyntax = sync.OnceValue(func() map[model.Syntax]scope {
	out := map[model.Syntax]scope{}
	for _, format := range formats.All {
		s := scope{}
		for _, t := range format.Terms() {
			s.add(t.Path)
		}
		out[format.Syntax] = s
	}
	return out
})
