package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"einvoice/model/problem"
	"einvoice/service/bulk"

	"github.com/spf13/cobra"
)

func (m Machines) newBulkWorker() *cobra.Command {
	of := cluster{}
	jobs, metrics := runtime.GOMAXPROCS(0), ""
	cmd := &cobra.Command{
		Use:   "worker TARGET --nats URL",
		Short: "Help with a job that runs with the same --nats, from this or another machine",
		Long: `Worker takes batches of the job in TARGET from NATS, does them and writes their results,
until the job is complete or it is told to stop; then it finishes the batches in hand
first, for 20 seconds at most. It reads the options of the job in TARGET, so that
documents, rules and results have to be where run found them: under the same paths of a
file system that machines share, or in S3. A worker with other rules, or another version
of the program, refuses to take part.`,
		Example: `  einvoiced bulk run validate --in s3://bills/2025 --out s3://bills/results --nats nats://broker:4222 --jobs 0
  einvoiced bulk worker s3://bills/results --nats nats://broker:4222`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if of.addresses == "" {
				return errors.New("name the NATS that the job runs with: --nats")
			}
			broker, err := m.broker(of)
			if err != nil {
				return err
			}
			running := bulk.Running{Jobs: jobs, Broker: broker}
			stop, err := bulkMetrics(cmd, metrics, &running)
			if err != nil {
				return err
			}
			defer stop()
			return m.workBulk(cmd, args[0], running)
		},
	}
	f := cmd.Flags()
	f.StringVar(&of.addresses, "nats", "", "the NATS of the job (nats://HOST:PORT, several comma-separated)")
	metricsFlag(f, &metrics)
	countVar(f, &jobs, "jobs", "documents done at a time")
	return cmd
}

func (m Machines) workBulk(cmd *cobra.Command, name string, running bulk.Running) error {
	if !strings.HasPrefix(name, objectStore) { // the options of the job have paths of another folder
		var err error
		if name, err = filepath.Abs(name); err != nil {
			return err
		}
	}
	target, err := m.openTarget(name)
	if err != nil {
		return err
	}
	call, err := callOf(cmd.Context(), target)
	if err != nil {
		return err
	}
	o, op, err := optionsOf(call)
	if err != nil {
		return err
	}
	if err := os.Chdir(call.Folder); err != nil && !errors.Is(err, os.ErrNotExist) { // on another machine there may be no relative paths
		return err
	}
	operation, err := op.make(cmd, o)
	if err != nil {
		return err
	}
	job, err := o.openIn(m, cmd, target, op, operation, call)
	if told, is := errors.AsType[*problem.Error](err); is && told.Code == bulk.CodeOther {
		told.Remedy = "help with the version of the program and the rules that the job began with"
	}
	if err != nil {
		return err
	}
	defer job.Close()
	source, err := m.openSource(o.in, target, int64(o.limits.Bytes), cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer source.Close()
	documents, err := documentProcessesOf(call.Arguments[callBefore:], operation)
	if err != nil {
		return err
	}
	defer documents.Close()
	running.Source, running.Time, running.Elsewhere, running.Risky = source, o.time, documents.Do, documents.Risky
	return job.Work(cmd.Context(), running)
}

// optionsOf are the options that a job began with.
func optionsOf(call bulk.Call) (*bulkOptions, *bulkOperation, error) {
	o, op := &bulkOptions{}, bulkOperationNamed(call.Arguments[callBefore-1])
	flags := &cobra.Command{Use: op.name}
	o.flags(flags)
	op.jobFlags(flags)
	return o, op, flags.ParseFlags(call.Arguments[callBefore:])
}
