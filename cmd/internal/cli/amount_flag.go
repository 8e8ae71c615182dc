package cli

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// An amount is a flag that is a number from least to most, with or without a fraction.
type amount struct {
	n           *float64
	least, most float64
}

// Set reads a number. Neither NaN nor an infinite number is one: every comparison with NaN is false, so that a
// limit of NaN would bound nothing.
func (f *amount) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err == nil && n >= f.least && n <= f.most && !math.IsInf(n, 0) {
		*f.n = n
		return nil
	}
	if math.IsInf(f.most, 1) {
		return fmt.Errorf("write a number of %g or more, such as 0.5", f.least)
	}
	return fmt.Errorf("write a number from %g to %g, such as %g", f.least, f.most, 0.95*f.most)
}

func (f *amount) String() string {
	if f.n == nil { // pflag asks a new one what its zero value is
		return "0"
	}
	return strconv.FormatFloat(*f.n, 'g', -1, 64)
}

// Type is what the help calls the value.
func (f *amount) Type() string { return "float" }

// amountVar adds a flag that is a number of 0 or more, where 0 means something; what n holds is its default.
func amountVar(f *pflag.FlagSet, n *float64, name, usage string) {
	f.Var(&amount{n, 0, math.Inf(1)}, name, usage)
}

// percentageVar adds a flag that is a percentage.
func percentageVar(f *pflag.FlagSet, n *float64, name, usage string) {
	f.Var(&amount{n, 0, 100}, name, usage)
}

// confidenceVar adds a flag that is how sure something has to be, with the bounds that the API has for it.
func confidenceVar(f *pflag.FlagSet, n *float64, name, usage string) {
	f.Var(&amount{n, 0.01, 1}, name, usage)
}
