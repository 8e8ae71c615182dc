package report

import (
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
)

// provenance says whose a finding is where an overlay brought it about: which overlay, who
// answers for it, since when, and why its level is another; "" for a published rule as it is.
func provenance(f *engine.Finding, language *words.Language) string {
	if f.Overlay == "" {
		return ""
	}
	var said []string
	if f.PublishedLevel == "" || f.LevelReason == "" {
		if f.Owner == "" {
			said = append(said, language.Say(fmt.Sprintf("Asked by overlay %s.", f.Overlay)))
		} else {
			said = append(said, language.Say(fmt.Sprintf("Asked by overlay %s, for which %s answers.", f.Overlay, f.Owner)))
		}
	} else {
		from, to := levelNames[f.PublishedLevel], levelNames[f.Level]
		if f.LevelUntil == "" {
			said = append(said, language.Say(fmt.Sprintf("Level changed from %s to %s by overlay %s, for which %s answers.", from, to, f.Overlay, f.Owner)))
		} else {
			said = append(said, language.Say(fmt.Sprintf("Level changed from %s to %s until %s by overlay %s, for which %s answers.", from, to, f.LevelUntil, f.Overlay, f.Owner)))
		}
		said = append(said, strings.Replace(language.Say("The reason: …."), "…", strings.TrimSuffix(language.Written(f.LevelReason), "."), 1))
	}
	if f.Since != "" {
		said = append(said, language.Say(fmt.Sprintf("In force from %s.", f.Since)))
	}
	return strings.Join(said, " ")
}

// labelled is a text behind what it is, with the colon of the language.
func labelled(label, text string, language *words.Language) string {
	return label + language.Say(":") + " " + text
}

// provenanceOn is provenance with the day that decided, for formats that have one text for a
// finding and none for the document.
func provenanceOn(r *engine.Report, f *engine.Finding, language *words.Language) string {
	said := provenance(f, language)
	if said != "" && r.Date != nil {
		said += " " + language.Say(judgedOn(r.Date))
	}
	return said
}

// withProvenance is the message of a finding with whose it is.
func withProvenance(r *engine.Report, f *engine.Finding, language *words.Language) string {
	if said := provenanceOn(r, f, language); said != "" {
		return f.Message + " " + said
	}
	return f.Message
}
