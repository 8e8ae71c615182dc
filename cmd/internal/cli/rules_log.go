package cli

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"einvoice/server/publishing"

	"github.com/spf13/cobra"
)

func newRulesLog() *cobra.Command {
	var output, key string
	cmd := &cobra.Command{
		Use:   "log DIR",
		Short: "Show the publications of a folder of rulesets, and verify that nothing has changed since",
		Long: `Log lists the publications of a folder that einvoice serve publishes into: version, when, who by
which key, why, files. Each names the digest of the one before it. Log reports a publication that was
changed or taken out from between others, and a file that is not as it was published. Keep the digest of
the newest elsewhere: nothing else surely shows that the newest was taken away.

Exit status: 0 when all is as it was published, 1 when anything is not.`,
		Example: `  einvoice rules log /etc/einvoice/rules
  einvoice rules log --key publish.pub /etc/einvoice/rules`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output != "text" && output != "json" {
				return fmt.Errorf("unknown output %q: use text or json", output)
			}
			var public ed25519.PublicKey
			if key != "" {
				var err error
				if public, err = publishing.ReadPublicKey(key); err != nil {
					return err
				}
			}
			if _, err := openFolder(args[0]); err != nil {
				return err
			}
			entries, err := publishing.Log(args[0], public)
			if err != nil {
				return err
			}
			faults := 0
			for i := range entries {
				faults += len(entries[i].Faults)
			}
			if output == "json" {
				err = writeJSON(cmd.OutOrStdout(), map[string]any{"publications": entries, "faults": faults})
			} else {
				printLog(cmd, entries, faults)
			}
			if err == nil && faults > 0 {
				err = errInvalid
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "how to report: text, json")
	cmd.Flags().StringVar(&key, "key", "", "`file` of the public key (Ed25519, PEM) of the service, to verify signatures with")
	_ = cmd.MarkFlagFilename("key")
	return cmd
}

func printLog(cmd *cobra.Command, entries []publishing.LogEntry, faults int) {
	w := cmd.OutOrStdout()
	for i := range entries {
		e := &entries[i]
		undoes := ""
		if e.Undoes > 0 {
			undoes = fmt.Sprintf(", takes back version %d and later", e.Undoes)
		}
		fmt.Fprintf(w, "%d  %s  %s (key %s), in force from %s%s\n   %s\n   sha256 %s\n", e.Version, e.At.Format(time.RFC3339), e.Who, e.Key, e.From, undoes, e.Why, e.Digest)
		if e.ApprovedKey != "" {
			fmt.Fprintf(w, "   approved by %s (key %s): %s\n", e.ApprovedBy, e.ApprovedKey, e.ApprovedWhy)
		}
		for _, f := range e.Files {
			what := "changed"
			switch {
			case f.Before == nil && f.After == nil, f.Before != nil && f.After != nil && *f.Before == *f.After:
				continue // taken back, and as it was before
			case f.Before == nil:
				what = "added"
			case f.After == nil:
				what = "removed"
			}
			fmt.Fprintf(w, "   %s %s\n", what, f.Name)
		}
		for _, fault := range e.Faults {
			fmt.Fprintf(w, "   ✗ %s\n", fault)
		}
	}
	switch {
	case len(entries) == 0:
		fmt.Fprintln(w, "nothing was published into this folder")
	case faults == 0:
		fmt.Fprintln(w, "the chain is whole")
	}
}

func newRulesAt() *cobra.Command {
	return &cobra.Command{
		Use:   "at DIGEST DIR",
		Short: "Print an overlay as it was when reports named it by a digest",
		Long: `At prints the text of an overlay whose SHA-256 is the one that a report names ("its version is
sha256"; sha256 of overlays in JSON), from what was published into a folder, from the folder as it is, or from what
ships with the program. DIR is one folder of rules, or several, comma-separated.`,
		Example: `  einvoice rules at 6583aa6d3e19 /etc/einvoice/rules`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			dirs := foldersOf(args[1])
			if _, err := openFolders(dirs); err != nil {
				return err
			}
			name, text, version, err := publishing.At(dirs, args[0])
			if err != nil {
				return err
			}
			from := "as it is in the folder, or was before the first publication"
			switch {
			case version == publishing.Ships:
				from = "as it ships"
			case version > 0:
				from = fmt.Sprintf("of version %d", version)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s, %s\n", name, from)
			_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			return err
		},
	}
}
