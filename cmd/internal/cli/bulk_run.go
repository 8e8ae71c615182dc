package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"einvoice/formats/xmlparse"
	"einvoice/service/bulk"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// bulkOptions are the flags of every operation.
type bulkOptions struct {
	in, out, reuse string
	format         string
	jobs           int
	time           time.Duration // of a document; 0 for as long as it takes
	limits         xmlparse.Limits
	rulesets       string
	cluster        cluster
	name, metrics  string
	ignoreVerdicts bool
}

// A bulkOperation is an operation with its flags.
type bulkOperation struct {
	name, short string
	flags       func(cmd *cobra.Command)
	together    func(cmd *cobra.Command) // flags about the documents of a job together; may be nil
	make        func(cmd *cobra.Command, o *bulkOptions) (bulk.Operation, error)
}

func (m Machines) newBulkRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run OPERATION --in SOURCE --out TARGET",
		Short: "Begin a job, or go on with it",
		Long: `Run does something with all documents of a source. The source is a folder (searched for
.xml and .pdf with all folders below), "@LIST" for a file that names one path a line ("@-"
for standard input), an archive (` + strings.Join(bulk.ArchiveEndings, ", ") + `), or "-" for a TAR on standard
input, compressed or not.

The target is a folder. When it has the same job already, run goes on with it, as resume
does.`,
		Example: `  einvoice bulk run validate --in invoices/ --out results
  einvoice bulk run validate --in 2025.tar.zst --out results --overlay acme/
  einvoice bulk run impact --in invoices/ --out impact --old en16931 --new draft/
  einvoice bulk run convert --to cii --in invoices/ --out converted
  einvoice bulk status results
  einvoice bulk resume results`,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}, // so that a misspelt operation is what is told
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("name the operation: %s", strings.Join(bulk.Operations(), ", "))
			}
			return fmt.Errorf("there is no operation %q: use %s", args[0], strings.Join(bulk.Operations(), ", "))
		},
	}
	for _, name := range bulk.Operations() {
		cmd.AddCommand(m.newBulkOperation(bulkOperationNamed(name)))
	}
	return cmd
}

// newBulkOperation is the command of an operation.
func (m Machines) newBulkOperation(op *bulkOperation) *cobra.Command {
	o := &bulkOptions{}
	cmd := &cobra.Command{
		Use:   op.name + " --in SOURCE --out TARGET",
		Short: op.short,
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return o.run(m, cmd, op) },
	}
	o.flags(cmd)
	op.jobFlags(cmd)
	return cmd
}

// jobFlags are all flags of the operation in a job. Other commands that do it with one document
// after the other (watch, archive add, audit judge) have only its flags about each document.
func (op *bulkOperation) jobFlags(cmd *cobra.Command) {
	op.flags(cmd)
	if op.together != nil {
		op.together(cmd)
	}
}

func (o *bulkOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.in, "in", "", "where the documents are")
	f.StringVar(&o.out, "out", "", "where the results go")
	_ = cmd.MarkFlagRequired("in")
	_ = cmd.MarkFlagRequired("out")
	_ = cmd.MarkFlagDirname("out")
	f.StringVar(&o.format, "format", bulk.JSONLines, "how results are written: jsonl, or parquet with einvoiced")
	f.StringVar(&o.reuse, "reuse", "", "use results of the earlier job in this `target` for documents with the same bytes, if the rules that can affect them are the same")
	o.jobs = runtime.GOMAXPROCS(0)
	wholeVar(f, &o.jobs, "jobs", "documents done at a time; 0 with --nats leaves all to workers")
	timeFlag(f, &o.time)
	o.limits = xmlparse.DefaultLimits()
	limitsFlags(f, &o.limits)
	natsFlags(f, &o.cluster)
	f.StringVar(&o.name, "name", "", "name of the job, which its stream in NATS has after EINVOICE_BULK_; a random one without it")
	metricsFlag(f, &o.metrics)
	f.BoolVar(&o.ignoreVerdicts, "ignore-verdicts", false, "exit with 0 once the job is complete, whatever the verdicts, for schedulers that repeat a job with another status")
	rulesetsFlag(cmd, &o.rulesets)
}

// timeFlag bounds how long a document may take.
func timeFlag(f *pflag.FlagSet, to *time.Duration) {
	*to = time.Minute
	waitVar(f, to, "time", "how long a document may take; one that takes longer twice is given up; 0 for no limit")
}

func natsFlags(f *pflag.FlagSet, c *cluster) {
	f.StringVar(&c.addresses, "nats", "", "with einvoiced, hand documents out over this NATS (nats://HOST:PORT, several comma-separated), so that bulk worker can help; without it, inside the process")
	c.replicas = 1
	countVar(f, &c.replicas, "nats-replicas", "on how many servers of NATS the stream is kept")
}

// parquetFormat is the format that einvoiced has.
const parquetFormat = "parquet"

func formatNames() string {
	return bulk.JSONLines + ", " + parquetFormat
}

// check refuses options that cannot be meant.
func (o *bulkOptions) check(m Machines) error {
	if o.jobs == 0 && o.cluster.addresses == "" {
		return fmt.Errorf("--jobs 0 does nothing: at least one document is done at a time; 0 is for --nats, where workers do them all")
	}
	has := func(f bulk.Format) bool { return f.Name == o.format }
	switch {
	case o.format == bulk.JSONLines || slices.ContainsFunc(m.Formats, has):
	case o.format == parquetFormat:
		return needsMachines("--format " + parquetFormat)
	default:
		return fmt.Errorf("unknown format %q: use %s", o.format, formatNames())
	}
	switch isObjects := strings.HasPrefix(o.in, objectStore); {
	case isObjects && m.Source == nil:
		return needsMachines(o.in)
	case !isObjects && o.in != "":
		o.in = filepath.Clean(o.in) // a job about invoices/ is one about invoices
	}
	if !strings.HasPrefix(o.out, objectStore) && bulk.IsInside(o.in, o.out) {
		return fmt.Errorf("the results would be in %s, which is searched for documents: name another --out", o.in)
	}
	return nil
}

func (o *bulkOptions) run(m Machines, cmd *cobra.Command, op *bulkOperation) error {
	if err := o.check(m); err != nil {
		return err
	}
	broker, err := m.broker(o.cluster)
	if err != nil {
		return err
	}
	operation, err := op.make(cmd, o)
	if err != nil {
		return err
	}
	job, target, err := o.open(m, cmd, op, operation)
	if err != nil {
		return err
	}
	defer job.Close()
	if said := job.Says(); said != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: %s\n", said)
	}
	source, err := m.openSource(o.in, target, int64(o.limits.Bytes), cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer source.Close()
	documents, err := newDocumentProcesses(cmd, operation)
	if err != nil {
		return err
	}
	defer documents.Close()
	running := bulk.Running{Source: source, Jobs: o.jobs, Broker: broker, Time: o.time, Elsewhere: documents.Do, Risky: documents.Risky}
	var finish func()
	running.Tell, finish = bulkProgress(cmd)
	stop, err := bulkMetrics(cmd, o.metrics, &running)
	if err != nil {
		return err
	}
	defer stop()
	err = job.Run(cmd.Context(), running)
	finish()
	return o.finish(cmd, target, err)
}

// open opens the job, or makes it.
func (o *bulkOptions) open(m Machines, cmd *cobra.Command, op *bulkOperation, operation bulk.Operation) (*bulk.Job, bulk.Target, error) {
	target, err := m.openTarget(o.out)
	if err != nil {
		return nil, nil, err
	}
	working, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	call := bulk.Call{Folder: working, Arguments: slices.Concat([]string{"bulk", "run", op.name}, setFlags(cmd))}
	job, err := o.openIn(m, cmd, target, op, operation, call)
	return job, target, err
}

// openIn opens the job of a target.
func (o *bulkOptions) openIn(m Machines, cmd *cobra.Command, target bulk.Target, op *bulkOperation, operation bulk.Operation, call bulk.Call) (*bulk.Job, error) {
	order := bulk.Order{Target: target, Source: o.in, Operation: operation, Format: o.format, Formats: m.Formats, Batch: bulk.UsualBatch(op.name), Name: o.name, Call: call}
	if o.reuse != "" {
		var err error
		if order.Reuse, err = m.openTarget(o.reuse); err != nil {
			return nil, err
		}
	}
	return bulk.Open(cmd.Context(), order)
}

// finish says how a run went. The summary is read again: the run may have been stopped.
func (o *bulkOptions) finish(cmd *cobra.Command, target bulk.Target, err error) error {
	stopped := cmd.Context().Err() != nil
	if stopped {
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: stopped; go on with: einvoice bulk resume %s\n", o.out)
		return errReported
	}
	summary, statusErr := bulk.Status(cmd.Context(), target)
	if statusErr == nil {
		writeSummary(cmd.OutOrStdout(), o.out, summary)
	}
	switch {
	case err != nil || statusErr != nil:
		return errors.Join(err, statusErr)
	case o.ignoreVerdicts && summary.Complete():
		return nil
	case summary.Unreadable > 0:
		return errReported
	case summary.Invalid > 0, summary.Together != nil && summary.Together.Fatal > 0:
		return errInvalid
	}
	return nil
}

// setFlags are the flags that a command was given, to be given again.
func setFlags(cmd *cobra.Command) (arguments []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, value := range list.GetSlice() {
				arguments = append(arguments, "--"+f.Name+"="+value)
			}
			return
		}
		arguments = append(arguments, "--"+f.Name+"="+f.Value.String())
	})
	return arguments
}
