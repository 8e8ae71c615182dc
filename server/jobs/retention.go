package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
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
		if err := os.RemoveAll(folder); err != nil { // of one job, which does not keep the others
			failed = errors.Join(failed, err)
			continue
		}
		b.mu.Lock()
		delete(b.here, id)
		b.mu.Unlock()
		b.log.Info("job removed", "job", id, "keptDays", days)
	}
	return failed
}
