package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A word that is no command is an error wherever a command is expected, and in help of one. A
// command itself, and a group without a word, are found.
func TestUnknownCommands(t *testing.T) {
	groups := 0
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		if got, err := find(newRoot(Machines{}), path); err != nil || got.CommandPath() != cmd.CommandPath() {
			t.Errorf("%s: %v", cmd.CommandPath(), err)
		}
		if cmd.HasSubCommands() && !cmd.Runnable() {
			groups++
			first := cmd.Commands()[0].Name()
			for word, want := range map[string]string{"zzzz": "there is no command", first + "x": "did you mean"} {
				misspelt := append(path[:len(path):len(path)], word)
				calls := [][]string{misspelt, append(misspelt[:len(misspelt):len(misspelt)], "--help"), append(misspelt[:len(misspelt):len(misspelt)], "--zzzz", "x"), append(append([]string{"help"}, path...), word)}
				if cmd.Parent() == nil { // below it the library does not look behind flags
					calls = append(calls, []string{"--language", "de", word}, []string{"--language=de", word, "x"})
				}
				for _, args := range calls {
					if _, err := find(newRoot(Machines{}), args); err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("einvoice %s: %v", strings.Join(args, " "), err)
					}
				}
			}
		}
		if cmd.Runnable() && cmd.Args != nil {
			if err := cmd.Args(cmd, slices.Repeat([]string{"zzzz"}, 99)); err != nil && strings.Contains(err.Error(), "command") {
				t.Errorf("%s takes an argument for a command: %v", cmd.CommandPath(), err)
			}
		}
		for _, c := range cmd.Commands() {
			each(c)
		}
	}
	each(newRoot(Machines{}))
	for _, args := range [][]string{nil, {"--version"}, {"help"}, {"help", "validate", "more"}, {"rules", "--help"}, {"__complete", "rules", ""}} {
		if _, err := find(newRoot(Machines{}), args); err != nil {
			t.Errorf("einvoice %s: %v", strings.Join(args, " "), err)
		}
	}
	if groups < 7 {
		t.Errorf("only %d groups of commands", groups)
	}
}
