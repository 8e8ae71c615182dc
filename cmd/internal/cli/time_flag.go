package cli

import (
	"errors"
	"time"

	"github.com/spf13/pflag"
)

// A span is a flag that is a time of at least so much.
type span struct {
	d     *time.Duration
	least time.Duration
}

func (f *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	switch {
	case err == nil && d >= f.least:
		*f.d = d
		return nil
	case f.least > 0:
		return errors.New("write a time of more than 0 with its unit, such as 500ms, 30s or 2m")
	}
	return errors.New("write a time of 0 or more with its unit, such as 500ms, 30s or 2m")
}

func (f *span) String() string {
	if f.d == nil { // pflag asks a new one what its zero value is
		return "0"
	}
	return f.d.String()
}

// Type is what the help calls the value.
func (f *span) Type() string { return "duration" }

// spanVar adds a flag that is a time of more than 0; what d holds is its default.
func spanVar(f *pflag.FlagSet, d *time.Duration, name, usage string) { f.Var(&span{d, 1}, name, usage) }

// waitVar adds a flag that is a time of 0 or more, where 0 means something; what d holds is its default.
func waitVar(f *pflag.FlagSet, d *time.Duration, name, usage string) { f.Var(&span{d, 0}, name, usage) }
