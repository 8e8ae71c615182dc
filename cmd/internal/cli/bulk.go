package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"

	"github.com/spf13/cobra"
)

// bulkMemory is how much memory is used, in bytes, before more time is spent on collecting
// what is of no use; GOMEMLIMIT says otherwise. Large documents may need more.
const bulkMemory = 300 << 20

func (m Machines) newBulk() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bulk",
		Short: "Validate, compare or convert any number of documents, without losing one when something stops on the way",
		Long: `Bulk runs an operation on any number of documents and writes the results to a folder. After a
stop, a kill or a power loss, resume continues where the run was, and does nothing twice. One folder is
one job: the documents that were found when it began, with the rules of that day.

  OUT/manifest.jsonl   the documents, one a line: key, size in bytes, SHA-256
  OUT/results/         a line of JSON for each document, in files of up to 256 documents
  OUT/files/           what convert, transform, extract, parse and render made
  OUT/job.json         the operation, the digest of rules and options, the source

A document that ends the program several times is given up, and the report lists it.`,
	}
	cmd.PersistentPreRun = func(*cobra.Command, []string) {
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(bulkMemory)
		}
	}
	cmd.AddCommand(m.newBulkRun(), m.newBulkWorker(), m.newBulkResume(), m.newBulkStatus(), m.newBulkReport(), m.newBulkCancel(), m.newBulkResults())
	return cmd
}

func (m Machines) newBulkResume() *cobra.Command {
	return &cobra.Command{
		Use:   "resume FOLDER",
		Short: "Go on with a job that was stopped, with the options that it began with",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			call, err := callOf(cmd.Context(), target)
			if err != nil {
				return err
			}
			if err := os.Chdir(call.Folder); err != nil {
				return err
			}
			root := cmd.Root()
			again := newRoot(m)
			again.SetArgs(call.Arguments)
			again.SetIn(root.InOrStdin())
			again.SetOut(root.OutOrStdout())
			again.SetErr(root.ErrOrStderr())
			return again.ExecuteContext(cmd.Context())
		},
	}
}

// callOf is how this program was called that began a job.
func callOf(ctx context.Context, target bulk.Target) (bulk.Call, error) {
	call, err := bulk.About(ctx, target)
	if err == nil && (len(call.Arguments) < callBefore || call.Arguments[0] != "bulk") {
		err = &problem.Error{Code: bulk.CodeOther, Message: "a server began the job in " + target.String(), Remedy: "start the server again, which goes on with it"}
	}
	return call, err
}

// callBefore is what is before the flags of a call: bulk run OPERATION.
const callBefore = 3

// summaryOf is what the results of a job say.
func (m Machines) summaryOf(ctx context.Context, target string) (*bulk.Summary, error) {
	of, err := m.openTarget(target)
	if err != nil {
		return nil, err
	}
	return bulk.Status(ctx, of)
}

func (m Machines) newBulkStatus() *cobra.Command {
	output := ""
	cmd := &cobra.Command{
		Use:   "status FOLDER",
		Short: "How far a job is, and what its results say: verdicts and rules; with -o json also sellers by month and the slowest",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "json"}, output) {
				return fmt.Errorf("unknown output %q: use text or json", output)
			}
			s, err := m.summaryOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if output == "json" {
				return writeJSON(cmd.OutOrStdout(), s)
			}
			writeSummary(cmd.OutOrStdout(), args[0], s)
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}

func (m Machines) newBulkReport() *cobra.Command {
	to, file := "html", "-"
	cmd := &cobra.Command{
		Use:   "report TARGET",
		Short: "A page for people, or JSON: verdicts, rules, sellers by month, the slowest, what was given up",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains([]string{"html", "json"}, to) {
				return fmt.Errorf("there is no report %q: use html or json", to)
			}
			s, err := m.summaryOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			var page bytes.Buffer
			if to == "html" {
				err = s.WriteHTML(&page)
			} else {
				err = writeJSON(&page, s)
			}
			if err != nil {
				return err
			}
			return writeOutput(cmd.OutOrStdout(), file, page.Bytes())
		},
	}
	cmd.Flags().StringVar(&to, "to", to, "html or json")
	cmd.Flags().StringVarP(&file, "output", "o", file, "file to write to")
	return cmd
}

func (m Machines) newBulkCancel() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel FOLDER",
		Short: "Ask the process that works on a job to stop; what is done stays",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			status, err := bulk.Status(cmd.Context(), target)
			if err != nil {
				return err
			}
			if status.Complete() {
				tell(cmd, "einvoice: the job in %s is complete; nothing was stopped", args[0])
				return nil
			}
			if err := bulk.Cancel(cmd.Context(), target); err != nil {
				return err
			}
			tell(cmd, "einvoice: a process that works on %s stops after the documents in hand; bulk resume goes on", args[0])
			return nil
		},
	}
}

func (m Machines) newBulkResults() *cobra.Command {
	together := false
	cmd := &cobra.Command{
		Use:   "results FOLDER",
		Short: "Print the results that are there, as validate --output jsonl does",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := m.openTarget(args[0])
			switch {
			case err != nil:
				return err
			case together:
				return bulk.Together(cmd.Context(), target, cmd.OutOrStdout())
			}
			return (&bulk.Results{Target: target, Formats: m.Formats}).WriteAll(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&together, "together", false, "print the findings between documents (bulk run validate --batch)")
	return cmd
}

// writeSummary writes a summary for people.
func writeSummary(to io.Writer, folder string, s *bulk.Summary) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintf(w, "%s\t%s of %s\n\n", folder, s.Operation, s.Source)
	compares := s.Compares()
	if compares {
		fmt.Fprintf(w, "state\t%s\ncompared\t%d\nchanged\t%d\nunreadable\t%d\n", s.State(), s.Valid+s.Invalid, s.Changed, s.Unreadable)
	} else {
		fmt.Fprintf(w, "state\t%s\nvalid\t%d\ninvalid\t%d\nunreadable\t%d\n", s.State(), s.Valid, s.Invalid, s.Unreadable)
	}
	if s.Others > 0 {
		fmt.Fprintf(w, "others\t%d (files that do not end in %s, which were not looked at)\n", s.Others, strings.Join(inputfile.Endings, " or "))
	}
	if s.Taken > 0 {
		fmt.Fprintf(w, "taken\t%d (results of documents with the same bytes)\n", s.Taken)
	}
	heads := map[bool]string{false: "findings", true: "gone\tnew"}
	const most = 20
	rules, more := s.TopRules(most)
	for i, r := range rules {
		if i == 0 {
			fmt.Fprintf(w, "\nrule\tlevel\tdocuments\t%s\n", heads[compares])
		}
		if compares {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", r.ID, r.Level, r.Documents, r.Gone, r.New)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", r.ID, r.Level, r.Documents, r.Findings)
	}
	if more > 0 {
		fmt.Fprintf(w, "and %d more: bulk report\n", more)
	}
	if t := s.Together; t != nil {
		fmt.Fprintf(w, "\ntogether\tfindings about %s among the others: bulk results --together\n", numeral.Count(t.Documents, "document"))
		for _, id := range slices.Sorted(maps.Keys(t.Rules)) {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", id, t.Rules[id].Level, t.Rules[id].Documents, t.Rules[id].Findings)
		}
	}
	for i, code := range slices.Sorted(maps.Keys(s.Refused)) {
		if i == 0 {
			fmt.Fprintf(w, "\nrefused\tdocuments\tfirst of them\n")
		}
		fmt.Fprintf(w, "%s\t%d\t%q\n", code, s.Refused[code].Documents, s.Refused[code].First)
	}
	for i, g := range s.GivenUp {
		if i == 0 {
			fmt.Fprintf(w, "\ngiven up\treason\n")
		}
		fmt.Fprintf(w, "%q\t%s\n", g.Key, g.Reason)
	}
}
