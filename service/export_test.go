package service

import (
	"fmt"

	"einvoice/engine"
	"einvoice/model"
)

// CheckFormat finds every profile and syntax of a format.
func CheckFormat(l *engine.Library, format string) error {
	f, err := formatToCreate(format)
	if err != nil {
		return err
	}
	for _, profile := range f.Create.Profiles {
		for _, syntax := range f.Create.Syntaxes {
			o := &Options{Profile: model.NewText(profile.Name), Syntax: model.NewText(string(syntax))}
			if _, err := New(l, Config{}).output(format, o); err != nil {
				return fmt.Errorf("%s, %s: %w", format, profile, err)
			}
		}
	}
	for profile := range readCatalogue().BusinessProcesses {
		if _, err := l.Profile(profile); err != nil {
			return err
		}
	}
	return nil
}
