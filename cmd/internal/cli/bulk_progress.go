package cli

import (
	"fmt"
	"log/slog"
	"time"

	"einvoice/service/bulk"

	"github.com/spf13/cobra"
)

// logEvery is how often progress is logged where there is no terminal.
const logEvery = 30 * time.Second

// bulkProgress shows how far a run is: on a terminal as a line that changes, else as
// structured logs.
func bulkProgress(cmd *cobra.Command) (tell func(bulk.Progress), finish func()) {
	if !isTerminal(cmd.ErrOrStderr()) {
		log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
		last := time.Now()
		return func(p bulk.Progress) {
			if time.Since(last) >= logEvery {
				last = time.Now()
				log.Info("progress", "done", p.Done, "all", p.All, "perSecond", int(p.Rate), "left", p.Left.Round(time.Second))
			}
		}, func() {}
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
