package cli

import (
	"fmt"
	"strings"

	"einvoice/model/nearest"

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
	if err == nil && cmd.Name() == "help" {
		if about, more, err := root.Find(rest); len(more) > 0 && !strings.HasPrefix(more[0], "-") && (err != nil || about.HasSubCommands()) {
			return cmd, unknownCommand(about, more)
		}
	}
	if cmd.Runnable() || !cmd.HasSubCommands() {
		return cmd, nil
	}
	if err := cmd.ParseFlags(rest); err == nil && cmd.Flags().NArg() > 0 {
		return cmd, unknownCommand(cmd, cmd.Flags().Args())
	}
	return cmd, nil
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
