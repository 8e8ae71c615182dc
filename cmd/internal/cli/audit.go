package cli

import (
	"fmt"

	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/service/audit"
	"einvoice/service/watch"

	"github.com/spf13/cobra"
)

func (m Machines) newAudit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Verify the log of watch, and validate its documents again",
		Long: `Audit verifies the log of an archive or of a target of "watch". Each line has the SHA-256 of the line before,
and of a document and its report. "judge" validates the documents again, by the rules of any day.`,
	}
	cmd.AddCommand(m.newAuditVerify(ofWatch), m.newAuditJudge(ofWatch))
	return cmd
}

// A loggedTarget is what has a log: the commands about it are below a command of its own.
type loggedTarget struct{ command, example string }

var (
	ofWatch   = loggedTarget{"audit", "outbox"}
	ofArchive = loggedTarget{"archive", "archive"}
)

// call is a command about the target, as its examples begin.
func (t loggedTarget) call(name string) string {
	return fmt.Sprintf("  einvoice %s %s %s", t.command, name, t.example)
}

func (m Machines) newAuditVerify(of loggedTarget) *cobra.Command {
	head := ""
	cmd := &cobra.Command{
		Use:   "verify TARGET",
		Short: "Verify that a log, its documents and their reports are as they were written",
		Long: `Verify reads the log and every document and report that it names. If one of them was changed,
removed or added, it says so, and the exit status is 1; if the log is broken, it is 2. In a
target of "watch", a document may be gone if a later line is about the same bytes: somebody may have
moved it into a source again. Some changes of the last line, and that the last lines were removed
with their documents and reports, show only by the digest of the last line, which verify prints:
keep it elsewhere, and pass it with --head the next time.`,
		Example: of.call("verify") + "\n" +
			of.call("verify") + " --head 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			c, err := audit.CheckIn(cmd.Context(), in, head, watch.PlaceFolders())
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			for _, text := range c.Wrong {
				fmt.Fprintln(out, quote.Visible(text))
			}
			fmt.Fprintf(out, "%s, %s, %d not as the log says; the last line is %s\n", numeral.Count(c.Events, "line"), numeral.Count(c.Documents, "document"), len(c.Wrong), c.Head)
			if len(c.Wrong) > 0 {
				return errInvalid
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&head, "head", "", "`digest` of a line that the log has to have, as an earlier verify printed it")
	return cmd
}
