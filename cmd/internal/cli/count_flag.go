package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// A count is a flag that is a number of 1 or more: a limit, or how many are done at a time. What works
// with it takes 0 for the usual number, so that a flag of 0 would be ignored.
type count int

func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("write a whole number of 1 or more")
	}
	*c = count(n)
	return nil
}

func (c *count) String() string { return strconv.Itoa(int(*c)) }

// Type is what the help calls the value.
func (c *count) Type() string { return "int" }

// countVar adds a flag that is a number of 1 or more; what n holds is its default.
func countVar(f *pflag.FlagSet, n *int, name, usage string) {
	f.Var((*count)(n), name, usage)
}

// A whole is a flag that is a number of 0 or more, where 0 means something.
type whole int

func (w *whole) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("write a whole number of 0 or more")
	}
	*w = whole(n)
	return nil
}

func (w *whole) String() string { return strconv.Itoa(int(*w)) }

// Type is what the help calls the value.
func (w *whole) Type() string { return "int" }

// wholeVar adds a flag that is a number of 0 or more; what n holds is its default.
func wholeVar(f *pflag.FlagSet, n *int, name, usage string) {
	f.Var((*whole)(n), name, usage)
}
