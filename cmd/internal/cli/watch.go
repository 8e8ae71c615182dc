package cli

import (
	"log/slog"
	"path/filepath"
	"runtime"
	"time"

	"einvoice/formats/xmlparse"
	"einvoice/service/watch"

	"github.com/spf13/cobra"
)

// newWatch is the command that judges documents as they come.
func newWatch() *cobra.Command {
	op := bulkOperationNamed("validate")
	o := &bulkOptions{}
	l := watch.Line{}
	cmd := &cobra.Command{
		Use:   "watch --in FOLDER --out FOLDER",
		Short: "Validate documents as they arrive in a folder, without an end",
		Long: `Watch validates the documents that arrive in a folder, until it is stopped. Each document moves
to valid/, invalid/ or unreadable/ of the target, with its report beside it as NAME.report.json, or to dead/
if it ended the program twice or took longer than --time twice: move it back to try it again. A document
has exactly one result, however the process ends in between, and each result is a line of log.jsonl,
which "audit verify" reads.

A file is taken once it has stayed the same for a while (--settle). Files that are not documents by their
names, files in folders below, and files whose names begin with a dot stay where they are. With several
--in, the first goes before the others.`,
		Example: `  einvoice watch --in inbox --out outbox
  einvoice watch --in urgent --in inbox --out outbox --as xrechnung-3.0 --metrics 127.0.0.1:9090
  einvoice audit verify outbox`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			operation, err := op.make(cmd, o)
			if err != nil {
				return err
			}
			documents, err := newDocumentProcesses(cmd, operation)
			if err != nil {
				return err
			}
			defer documents.Close()
			l.By.Operation, l.By.Elsewhere, l.By.Risky = operation, documents.Do, documents.Risky
			l.Limit = int64(o.limits.Bytes)
			l.Log = slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
			for i, source := range l.Sources {
				l.Sources[i] = filepath.Clean(source)
			}
			stop, err := watchMetrics(cmd, o.metrics, &l)
			if err != nil {
				return err
			}
			defer stop()
			l.Log.Info("watching", "sources", l.Sources, "target", l.Target)
			err = l.Run(cmd.Context())
			l.Log.Info("stopped")
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&l.Sources, "in", nil, "`folder` that documents come into; may be repeated")
	f.StringVar(&l.Target, "out", "", "`folder` that they go to")
	_ = cmd.MarkFlagRequired("in")
	_ = cmd.MarkFlagRequired("out")
	f.IntVar(&l.Jobs, "jobs", runtime.GOMAXPROCS(0), "documents done at a time")
	f.DurationVar(&l.Settle, "settle", time.Second, "how long a file has to stay the same before it is taken; 0 where files come in one step, by being renamed")
	timeFlag(f, &l.By.Time)
	f.BoolVar(&l.Once, "once", false, "stop when nothing waits any more")
	f.IntVar(&l.Keep, "keep-days", 0, "`days` after which documents and their reports are removed from the target; 0 for never")
	o.limits = xmlparse.DefaultLimits()
	limitsFlags(f, &o.limits)
	metricsFlag(f, &o.metrics)
	rulesetsFlag(cmd, &o.rulesets)
	op.flags(cmd)
	return cmd
}
