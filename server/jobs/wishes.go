package jobs

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"einvoice/server/refusal"
)

// The parameters by which an owner says which of its jobs goes before the others.
const (
	parameterPriority = "priority"
	parameterDeadline = "deadline"
)

// priorities in the order in which they go.
var priorities = []string{"high", "normal", "low"}

// errDeadline is the error of a job that was not complete at its deadline.
var errDeadline = errors.New("the deadline of the job has passed; the results that are there stay")

// wishes are of an owner about one of its jobs. They decide between its jobs alone.
type wishes struct {
	priority int       // of priorities
	deadline time.Time // zero for none
}

func wishesOf(query url.Values) (w wishes, err error) {
	w.priority = slices.Index(priorities, "normal")
	if query.Has(parameterPriority) {
		if w.priority = slices.Index(priorities, query.Get(parameterPriority)); w.priority < 0 {
			return w, refusal.New(refusal.Query, "There is no priority %.20q. There are: %s.", query.Get(parameterPriority), strings.Join(priorities, ", "))
		}
	}
	if query.Has(parameterDeadline) {
		if w.deadline, err = time.Parse(time.RFC3339, query.Get(parameterDeadline)); err != nil {
			return w, refusal.New(refusal.Query, "The deadline %.40q is not a time. Write it as 2026-11-30T18:00:00Z.", query.Get(parameterDeadline))
		}
		w.deadline = w.deadline.UTC()
	}
	return w, nil
}

// before reports whether a job goes before another one of its owner.
func (w wishes) before(other wishes) bool {
	if w.priority != other.priority {
		return w.priority < other.priority
	}
	if w.deadline.IsZero() || other.deadline.IsZero() {
		return !w.deadline.IsZero() && other.deadline.IsZero()
	}
	return w.deadline.Before(other.deadline)
}

// active counts the jobs of an owner that run or wait.
func (b *Jobs) active(owner string) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.here {
		if one.owner == owner && !one.over {
			n++
		}
	}
	return n
}

// Owner is whose a job is; "" for one that nobody owns.
func (b *Jobs) Owner(ctx context.Context, id string) string {
	asked, err := b.askedOf(ctx, id)
	if err != nil {
		return ""
	}
	return asked.Owner
}
