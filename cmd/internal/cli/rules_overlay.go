package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
)

// overlaysAmong tells the names of overlays from those of rulesets, which come first where both
// have one name.
func overlaysAmong(library *engine.Library, names []string) (rulesets, overlays []string, err error) {
	versions, err := library.Versions()
	if err != nil {
		return nil, nil, err
	}
	known, err := library.OverlayNames()
	for _, name := range names {
		if versions[name] == nil && slices.Contains(known, name) {
			overlays = append(overlays, name)
		} else {
			rulesets = append(rulesets, name)
		}
	}
	return rulesets, overlays, err
}

// overlaysOn are the overlays of a library that are in force on a day; all for no day.
func overlaysOn(library *engine.Library, at engine.Day) (overlays []*engine.Overlay, err error) {
	names, err := library.OverlayNames()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o, err := library.Overlay(name)
		if err != nil {
			return nil, err
		}
		if at == "" || o.Effective.Has(at) {
			overlays = append(overlays, o)
		}
	}
	return overlays, nil
}

// listOverlay lists an overlay as rulesets are: who answers for it, its rules and changes.
func listOverlay(w io.Writer, o *engine.Overlay, at engine.Day, language *words.Language) {
	fmt.Fprintf(w, "overlay %s\t%s\t%s\tsha256 %s%s\n", o.Name, o.Owner, language.Say(o.Title), o.SHA256[:12], inForce(o.Effective, language))
	if o.Rules() != nil {
		for _, r := range o.Rules().Rules {
			if at == "" || r.Effective.Has(at) {
				_, text := r.Said(language)
				fmt.Fprintf(w, "  %s\t%s\t%s\t%s%s\n", r.ID, r.Level, strings.Join(r.BTCodes.Value, " "), text, inForce(r.Effective, language))
			}
		}
	}
	for i := range o.Levels {
		c := &o.Levels[i]
		if at != "" && !c.Holds(at) {
			continue // the published level is in force again
		}
		until := ""
		if c.Until != "" {
			until = fmt.Sprintf("until %s", c.Until)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s: %s\n", language.Say("changes"), c.Level, language.Say(until), strings.Join(c.Rules, " "), language.Say(c.Reason))
	}
}

// decidingDays are the days that decide about an overlay where its documents' issue dates do not.
var decidingDays = map[string]string{
	engine.DecidedByReceipt:    "the day of receipt",
	engine.DecidedByValidation: "the day of validation",
}

// showOverlay prints what an overlay changes; false where there is none of the name.
func showOverlay(w io.Writer, library *engine.Library, name string, language *words.Language, asJSON bool) (bool, error) {
	names, err := library.OverlayNames()
	if err != nil || !slices.Contains(names, name) {
		return false, err
	}
	o, err := library.Overlay(name)
	if err != nil {
		return false, err
	}
	card := ruletest.OverlayCardOf(o)
	if asJSON {
		return true, writeJSON(w, card)
	}
	p := cardPrinter{w, language}
	fmt.Fprintf(w, "%s  (%s)\n\n", o.Name, p.say("overlay"))
	printWrapped(w, p.say(o.Title))
	for _, part := range []struct{ title, text string }{
		{"Owner", card.Owner}, {"Published in", card.Source}, {"Rests on", strings.Join(card.On, ", ")}, {"Has priority over", strings.Join(card.Over, ", ")},
		{"Never together with", strings.Join(card.NotWith, ", ")}, {"For documents", card.Documents}, {"In force", p.say(card.Effective)}, {"Decided by", p.say(decidingDays[card.DecidedBy])}, {"Runs also", strings.Join(card.Rulesets, ", ")},
		{"Rules of its own", strings.Join(card.Rules, ", ")}, {"Code lists", strings.Join(card.CodeLists, ", ")}, {"Version", "sha256 " + card.SHA256},
	} {
		if part.text != "" {
			p.title(part.title)
			printWrapped(w, part.text)
		}
	}
	if len(card.Parameters) > 0 {
		p.title("Parameters")
		for _, name := range slices.Sorted(maps.Keys(card.Parameters)) {
			fmt.Fprintf(w, "  %s: %s\n", name, card.Parameters[name])
		}
	}
	for _, c := range card.Levels {
		p.title(fmt.Sprintf("Makes %s %s", strings.Join(c.Rules, ", "), c.Level))
		until := ""
		if c.Until != "" {
			until = p.say(fmt.Sprintf("Until %s", c.Until))
		}
		for _, line := range []string{c.Where, c.Owner, until, p.say(c.Reason)} {
			if line != "" {
				printWrapped(w, line)
			}
		}
	}
	return true, nil
}
