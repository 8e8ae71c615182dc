package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model/pattern"
)

// What is written otherwise than it is meant, as often as not: it is told as a warning.

// grouped is a number that may be meant as thousands.
var grouped = pattern.Later(`^-?[0-9]{1,3}(\.[0-9]{3})+$`)

// mayBeThousands warns of a decimal number with three digits behind the point.
func mayBeThousands(what, value string) error {
	if !grouped().MatchString(value) {
		return nil
	}
	return fmt.Errorf("%s is %s, less than a thousand, as a point is the decimal mark: write %s where thousands are meant, and else fewer digits behind the point",
		what, value, strings.ReplaceAll(value, ".", ""))
}

// checkDefaults warns of defaults of decimal parameters that may be meant as thousands.
func checkDefaults(l *engine.Library, s *engine.Ruleset) (warnings engine.LoadErrors) {
	own, _ := l.Own()
	for _, p := range s.Parameters {
		at := s.Defined[p.Name]
		if err := mayBeThousands("the default of "+p.Name, p.Default); err != nil && p.Type == "decimal" && isIn(own, at.File) {
			at.Message = err.Error()
			warnings = append(warnings, at)
		}
	}
	return warnings
}

// overlayWarnings warns of what overlays of the library's own folder say.
func overlayWarnings(l *engine.Library) (warnings engine.LoadErrors) {
	names, err := l.OwnOverlays()
	if err != nil {
		return nil
	}
	profiles, err := l.Profiles()
	if err != nil {
		return nil // reported with the profiles
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			continue // a mistake, which is told
		}
		for _, parameter := range slices.Sorted(maps.Keys(o.Parameters)) {
			value := o.Parameters[parameter]
			if err := mayBeThousands("the parameter "+parameter, value.Value); err != nil {
				warnings = append(warnings, value.Mistake(o.File, err))
			}
		}
		warnings = append(warnings, partyWarnings(l, &o.Documents, func(format string, args ...any) engine.LoadError { return o.Mistake("documents", format, args...) })...)
		for i := range o.Levels {
			warnings = append(warnings, partyWarnings(l, &o.Levels[i].Documents, o.Levels[i].Mistake)...)
		}
		warnings = append(warnings, l.Unreached(o, profiles)...)
		if o.ChangesRules() {
			warnings = append(warnings, l.DecisionsOfOverlay(o).Doubts()...)
		}
	}
	return append(warnings, l.Gaps()...)
}

// partyWarnings warns of sellers of whom the kind of identifier is not said, and of schemes that
// no valid invoice has.
func partyWarnings(l *engine.Library, d *engine.Documents, mistake func(format string, args ...any) engine.LoadError) (warnings engine.LoadErrors) {
	if value, found := d.PlainSeller(); found {
		warnings = append(warnings, mistake("documents.seller names %s, and a supplier may write that into any identifier: say of which kind it is, such as {vat: %s}", value, value))
	}
	for _, id := range slices.Concat(d.Seller, d.Buyer) {
		name := "icd"
		if id.Kind == engine.KindEndpoint {
			name = "eas"
		}
		if list, err := l.CodeList(name); err == nil && id.Scheme != "" && !list.Contains(id.Scheme) {
			warnings = append(warnings, mistake("the scheme %q of %s is not in the code list %s, so no valid invoice has it: write a code of the list, such as 0088", id.Scheme, id.Value, name))
		}
	}
	return warnings
}

// called is the regular expression of a call of matches.
var called = pattern.Later(`matches\(\s*(?:[\w.]+\s*,\s*)?r?(?:"([^"]*)"|'([^']*)')`)

// checkPatterns warns of regular expressions that match anywhere in a text.
func checkPatterns(r *engine.Rule) (warnings engine.LoadErrors) {
	for _, form := range r.Forms() {
		for _, m := range called().FindAllStringSubmatch(form.Assert.Value, -1) {
			text := m[1] + m[2]
			if !strings.HasPrefix(text, "^") && !strings.HasSuffix(text, "$") && !strings.HasPrefix(text, "(^") && !strings.HasPrefix(text, `\A`) {
				warnings = append(warnings, form.Assert.Mistake(r.File(), fmt.Errorf("the regular expression %q matches anywhere in the text: anchor it with ^ and $ where all of the text is meant, or write .* where anything may be around it", text)))
			}
		}
	}
	return slices.CompactFunc(warnings, func(a, b engine.LoadError) bool { return a.Error() == b.Error() })
}
