package cli

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/service/watch"

	"github.com/spf13/cobra"
)

// watchOptions are the flags of watch that are not of the operation.
type watchOptions struct {
	in      []string
	out     string
	brokers string
	tenants string
	settle  time.Duration
	keep    int
}

// newWatch is the command that judges documents as they come.
func (m Machines) newWatch() *cobra.Command {
	op := bulkOperationNamed("validate")
	o := &bulkOptions{}
	w := watchOptions{}
	l := watch.Line{} // what all lines have
	cmd := &cobra.Command{
		Use:   "watch --in SOURCE --out TARGET",
		Short: "Validate documents as they arrive, without an end",
		Long: `Watch validates the documents that arrive in a folder, until it is stopped. Each document moves
to valid/, invalid/ or unreadable/ of the target, with its report beside it as NAME.report.json, or to dead/
if it ended the program twice while it ran alone, or took longer than --time twice. With --retry watch begins
with what is in dead/; without --in it ends then. A document has exactly one result, however the process ends in between, and each result is a line of
log.jsonl, which "audit verify" reads. With einvoiced, sources and targets are also prefixes of S3 and subjects of
NATS.

A file is taken once it has stayed the same for a while (--settle). Files that are not documents by their
names, files in folders below, and files whose names begin with a dot stay where they are. With several
--in, the first goes before the others.`,
		Example: `  einvoice watch --in inbox --out outbox
  einvoice watch --in urgent --in inbox --out outbox --as xrechnung-3.0 --metrics 127.0.0.1:9090
  einvoice watch --retry --out outbox
  einvoice audit verify outbox`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if w.out == "" && w.tenants == "" {
				return errors.New("--out is missing: it names the target")
			}
			l.Once = l.Once || len(w.in) == 0 && w.tenants == ""
			l.Limit = int64(o.limits.Bytes)
			l.Log = slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
			lines, err := m.lines(cmd, w, l)
			if err != nil {
				return err
			}
			defer func() {
				for _, one := range lines {
					one.processes.Close()
				}
			}()
			stop, err := watchMetrics(cmd, o.metrics, lines)
			if err != nil {
				return err
			}
			defer stop()
			err = runLines(cmd.Context(), lines)
			l.Log.Info("stopped")
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&w.in, "in", nil, "`source` that documents come into: a folder, s3://bucket/prefix or nats:SUBJECT; may be repeated")
	f.StringVar(&w.out, "out", "", "`target` that they go to: a folder, s3://bucket/prefix, or nats:SUBJECT for reports alone")
	f.StringVar(&w.brokers, "nats", "", "`addresses` of NATS with JetStream, comma-separated, for subjects")
	f.StringVar(&w.tenants, "tenants", "", "`file` of tenants, each of which has a line of its own, in place of --in and --out")
	f.BoolVar(&l.Retry, "retry", false, "begin with the documents that were given up before; without --in, end with them")
	cmd.MarkFlagsOneRequired("in", "tenants", "retry")
	cmd.MarkFlagsMutuallyExclusive("in", "tenants")
	cmd.MarkFlagsMutuallyExclusive("out", "tenants")
	l.Jobs = runtime.GOMAXPROCS(0)
	countVar(f, &l.Jobs, "jobs", "documents done at a time")
	w.settle = time.Second
	waitVar(f, &w.settle, "settle", "how long a file of a folder has to stay the same before it is taken; 0 where files come in one step, by being renamed")
	timeFlag(f, &l.By.Time)
	f.BoolVar(&l.Once, "once", false, "stop when nothing waits any more")
	wholeVar(f, &w.keep, "keep-days", "`days` after which documents and their reports are removed from a folder; 0 for never")
	cmd.MarkFlagsMutuallyExclusive("keep-days", "tenants") // each tenant has days of its own
	o.limits = xmlparse.DefaultLimits()
	limitsFlags(f, &o.limits)
	metricsFlag(f, &o.metrics)
	rulesetsFlag(cmd, &o.rulesets)
	op.flags(cmd)
	return cmd
}

// sources are what --in names.
func (m Machines) sources(w watchOptions) (all []watch.Source, err error) {
	if err := w.checkPlaces(); err != nil {
		return nil, err
	}
	for _, name := range w.in {
		of, isSubject := strings.CutPrefix(name, subject)
		var s watch.Source
		switch {
		case isSubject && m.From == nil, strings.HasPrefix(name, objectStore) && m.Inbox == nil:
			return nil, needsMachines(name)
		case isSubject:
			if err := w.checkSubject(name); err != nil {
				return nil, err
			}
			s = m.From(w.brokers, of)
		case strings.HasPrefix(name, objectStore):
			s, err = m.Inbox(name, workOf(name))
		default:
			s = &watch.Folder{Path: filepath.Clean(name), Settle: w.settle}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// checkPlaces refuses a source that is named twice, which would be taken from twice, and one that is the target,
// whose documents would come again.
func (w watchOptions) checkPlaces() error {
	for i, name := range w.in {
		switch {
		case slices.ContainsFunc(w.in[:i], func(other string) bool { return samePlace(name, other) }):
			return &problem.Error{Code: watch.CodeSource, Message: name + " is named twice as a source", Remedy: "name it once with --in"}
		case samePlace(name, w.out):
			return &problem.Error{Code: watch.CodeTarget, Message: w.out + " is both source and target", Remedy: "name another folder with --out"}
		}
	}
	return nil
}

// samePlace reports whether two names are of one folder, whatever links lead there, or of one other place.
func samePlace(a, b string) bool {
	one, err := os.Stat(a)
	other, errOther := os.Stat(b)
	if err == nil && errOther == nil {
		return os.SameFile(one, other)
	}
	return a == b
}

// watchTarget is what --out names.
func (m Machines) watchTarget(w watchOptions) (watch.Target, error) {
	if of, isSubject := strings.CutPrefix(w.out, subject); isSubject {
		if m.To == nil {
			return nil, needsMachines(w.out)
		}
		if strings.ContainsAny(of, "*>") {
			return nil, &problem.Error{Code: watch.CodeTarget, Message: w.out + " stands for several subjects", Remedy: "name one subject with --out"}
		}
		return m.To(w.brokers, of), w.checkSubject(w.out)
	}
	in, err := m.openTarget(w.out)
	return &watch.Stored{In: in, Keep: w.keep}, err
}

func (w watchOptions) checkSubject(name string) error {
	if w.brokers == "" {
		return &problem.Error{Code: watch.CodeSource, Message: name + " is a subject of NATS, and --nats names no server", Remedy: "add --nats, such as --nats nats://127.0.0.1:4222"}
	}
	return nil
}
