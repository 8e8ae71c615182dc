package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/server"
	"einvoice/service"
	"einvoice/service/bulk"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newBulk() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bulk",
		Short: "Validate any number of documents, so that none is lost whatever stops on the way",
		Long: `Bulk validates any number of documents into a folder of results. The run may be stopped,
killed or lose its power: resume goes on where it was, and does nothing twice. One folder
is one job: the documents that were found when it began, with the rules of that day.

  OUT/manifest.jsonl   the documents, one a line: key and size in bytes
  OUT/results/         what validate --output jsonl prints, in files of up to 256 documents
  OUT/job.json         the operation, the digest of rules and options, the source

A document that ends the program is given up after some times, and is in the list.`,
	}
	cmd.AddCommand(newBulkRun(), newBulkResume(), newBulkStatus(), newBulkCancel(), newBulkResults())
	return cmd
}

type bulkOptions struct {
	in, out  string
	jobs     int
	rules    []string
	profile  string
	rulesets string
	overlays []string
	at       engine.Day
	language string
	limits   xmlparse.Limits
}

func newBulkRun() *cobra.Command {
	o := bulkOptions{limits: xmlparse.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "run validate --in SOURCE --out FOLDER",
		Short: "Begin a job, or go on with it",
		Long: `Run validates all documents of a source into a folder. The source is a folder (searched
for .xml and .pdf with all folders below), "@LIST" for a file that names one path a line,
or an archive: ` + strings.Join(bulk.ArchiveEndings, ", ") + `.

When FOLDER has the same job already, run goes on with it, as resume does.`,
		Example: `  einvoice bulk run validate --in invoices/ --out results
  einvoice bulk run validate --in 2025.tar.zst --out results --overlay acme/
  einvoice bulk status results
  einvoice bulk resume results`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] != "validate" {
				return fmt.Errorf("there is no operation %q: use validate", args[0])
			}
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.in, "in", "", "where the documents are")
	f.StringVar(&o.out, "out", "", "`folder` of the results")
	_ = cmd.MarkFlagRequired("in")
	_ = cmd.MarkFlagRequired("out")
	_ = cmd.MarkFlagDirname("out")
	f.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "documents validated at a time")
	f.StringSliceVar(&o.rules, "rules", nil, "run these rulesets alone, without the profile's overlays: NAME or NAME/VERSION, comma-separated")
	f.StringVar(&o.profile, "as", "", "validate as this profile, whatever the document declares")
	f.StringSliceVar(&o.overlays, "overlay", nil, "apply overlays beside those of the profile: a `folder` whose overlays/*.yaml are all applied, or the name of one in --rulesets; comma-separated")
	dayFlag(cmd, &o.at, "run the rules that are in force on this day, not on the issue date of each document")
	messagesFlag(cmd, &o.language)
	f.IntVar(&o.limits.Bytes, "max-bytes", o.limits.Bytes, "largest document in bytes")
	rulesetsFlag(cmd, &o.rulesets)
	cmd.MarkFlagsMutuallyExclusive("rules", "as")
	return cmd
}

func (o *bulkOptions) run(cmd *cobra.Command) error {
	library, overlays, err := withOverlays(o.rulesets, o.overlays)
	if err != nil {
		return err
	}
	language, err := library.Language(o.language)
	if err != nil {
		return err
	}
	rules := service.Rules{Profile: o.profile, Rulesets: o.rules, Overlays: overlays, At: o.at}
	s := service.New(library, service.Config{Read: formats.Options{Limits: o.limits}})
	if err := s.CheckRules(rules); err != nil {
		return err
	}
	operation, err := bulk.NewValidation(bulk.Validation{Service: s, Rules: rules, Language: language, Version: server.Version})
	if err != nil {
		return err
	}
	job, err := bulk.Open(o.out, o.in, operation)
	if err != nil {
		return err
	}
	working, err := os.Getwd()
	if err != nil {
		return err
	}
	arguments := slices.Concat([]string{"bulk", "run"}, cmd.Flags().Args(), setFlags(cmd))
	if err := job.Remember(bulk.Call{Folder: working, Arguments: arguments}); err != nil {
		return err
	}
	source, err := o.source(cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer source.Close()
	if err := job.Plan(cmd.Context(), source); err != nil {
		return err
	}
	tell, finish := bulkProgress(cmd)
	err = job.Run(cmd.Context(), bulk.Running{Source: source, Jobs: o.jobs, Tell: tell})
	finish()
	summary, statusErr := bulk.Status(cmd.Context(), o.out)
	if statusErr == nil {
		writeSummary(cmd.OutOrStdout(), o.out, summary)
	}
	switch {
	case cmd.Context().Err() != nil:
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: stopped; go on with: einvoice bulk resume %s\n", o.out)
		return errReported
	case err != nil || statusErr != nil:
		return errors.Join(err, statusErr)
	case summary.Unreadable > 0:
		return errReported
	case summary.Invalid > 0:
		return errInvalid
	}
	return nil
}

// setFlags are the flags that a command was given, to be given again.
func setFlags(cmd *cobra.Command) (arguments []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		arguments = append(arguments, "--"+f.Name+"="+value)
	})
	return arguments
}

// A bulkSource is a source that may have to be closed.
type bulkSource interface {
	bulk.Source
	io.Closer
}

type bulkFiles struct{ bulk.Files }

// Close does nothing: files are opened one at a time.
func (bulkFiles) Close() error { return nil }

func (o *bulkOptions) source(stdin io.Reader) (bulkSource, error) {
	limit := int64(o.limits.Bytes)
	if bulk.IsArchive(o.in) {
		return bulk.OpenArchive(o.in, filepath.Join(o.out, ".bulk"), limit)
	}
	paths, err := inputs([]string{o.in})
	if err != nil {
		return nil, err
	}
	return &bulkFiles{bulk.Files{Paths: paths, Open: func(path string) ([]byte, error) { return readInput(path, stdin, limit) }}}, nil
}

// bulkProgress shows how far a run is, on a terminal.
func bulkProgress(cmd *cobra.Command) (tell func(done, all int), finish func()) {
	if !isTerminal(cmd.ErrOrStderr()) {
		return nil, func() {}
	}
	bar := newBar(cmd.ErrOrStderr(), -1)
	return func(done, all int) {
		bar.ChangeMax(all)
		_ = bar.Set(done)
	}, func() { _ = bar.Finish() }
}

func newBulkResume() *cobra.Command {
	return &cobra.Command{
		Use:   "resume FOLDER",
		Short: "Go on with a job that was stopped, with the options that it began with",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			call, err := bulk.Remembered(args[0])
			if err != nil {
				return err
			}
			if err := os.Chdir(call.Folder); err != nil {
				return err
			}
			root := cmd.Root()
			again := newRoot()
			again.SetArgs(call.Arguments)
			again.SetIn(root.InOrStdin())
			again.SetOut(root.OutOrStdout())
			again.SetErr(root.ErrOrStderr())
			return again.ExecuteContext(cmd.Context())
		},
	}
}

func newBulkStatus() *cobra.Command {
	output := ""
	cmd := &cobra.Command{
		Use:   "status FOLDER",
		Short: "How far a job is, and what its results say: verdicts, rules, sellers by month, the slowest",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "json"}, output) {
				return fmt.Errorf("unknown output %q: use text or json", output)
			}
			s, err := bulk.Status(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if output == "json" {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(s)
			}
			writeSummary(cmd.OutOrStdout(), args[0], s)
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}

func newBulkCancel() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel FOLDER",
		Short: "Ask the process that works on a job to stop; what is done stays",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return bulk.Cancel(args[0]) },
	}
}

func newBulkResults() *cobra.Command {
	return &cobra.Command{
		Use:   "results FOLDER",
		Short: "Print the results that are there, as validate --output jsonl does",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, _, err := bulk.About(args[0]); err != nil {
				return err
			}
			return bulk.Results(cmd.Context(), args[0], cmd.OutOrStdout())
		},
	}
}

// writeSummary writes a summary for people.
func writeSummary(to io.Writer, folder string, s *bulk.Summary) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer w.Flush()
	state := "complete"
	if !s.Complete() {
		state = fmt.Sprintf("%d of %d documents are done", s.Documents, s.All)
	}
	fmt.Fprintf(w, "%s\t%s of %s\n\n", folder, s.Operation, s.Source)
	fmt.Fprintf(w, "state\t%s\nvalid\t%d\ninvalid\t%d\nunreadable\t%d\n", state, s.Valid, s.Invalid, s.Unreadable)
	for i, r := range topRules(s) {
		if i == 0 {
			fmt.Fprintf(w, "\nrule\tlevel\tdocuments\tfindings\n")
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", r, s.Rules[r].Level, s.Rules[r].Documents, s.Rules[r].Findings)
	}
	for i, g := range s.GivenUp {
		if i == 0 {
			fmt.Fprintf(w, "\ngiven up\treason\n")
		}
		fmt.Fprintf(w, "%s\t%s\n", g.Key, g.Reason)
	}
}

// topRules are the rules that most documents violate.
func topRules(s *bulk.Summary) []string {
	const most = 20
	ids := make([]string, 0, len(s.Rules))
	for id := range s.Rules {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		if n := s.Rules[b].Documents - s.Rules[a].Documents; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return ids[:min(len(ids), most)]
}
