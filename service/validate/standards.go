package validate

import (
	"slices"

	"einvoice/engine"
	"einvoice/model/quote"
	"einvoice/service/catalogue"
)

// standardsOf are the standards that documents can be asked to follow by name: those of profiles and
// of formats.
func standardsOf(l *engine.Library) (known []string, err error) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil, err
	}
	for _, p := range profiles {
		known = append(known, p.Standard)
	}
	for _, f := range catalogue.Formats() {
		if f.Check != nil {
			known = append(known, f.Check.Standard)
		}
	}
	slices.Sort(known)
	return slices.DeleteFunc(slices.Compact(known), func(name string) bool { return name == "" }), nil
}

// checkExcepted reports standards that overlays except and that there are not: such an overlay would
// apply to the documents that it is to leave alone.
func checkExcepted(l *engine.Library) (failures engine.LoadErrors) {
	known, err := standardsOf(l)
	if err != nil {
		return nil // reported with the profiles
	}
	names, err := l.OwnOverlays()
	if err != nil {
		return nil // reported with the overlays
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			continue
		}
		check := func(d *engine.Documents, mistake func(format string, args ...any) engine.LoadError) {
			for _, standard := range d.Except {
				if slices.Contains(known, standard) {
					continue
				}
				remedy := engine.Suggest(standard, known)
				if remedy == "" {
					remedy = "; write the standard of a profile or a format, such as facturx or xrechnung"
				}
				failures = append(failures, mistake("documents.except: there is no standard %s%s", quote.Value(standard), remedy))
			}
		}
		check(&o.Documents, func(format string, args ...any) engine.LoadError { return o.Mistake("documents", format, args...) })
		for i := range o.Levels {
			check(&o.Levels[i].Documents, o.Levels[i].Mistake)
		}
	}
	return failures
}
