package cli

import (
	"fmt"
	"strconv"
	"strings"

	"einvoice/model/nearest"
	"einvoice/model/quote"

	"github.com/spf13/cobra"
)

// find returns the command that arguments name, or an error for a word where a command is
// expected. Cobra shows the help of a group then, as if it was asked for, and succeeds: a
// misspelt check would pass.
func find(root *cobra.Command, args []string) (*cobra.Command, error) {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return root, nil // a shell asks what may follow
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil { // of the library, which knows where flags end, in its words
		if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(err.Error(), "unknown command ")); err == nil {
			word, _ := strconv.Unquote(quoted)
			return cmd, unknownCommand(cmd, []string{word})
		}
	}
	if err == nil && cmd.Name() == "help" {
		if about, more, err := root.Find(rest); len(more) > 0 && !strings.HasPrefix(more[0], "-") && (err != nil || about.HasSubCommands()) {
			return cmd, unknownCommand(about, more)
		}
	}
	if cmd.Runnable() || !cmd.HasSubCommands() {
		return cmd, nil
	}
	_ = cmd.ParseFlags(rest) // it stops at a flag of the command that may be meant, behind the word
	if cmd.Flags().NArg() > 0 {
		return cmd, unknownCommand(cmd, cmd.Flags().Args())
	}
	return cmd, nil
}

// noArguments is the error of a command without arguments for one that is there: the library
// calls it a command that is unknown.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("accepts no arguments, received %s; leave it out", quote.Value(args[0]))
	}
	return nil
}

func unknownCommand(group *cobra.Command, args []string) error {
	var names []string
	for _, c := range group.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := nearest.Of(args[0], names); near != "" {
		return fmt.Errorf("there is no command %q in %q; did you mean %s?", args[0], group.CommandPath(), near)
	}
	return fmt.Errorf("there is no command %q in %q", args[0], group.CommandPath())
}
