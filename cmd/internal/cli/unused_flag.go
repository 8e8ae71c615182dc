package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// onlyWith is the annotation of a flag that only some ways of running its command use.
const onlyWith = "einvoice_only_with"

// usedOnlyWith says in which ways of running a command flags have an effect.
func usedOnlyWith(f *pflag.FlagSet, ways string, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, onlyWith, strings.Fields(ways)); err != nil {
			panic(err)
		}
	}
}

// tellUnused names on standard error the flags that were given and have no effect in the way in
// which the command runs. The programs whose arguments these are ignore them as well, so that
// they are no mistake; but whoever gives one expects something of it.
func tellUnused(cmd *cobra.Command, way, said string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if ways, some := f.Annotations[onlyWith]; some && !slices.Contains(ways, way) {
			fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: --%s has no effect %s\n", f.Name, said)
		}
	})
}
