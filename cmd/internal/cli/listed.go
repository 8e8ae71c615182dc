package cli

import (
	"strings"

	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
)

// newListed are commands for the operations of the list that have none of their own.
func newListed(root *cobra.Command) (commands []*cobra.Command) {
	for _, of := range operation.All {
		if found, _, err := root.Find([]string{of.Name}); err != nil || found == root {
			if of.Name != "transform" { // convert --to does that
				commands = append(commands, listedCommand(of))
			}
		}
	}
	return commands
}

func listedCommand(of *operation.Operation) *cobra.Command {
	values, out, losses := operation.Values{}, "-", lossesAsText
	limits := xmlparse.DefaultLimits()
	cmd := &cobra.Command{
		Use: of.Name + " [flags] FILE", Short: of.Words, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readInput(args[0], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			kit, err := operation.Open(operation.Config{Read: formats.Options{Limits: limits}})
			if err != nil {
				return err
			}
			made, err := of.Run(cmd.Context(), kit, data, &values)
			if err != nil {
				return inFile(args[0], err)
			}
			if err := reportLosses(cmd, losses, made.Losses); err != nil {
				return err
			}
			return writeOutput(cmd.OutOrStdout(), out, made.Data)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", out, "file to write to")
	f.StringVar(&values.To, "to", of.Usual, "what to make: "+strings.Join(of.To(), ", "))
	f.BoolVar(&values.Strict, "strict", false, "make nothing if anything would be lost")
	lossesFlag(f, &losses)
	return cmd
}
