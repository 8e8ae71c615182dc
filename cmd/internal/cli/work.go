package cli

import (
	"einvoice/server"

	"github.com/spf13/cobra"
)

// workCommand is the command by which serve starts processes to work in.
const workCommand = "work"

// newWork is for serve alone.
func newWork() *cobra.Command {
	return &cobra.Command{
		Use: workCommand, Short: "Work for serve, which starts this by itself", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return server.Work(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
}
