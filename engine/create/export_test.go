package create

import (
	"fmt"

	"einvoice/engine"
	"einvoice/model"
)

// CheckTarget plans every profile and syntax of a format.
func CheckTarget(l *engine.Library, format string) error {
	t, err := targetOf(format)
	if err != nil {
		return err
	}
	for _, profile := range t.Profiles {
		for _, syntax := range t.Syntaxes {
			o := &Options{Profile: model.NewText(profile.name), Syntax: model.NewText(string(syntax))}
			if _, err := (&Creator{library: l}).plan(format, o); err != nil {
				return fmt.Errorf("%s, %s: %w", format, profile, err)
			}
		}
	}
	for profile := range readTargets().BusinessProcesses {
		if _, err := l.Profile(profile); err != nil {
			return err
		}
	}
	return nil
}
