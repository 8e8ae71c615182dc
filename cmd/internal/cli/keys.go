package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"einvoice/model/quote"
	"einvoice/server/keys"

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
	limits, expires := keys.Limits{}, ""
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a key and print it, once",
		Example: `  einvoice keys new --keys /etc/einvoice/keys "billing system"
  einvoice keys new --keys /etc/einvoice/keys --expires 2027-06-30 --operations validate,rules "the auditors"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if limits.Expires, err = endOf(expires); err != nil {
				return err
			}
			secret, key, err := keys.Add(*file, args[0], limits)
			if err != nil {
				return err
			}
			warnOfKeyFile(cmd.ErrOrStderr(), *file)
			fmt.Fprintf(cmd.ErrOrStderr(), "key %s for %q; it is shown only now:\n", key.ID, key.Name)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), secret)
			return err
		},
	}
	cmd.Flags().StringVar(&expires, "expires", "", "last day on which the key works (UTC), as 2027-06-30; without it until it is revoked")
	cmd.Flags().StringSliceVar(&limits.Operations, "operations", nil, "operations that the key is for, comma-separated: "+strings.Join(keys.Operations, ", ")+"; without it all")
	cmd.Flags().StringSliceVar(&limits.Overlays, "overlays", nil, "overlays that apply to whatever is validated with the key, whichever a request chooses; comma-separated")
	cmd.Flags().StringSliceVar(&limits.MayOmit, "may-omit", nil, "overlays, of the key or mandatory in the service, that a request with the key may leave out; comma-separated")
	return cmd
}

// endOf is the end of a day; zero of none.
func endOf(day string) (time.Time, error) {
	if day == "" {
		return time.Time{}, nil
	}
	begins, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return time.Time{}, fmt.Errorf("--expires %s is not a day; write it as 2027-06-30", quote.Value(day))
	}
	return begins.AddDate(0, 0, 1), nil
}

func warnOfKeyFile(w io.Writer, file string) {
	if keys.IsOpen(file) {
		fmt.Fprintf(w, "warning: others can read or write %s; chmod 600 it\n", quote.Name(file))
	}
}

func newKeysList(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys: id, when made, whether they work and until when, what for, name",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := keys.Read(*file)
			if err != nil {
				return err
			}
			warnOfKeyFile(cmd.ErrOrStderr(), *file)
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, k := range all {
				operations := "all operations"
				if k.Operations != nil {
					operations = strings.Join(k.Operations, ",")
				}
				if len(k.Overlays) > 0 {
					operations += "; always with " + strings.Join(k.Overlays, ",")
				}
				if len(k.MayOmit) > 0 {
					operations += "; may omit " + strings.Join(k.MayOmit, ",")
				}
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", k.ID, k.Created.Format(time.RFC3339), stateOf(&k), operations, k.Name)
			}
			return table.Flush()
		},
	}
}

func stateOf(k *keys.Key) string {
	switch {
	case !k.Revoked.IsZero():
		return "revoked " + k.Revoked.Format(time.RFC3339)
	case k.HasExpired(time.Now()):
		return "expired " + k.Expires.Format(time.RFC3339)
	case !k.Expires.IsZero():
		return "works until " + k.Expires.Format(time.RFC3339)
	}
	return "works"
}

func newKeysRevoke(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a key by its id",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := keys.Revoke(*file, args[0]); err != nil {
				return err
			}
			warnOfKeyFile(cmd.ErrOrStderr(), *file)
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "key %s is revoked\n", args[0])
			return err
		},
	}
}
