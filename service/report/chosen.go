package report

import (
	"fmt"

	"einvoice/engine"
)

var dateReasons = map[string]string{
	engine.ByIssueDate: "the issue date (BT-2)",
	engine.ByRequest:   "as asked for",
	engine.ByToday:     "today, as the document has no issue date (BT-2)",
	engine.ByMalformed: "today, as the issue date (BT-2) is not a day",
}

// chosenRules says, a line each, which rules judged a document where it was not the
// profile alone that chose them: the day that decided, versions with a time, overlays.
func chosenRules(r *engine.Report) (lines []string) {
	if r.Date != nil {
		lines = append(lines, judgedOn(r.Date))
		if r.Date.Receipt != "" {
			lines = append(lines, fmt.Sprintf("What the day of receipt decides is judged on %s.", r.Date.Receipt))
		}
		if r.Date.Validation != "" {
			lines = append(lines, fmt.Sprintf("What the day of validation decides is judged on %s.", r.Date.Validation))
		}
	}
	for _, s := range r.Rulesets {
		if s.Effective != nil && s.Name != engine.FolderOfOverlays {
			lines = append(lines, fmt.Sprintf("%s %s is in force %s.", s.Name, s.Version, s.Effective))
		}
	}
	for _, o := range r.Overlays {
		if o.Idle {
			continue
		}
		if o.Applied {
			lines = append(lines, fmt.Sprintf("Overlay %s: %s.", o.Name, o.Title), answersFor(&o))
			if o.Effective != nil {
				lines = append(lines, fmt.Sprintf("Overlay %s is in force %s.", o.Name, o.Effective))
			}
		} else {
			lines = append(lines, fmt.Sprintf("Overlay %s does not apply: %s.", o.Name, o.Reason))
		}
	}
	return lines
}

// judgedOn says which day decided.
func judgedOn(d *engine.DecidingDate) string {
	return fmt.Sprintf("Judged by the rules in force on %s, %s.", d.Day, dateReasons[d.By])
}

// answersFor says who answers for an overlay, and which version of it judged.
func answersFor(o *engine.OverlayInfo) string {
	if o.Owner == "" {
		return fmt.Sprintf("Its version is sha256 %s.", o.SHA256)
	}
	return fmt.Sprintf("%s answers for it; its version is sha256 %s.", o.Owner, o.SHA256)
}
