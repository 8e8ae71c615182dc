package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"einvoice/server"

	"github.com/spf13/cobra"
)

func newKeys() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list and revoke the API keys of the service",
		Long: `Keys keeps the API keys of einvoice serve in a file that has hashes only. A
running server reads the file again when it changes.`,
	}
	file := cmd.PersistentFlags().String("keys", "", "the key `file`")
	_ = cmd.MarkPersistentFlagRequired("keys")
	_ = cmd.MarkPersistentFlagFilename("keys")
	cmd.AddCommand(newKeysNew(file), newKeysList(file), newKeysRevoke(file))
	return cmd
}

func newKeysNew(file *string) *cobra.Command {
	return &cobra.Command{
		Use:     "new NAME",
		Short:   "Make a key and print it, once",
		Example: `  einvoice keys new --keys /etc/einvoice/keys "billing system"`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			secret, key, err := server.AddKey(*file, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "key %s for %q; it is shown only now:\n", key.ID, key.Name)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), secret)
			return err
		},
	}
}

func newKeysList(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys: id, name, when made, when revoked",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			keys, err := server.ReadKeys(*file)
			if err != nil {
				return err
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, k := range keys {
				state := "works"
				if !k.Revoked.IsZero() {
					state = "revoked " + k.Revoked.Format(time.RFC3339)
				}
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", k.ID, k.Created.Format(time.RFC3339), state, k.Name)
			}
			return table.Flush()
		},
	}
}

func newKeysRevoke(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a key by its id",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := server.RevokeKey(*file, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "key %s is revoked\n", args[0])
			return err
		},
	}
}
