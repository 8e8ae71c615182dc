package bulk

import (
	"cmp"
	_ "embed"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"einvoice/model/template"
	"einvoice/service/report"
)

//go:embed report.html
var reportTemplate string

var reportPage = sync.OnceValue(func() *template.Template { return template.HTML(reportTemplate, nil) })

// Bounds of the page: a person is to read it.
const (
	mostShownRules   = 200
	mostShownSellers = 500
)

// A NamedRule is a rule of a summary.
type NamedRule struct {
	ID string
	RuleCount
}

// TopRules are the rules of most documents, and how many there are besides.
func (s *Summary) TopRules(most int) (top []NamedRule, more int) {
	for _, id := range slices.Sorted(maps.Keys(s.Rules)) {
		top = append(top, NamedRule{id, s.Rules[id]})
	}
	slices.SortStableFunc(top, func(a, b NamedRule) int { return cmp.Compare(b.Documents, a.Documents) })
	more = max(len(top)-most, 0)
	return top[:len(top)-more], more
}

// Compares reports whether the job compares two sets of rules.
func (s *Summary) Compares() bool { return s.Operation == (*Impact)(nil).Name() }

// WriteHTML writes a page for people, which loads nothing.
func (s *Summary) WriteHTML(w io.Writer) error {
	page := struct {
		*Summary
		Style                  template.Safe
		Time, State            string
		Compares               bool
		Top                    []NamedRule
		Shown                  []SellerCount
		MoreRules, MoreSellers int
	}{Summary: s, Style: report.Style, Compares: s.Compares(), State: s.State(), Time: (time.Duration(s.Microseconds) * time.Microsecond).Round(time.Millisecond).String()}
	page.Top, page.MoreRules = s.TopRules(mostShownRules)
	sellers := slices.Clone(s.Sellers)
	slices.SortStableFunc(sellers, func(a, b SellerCount) int {
		return cmp.Or(cmp.Compare(b.Changed, a.Changed), cmp.Compare(b.Invalid, a.Invalid), cmp.Compare(b.Documents, a.Documents))
	})
	page.MoreSellers = max(len(sellers)-mostShownSellers, 0)
	page.Shown = sellers[:len(sellers)-page.MoreSellers]
	return reportPage().Execute(w, "", page)
}
