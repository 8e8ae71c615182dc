package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"einvoice/server/tenants"
	"einvoice/service/watch"

	"github.com/spf13/cobra"
)

// lineAgain is how long the line of a tenant stands after an error, while those of others go on.
const lineAgain = 10 * time.Second

// A tenantLine is a line with whose it is; "" for the one line of --in and --out.
type tenantLine struct {
	watch.Line
	tenant    string
	processes *documentProcesses
	again     func() error // opens its source and target again
}

// lines are those of the tenants, or the one that the flags describe. like is what all have.
func (m Machines) lines(cmd *cobra.Command, w watchOptions, like watch.Line) (lines []*tenantLine, err error) {
	if w.tenants == "" {
		one, err := m.line(cmd, w, like, nil)
		return []*tenantLine{one}, err
	}
	all, err := tenants.Read(w.tenants)
	if err != nil {
		return nil, err
	}
	like.Turns = watch.NewPlaces(like.Jobs)
	for _, t := range all {
		if t.Watch == nil {
			continue
		}
		of := w
		of.in, of.out, of.keep = t.Watch.In, t.Watch.Out, int(t.KeepDays)
		var flags []string
		if t.Watch.Profile != "" {
			flags = append(flags, "--as="+t.Watch.Profile)
		}
		if len(t.Overlays) > 0 {
			flags = append(flags, "--overlay="+strings.Join(t.Overlays, ","))
		}
		one, err := m.line(cmd, of, like, flags)
		if err != nil {
			return lines, fmt.Errorf("tenant %s: %w", t.Name, err)
		}
		one.tenant = t.Name
		lines = append(lines, one)
	}
	if len(lines) == 0 {
		return nil, errors.New(w.tenants + " has no tenant with a line (watch)")
	}
	return lines, nil
}

// line is one with flags of its own behind those of the command.
func (m Machines) line(cmd *cobra.Command, w watchOptions, like watch.Line, flags []string) (*tenantLine, error) {
	flags = append(setFlags(cmd), flags...)
	operation, err := operationOf(cmd.Context(), "validate", flags)
	if err != nil {
		return nil, err
	}
	one := &tenantLine{Line: like}
	if one.processes, err = documentProcessesOf(flags, operation); err != nil {
		return nil, err
	}
	one.By.Operation, one.By.Elsewhere, one.By.Risky = operation, one.processes.Do, one.processes.Risky
	one.again = func() (err error) {
		if one.Sources, err = m.sources(w); err == nil {
			one.Target, err = m.watchTarget(w)
		}
		return err
	}
	return one, one.again()
}

// runLines runs lines side by side. The line of a tenant that ends with an error begins again after a
// while, so that one tenant does not stop the others.
func runLines(ctx context.Context, lines []*tenantLine) error {
	if len(lines) == 1 && lines[0].tenant == "" {
		return lines[0].run(ctx)
	}
	errs := make([]error, len(lines))
	var running sync.WaitGroup
	for i, one := range lines {
		running.Go(func() {
			for ctx.Err() == nil {
				if errs[i] = one.run(ctx); errs[i] == nil || one.Once {
					return
				}
				one.Log.Error("the line of a tenant has stopped", "tenant", one.tenant, "error", errs[i].Error())
				select {
				case <-ctx.Done():
				case <-time.After(lineAgain):
				}
				if err := one.again(); err != nil {
					one.Log.Error("the line of a tenant cannot begin", "tenant", one.tenant, "error", err.Error())
				}
			}
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

func (one *tenantLine) run(ctx context.Context) error {
	names := make([]string, len(one.Sources))
	for i, s := range one.Sources {
		names[i] = s.String()
	}
	log := one.Log
	if one.tenant != "" {
		log = log.With("tenant", one.tenant)
	}
	log.Info("watching", "sources", names, "target", one.Target.String(), "retry", one.Retry)
	var mu sync.Mutex
	counts := map[string]int{}
	line := one.Line
	line.Done = func(r watch.Result) {
		mu.Lock()
		counts[r.Place]++
		mu.Unlock()
		if one.Done != nil {
			one.Done(r)
		}
	}
	err := line.Run(ctx)
	log.Info("documents", "by place", counts)
	return err
}
