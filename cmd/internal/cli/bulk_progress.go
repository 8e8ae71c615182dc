package cli

import (
	"fmt"
	"log/slog"
	"time"

	"einvoice/service/bulk"

	"github.com/spf13/cobra"
)

// Where there is no terminal, progress is logged after a moment, so that a run says that it works,
// then every so often, and at the end of a run that it was logged of.
const (
	logFirst = 3 * time.Second
	logEvery = 30 * time.Second
)

// bulkProgress shows how far a run is: on a terminal as a line that changes, else as
// structured logs.
func bulkProgress(cmd *cobra.Command) (tell func(bulk.Progress), finish func()) {
	if !isTerminal(cmd.ErrOrStderr()) {
		log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
		return loggedProgress(log, time.Now)
	}
	bar := newBar(cmd.ErrOrStderr(), -1)
	return func(p bulk.Progress) {
		bar.ChangeMax(p.All)
		bar.Describe(describeProgress(p))
		_ = bar.Set(p.Done)
	}, func() { _ = bar.Finish() }
}

func describeProgress(p bulk.Progress) string {
	if p.Rate == 0 {
		return "working"
	}
	return fmt.Sprintf("%.0f a second, %s left", p.Rate, p.Left.Round(time.Second))
}

// loggedProgress logs how far a run is.
func loggedProgress(log *slog.Logger, now func() time.Time) (tell func(bulk.Progress), finish func()) {
	next := now().Add(logFirst)
	var last *bulk.Progress
	said := func(message string, p bulk.Progress) {
		log.Info(message, "done", p.Done, "all", p.All, "perSecond", int(p.Rate), "left", p.Left.Round(time.Second))
	}
	return func(p bulk.Progress) {
			if last != nil {
				last = &p
			}
			if !now().Before(next) {
				next, last = now().Add(logEvery), &p
				said("progress", p)
			}
		}, func() {
			if last != nil {
				said("ended", *last)
			}
		}
}
