package report

import (
	"fmt"

	"einvoice/engine"
)

var dateReasons = map[string]string{
	engine.ByIssueDate: "the issue date (BT-2)",
	engine.ByRequest:   "as asked for",
	engine.ByToday:     "today, as the document has no issue date (BT-2)",
}

// chosenRules says, a line each, which rules judged a document where it was not the
// profile alone that chose them: the day that decided, versions with a time, overlays.
func chosenRules(r *engine.Report) (lines []string) {
	if r.Date != nil {
		lines = append(lines, fmt.Sprintf("Judged by the rules in force on %s, %s.", r.Date.Day, dateReasons[r.Date.By]))
	}
	for _, s := range r.Rulesets {
		if s.Effective != nil {
			lines = append(lines, fmt.Sprintf("%s %s is in force %s.", s.Name, s.Version, s.Effective))
		}
	}
	for _, o := range r.Overlays {
		if o.Applied {
			lines = append(lines, fmt.Sprintf("Overlay %s: %s.", o.Name, o.Title))
		} else {
			lines = append(lines, fmt.Sprintf("Overlay %s does not apply: %s.", o.Name, o.Reason))
		}
	}
	return lines
}
