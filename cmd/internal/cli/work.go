package cli

import (
	"einvoice/server"

	"github.com/spf13/cobra"
)

// workCommand is the command by which the program starts processes to work in.
const workCommand = "work"

// newWork is for the program alone.
func newWork() *cobra.Command {
	cmd := &cobra.Command{
		Use: workCommand, Short: "Work for serve, which starts this by itself", Hidden: true, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return server.Work(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use: documentsCommand, Short: "Work for bulk, watch and audit judge, which start this by themselves", Hidden: true, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return doDocuments(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	})
	return cmd
}
