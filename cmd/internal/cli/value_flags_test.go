package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// zeroTimes are the times that may be 0, and why. The names are those of flags in all commands.
var zeroTimes = map[string]string{
	"settle":      "files come in one step",
	"time":        "there is no limit",
	"queue-wait":  "nothing waits",
	"drain-delay": "the end is at once",
}

// goWords are how Go and its libraries say what is wrong with a value.
var goWords = regexp.MustCompile(`strconv|invalid syntax|time: |slog: |parse error|out of range`)

// eachFlag calls a function with every flag of every command.
func eachFlag(do func(c *cobra.Command, f *pflag.Flag)) {
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			each(below)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { do(c, f) })
	}
	each(newRoot(Machines{}))
}

// A flag that is a number or a time is of a type of the program: the library's take every value,
// NaN and times below 0 too, and say in Go's words what they do not take.
func TestValuesOfFlags(t *testing.T) {
	types := map[string]int{}
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		name := c.CommandPath() + " --" + f.Name
		var wrong []string
		switch f.Value.(type) {
		case *number:
			wrong = []string{"x", "", "1.5", "-1", "99999999999999999999"}
		case *amount:
			wrong = []string{"x", "", "NaN", "nan", "Inf", "+inf", "-Inf", "infinity", "-1", "1e999"}
		case *span:
			wrong = []string{"x", "", "5", "-1s", "-0.1ms", "NaNs", "99999999h"}
			if err := c.Flags().Set(f.Name, "0"); (err == nil) != (zeroTimes[f.Name] != "") {
				t.Errorf("%s 0: %v", name, err)
			}
		case *byteSize:
			wrong = []string{"x", "", "-1", "NaN", "1.5MiB"}
		case *logLevel:
			wrong = []string{"x", ""}
		default:
			switch f.Value.Type() {
			case "bool":
				wrong = []string{"x"}
			case "stringSlice":
				wrong = []string{`a"b`}
			default:
				if regexp.MustCompile(`int|float|duration|count`).MatchString(f.Value.Type()) {
					t.Errorf("%s is a %s of the library: use one of the program's types", name, f.Value.Type())
				}
				return
			}
		}
		types[f.Value.Type()]++
		for _, value := range wrong {
			err := c.Flags().Set(f.Name, value)
			if err == nil {
				t.Errorf("%s takes %q", name, value)
				continue
			}
			said := c.FlagErrorFunc()(c, err).Error()
			if !strings.Contains(said, f.Name) || goWords.MatchString(said) {
				t.Errorf("%s %q: %s", name, value, said)
			}
		}
	})
	if len(types) != 7 || types["float"] < 3 || types["duration"] < 15 {
		t.Errorf("flags were tried by type: %v", types)
	}
}

// A setting of the environment is taken as its flag is.
func TestValuesOfTheEnvironment(t *testing.T) {
	serve := func() *cobra.Command { return Machines{}.newServe() }
	tried := 0
	serve().Flags().VisitAll(func(f *pflag.Flag) {
		if !isSetting(f) {
			return
		}
		for _, value := range []string{"NaN", "-1s", "-1", "Inf", "x"} {
			byFlag := serve().Flags().Set(f.Name, value)
			byName := fromEnvironment(serve().Flags(), []string{environmentName(f.Name) + "=" + value})
			if (byFlag == nil) != (byName == nil) || byName != nil && goWords.MatchString(byName.Error()) {
				t.Errorf("%s %s: %v, and %v from the environment", f.Name, value, byFlag, byName)
			}
			if byName != nil {
				tried++
			}
		}
	})
	if tried < 100 {
		t.Errorf("%d values were refused", tried)
	}
}

// The times that may be 0 are there.
func TestZeroTimes(t *testing.T) {
	var names []string
	eachFlag(func(_ *cobra.Command, f *pflag.Flag) { names = append(names, f.Name) })
	for name := range zeroTimes {
		if !slices.Contains(names, name) {
			t.Errorf("there is no flag --%s", name)
		}
	}
}
