package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// A number is a flag that is a whole number of at least so much.
type number struct {
	n     *int
	least int
}

func (f *number) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < f.least {
		return fmt.Errorf("write a whole number of %d or more", f.least)
	}
	*f.n = n
	return nil
}

func (f *number) String() string {
	if f.n == nil { // pflag asks a new one what its zero value is
		return "0"
	}
	return strconv.Itoa(*f.n)
}

// Type is what the help calls the value.
func (f *number) Type() string { return "int" }

// countVar adds a flag that is a number of 1 or more: a limit, or how many are done at a time. What works with it
// takes 0 for the usual number, so that a flag of 0 would be ignored. What n holds is its default.
func countVar(f *pflag.FlagSet, n *int, name, usage string) { f.Var(&number{n, 1}, name, usage) }

// wholeVar adds a flag that is a number of 0 or more, where 0 means something; what n holds is its default.
func wholeVar(f *pflag.FlagSet, n *int, name, usage string) { f.Var(&number{n, 0}, name, usage) }
