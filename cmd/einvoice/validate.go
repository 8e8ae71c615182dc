package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"einvoice/engine/pipeline"
	"einvoice/formats"
	"einvoice/formats/pdf/verapdf"
	"einvoice/formats/xmlparse"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

type validateOptions struct {
	output   string
	rules    []string
	profile  string
	rulesets string
	verapdf  string
	limits   xmlparse.Limits
	jobs     int
}

func newValidate() *cobra.Command {
	o := validateOptions{limits: xmlparse.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "validate [flags] PATH...",
		Short: "Validate invoices and say what is wrong, where, and what to do",
		Long: `Validate holds each document against the rulesets of the profile that it declares
in its specification identifier (BT-24).

Of a PDF (Factur-X, ZUGFeRD), the invoice attached to it is validated, and the PDF
itself by the rules of the layer container; --rules en16931 leaves the PDF out.
With --verapdf the program veraPDF judges it too, as the PDF/A that it claims to be.

PATH is a file, a folder (searched for .xml and .pdf with all folders below), "-"
for standard input, or "@LIST" for a file that names one path a line.`,
		Example: `  einvoice validate invoice.xml
  einvoice validate --output json invoices/ > report.json
  einvoice validate --rules en16931 - < invoice.xml
  einvoice validate --rulesets my-rules/ @list.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "text", "how to report: text, json (one document), jsonl (one object a line)")
	f.StringSliceVar(&o.rules, "rules", nil, "run these rulesets alone, without the profile's overlays: NAME or NAME/VERSION, comma-separated")
	f.StringVar(&o.profile, "as", "", "validate as this profile, whatever the document declares")
	f.StringVar(&o.verapdf, "verapdf", "", "have veraPDF judge PDFs: the `program`, or none to look for it on the PATH and in bin/verapdf")
	f.Lookup("verapdf").NoOptDefVal = "verapdf"
	f.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "documents validated at a time")
	f.IntVar(&o.limits.Bytes, "max-bytes", o.limits.Bytes, "largest document in bytes")
	f.IntVar(&o.limits.Depth, "max-depth", o.limits.Depth, "deepest nesting of elements")
	f.IntVar(&o.limits.Attributes, "max-attributes", o.limits.Attributes, "most attributes of one element")
	f.IntVar(&o.limits.TextBytes, "max-text", o.limits.TextBytes, "longest text of one element in bytes")
	rulesetsFlag(cmd, &o.rulesets)
	cmd.MarkFlagsMutuallyExclusive("rules", "as")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "jsonl"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("rules", completeRulesets)
	_ = cmd.RegisterFlagCompletionFunc("as", completeProfiles)
	return cmd
}

func (o *validateOptions) run(cmd *cobra.Command, args []string) error {
	out, err := newOutput(o.output, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	paths, err := inputs(args)
	if err != nil {
		return err
	}
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return err
	}
	options := pipeline.Options{Profile: o.profile, Rulesets: o.rules, Read: formats.Options{Limits: o.limits}}
	if o.verapdf != "" {
		if options.VeraPDF, err = verapdf.Find(o.verapdf); err != nil {
			return err
		}
	}
	p, err := pipeline.New(library, options)
	if err != nil {
		return err
	}
	b := &batch{pipeline: p, paths: paths, stdin: cmd.InOrStdin(), limit: int64(o.limits.Bytes), jobs: o.jobs, render: out.render}
	bar := progress(cmd.ErrOrStderr(), cmd.OutOrStdout(), len(paths))
	tally := tally{started: time.Now()}
	err = b.each(cmd.Context(), func(r *outcome) error {
		tally.add(r)
		_ = bar.Add(1)
		return out.write(r.rendered)
	})
	_ = bar.Finish()
	if err != nil {
		return err
	}
	tally.stopped = cmd.Context().Err() != nil
	tally.of = len(paths)
	if err := out.close(&tally); err != nil {
		return err
	}
	switch {
	case tally.stopped:
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: stopped after %d of %d documents\n", tally.documents, tally.of)
		return errReported
	case tally.unreadable > 0:
		return errReported
	case tally.invalid > 0:
		return errInvalid
	}
	return nil
}

// progress shows a bar for long runs, on a terminal that the report does not
// go to.
func progress(stderr, stdout io.Writer, documents int) *progressbar.ProgressBar {
	const long = 50
	if documents < long || !isTerminal(stderr) || isTerminal(stdout) {
		return progressbar.DefaultSilent(int64(documents))
	}
	return progressbar.NewOptions(documents, progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetDescription("validating"), progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func completeRulesets(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	library, err := openLibrary("")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	versions, err := library.Versions()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for family, all := range versions {
		out = append(out, family)
		for _, v := range all {
			out = append(out, family+"/"+v)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeProfiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	library, err := openLibrary("")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	profiles, err := library.Profiles()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, p := range profiles {
		out = append(out, p.ID+"\t"+p.Name)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// tally counts what came out.
type tally struct {
	documents, valid, invalid, unreadable, of int
	findings                                  int
	stopped                                   bool
	started                                   time.Time
	rulesets                                  map[string]bool
}

func (t *tally) add(r *outcome) {
	t.documents++
	switch {
	case r.err != nil:
		t.unreadable++
	case r.result.Report.Valid:
		t.valid++
	default:
		t.invalid++
	}
	if r.err != nil {
		return
	}
	t.findings += len(r.result.Report.Findings)
	if t.rulesets == nil {
		t.rulesets = map[string]bool{}
	}
	for _, s := range r.result.Report.Rulesets {
		t.rulesets[fmt.Sprintf("%s %s (sha256 %s, %d rules)", s.Name, s.Version, s.SHA256[:12], s.Rules)] = true
	}
}

// batch validates many documents, several at a time, and hands the outcomes on
// in the order of the paths.
type batch struct {
	pipeline *pipeline.Pipeline
	paths    []string
	stdin    io.Reader
	limit    int64
	jobs     int
	render   func(*outcome) ([]byte, error)
}

// An outcome is what came of one path.
type outcome struct {
	path     string
	result   *pipeline.Result
	err      error
	rendered []byte
}

func (b *batch) each(ctx context.Context, yield func(*outcome) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Each path has a channel of its own; the queue of channels is in order and
	// bounds how far the workers may run ahead. Waking a worker is dear beside a
	// document's tenth of a millisecond, so there is always work in store.
	const ahead = 64
	workers := max(b.jobs, 1)
	queue := make(chan chan *outcome, ahead*workers)
	work := make(chan func(), ahead*workers)
	for range workers {
		go func() {
			for job := range work {
				job()
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(work)
		for _, path := range b.paths {
			done := make(chan *outcome, 1)
			select {
			case queue <- done:
			case <-ctx.Done():
				return
			}
			work <- func() { done <- b.one(ctx, path) }
		}
	}()
	var failure error
	for done := range queue {
		r := <-done
		if failure == nil && ctx.Err() == nil {
			if failure = yield(r); failure != nil {
				cancel()
			}
		}
	}
	return failure
}

func (b *batch) one(ctx context.Context, path string) *outcome {
	r := &outcome{path: path}
	data, err := readInput(path, b.stdin, b.limit)
	if err == nil {
		r.result, err = b.pipeline.Validate(ctx, data)
	}
	r.err = err
	if r.rendered, err = b.render(r); err != nil {
		r.err = err
	}
	if r.result != nil {
		// As large as the file; the report is all that is needed.
		r.result.Document, r.result.Container = nil, nil
	}
	return r
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if strings.HasSuffix(one, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(one, "y"))
	}
	return fmt.Sprintf("%d %ss", n, one)
}
