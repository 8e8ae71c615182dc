package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"einvoice/server/held"
)

// removeEachHour removes jobs that were kept long enough, now and each hour.
func (b *Jobs) removeEachHour() {
	if b.Keep == nil {
		return
	}
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if err := b.RemoveOld(b.ctx, time.Now()); err != nil {
			b.log.Error("old jobs not removed", "error", err.Error())
		}
		select {
		case <-tick.C:
		case <-b.ctx.Done():
			return
		}
	}
}

// RemoveOld removes the jobs that ended as many days ago as their owners keep them.
func (b *Jobs) RemoveOld(ctx context.Context, now time.Time) (failed error) {
	ids, err := b.IDs()
	if err != nil {
		return err
	}
	for _, id := range ids {
		days := b.Keep(b.Owner(ctx, id))
		if days == 0 {
			continue
		}
		folder := string(b.Target(id))
		info, err := os.Stat(filepath.Join(folder, "results"))
		if err != nil {
			info, err = os.Stat(folder) // it has no results
		}
		if err != nil || info.ModTime().After(now.AddDate(0, 0, -days)) {
			continue
		}
		if status, err := b.Status(ctx, id); err != nil || status.State == working || status.State == stopped {
			continue
		}
		if b.writes(id) || held.By(b.heldFile(id)) {
			continue // the next hour finds it
		}
		if err := os.Rename(folder, folder+removed); err != nil { // of one job, which does not keep the others
			failed = errors.Join(failed, err)
			continue
		}
		b.mu.Lock()
		delete(b.here, id)
		b.mu.Unlock()
		b.log.Info("job removed", "job", id, "keptDays", days)
	}
	return errors.Join(failed, b.removeRemoved())
}

// removed is the ending of a folder whose job is gone. A job goes in one step, as half a job would
// look like one that has to go on.
const removed = ".removed"

// removeRemoved removes the folders of jobs that are gone, also those that a server before left.
func (b *Jobs) removeRemoved() (failed error) {
	folders, err := filepath.Glob(filepath.Join(b.Results, "*"+removed))
	for _, folder := range folders {
		failed = errors.Join(failed, os.RemoveAll(folder))
	}
	return errors.Join(failed, err)
}

// writes reports whether this process may still write into the folder of a job: a job that was
// cancelled, or whose results are complete, has documents in hand for a moment more.
func (b *Jobs) writes(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	here := b.here[id]
	return here != nil && !here.left
}
