package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// withZero are the flags that 0 means something for, and why.
var withZero = map[string]string{
	"einvoice bulk run --jobs":            "0 with --nats leaves all to workers; without it, it is refused",
	"einvoice watch --keep-days":          "0 is never",
	"einvoice archive add --retain-years": "0 is no object lock",
	"einvoice rules mutate --least":       "0 demands nothing",
	"einvoice serve --burst":              "it is nothing without a rate",
}

// A number that a flag takes is one of 1 or more, or 0 means something: no flag is ignored.
func TestNumbersOfFlags(t *testing.T) {
	refused := 0
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		if f.Value.Type() != "int" {
			return
		}
		for name := range withZero {
			if command, flag, _ := strings.Cut(name, " --"); strings.HasPrefix(c.CommandPath()+" ", command+" ") && (flag == "" || flag == f.Name) {
				if n, ok := f.Value.(*number); ok && n.least == 0 {
					if err := c.Flags().Set(f.Name, "-1"); err == nil || !strings.Contains(err.Error(), "write a whole number of 0 or more") {
						t.Errorf("%s --%s -1: %v", c.CommandPath(), f.Name, err)
					}
					if err := c.Flags().Set(f.Name, "0"); err != nil {
						t.Errorf("%s --%s 0: %v", c.CommandPath(), f.Name, err)
					}
				} else {
					t.Errorf("%s --%s takes numbers below 0", c.CommandPath(), f.Name)
				}
				return
			}
		}
		for _, n := range []string{"0", "-1"} {
			if err := c.Flags().Set(f.Name, n); err == nil || !strings.Contains(err.Error(), "write a whole number of 1 or more") {
				t.Errorf("%s --%s %s: %v", c.CommandPath(), f.Name, n, err)
			}
		}
		refused++
	})
	if refused < 30 {
		t.Errorf("%d flags were tried", refused)
	}
}
