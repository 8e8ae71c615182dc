package bulkwork_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"einvoice/server/bulkwork"
	"einvoice/server/confine"
	"einvoice/service/bulk"
)

// A lateTimer is a context that is over by the clock and has not heard of it.
type lateTimer struct{ context.Context }

func (lateTimer) Deadline() (time.Time, bool) { return time.Now().Add(-time.Millisecond), true }

// An unreadable says of every document that it cannot be read.
type unreadable struct{}

func (unreadable) Name() string   { return "unreadable" }
func (unreadable) Digest() string { return "" }
func (unreadable) Do(context.Context, []byte, *bulk.Document) ([]byte, bulk.Outcome, error) {
	return []byte("{}\n"), bulk.Outcome{Verdict: bulk.Unreadable}, nil
}

// Work that its time ended is late, also where its context has not heard of the end yet: what it
// says of the document is about the time and not about the document.
func TestLateOnTheClock(t *testing.T) {
	t.Parallel()
	call := &confine.Call{Header: http.Header{"Einvoice-Batch": {"0"}, "Einvoice-At": {"0"}}}
	if reply := bulkwork.Answer(t.Context(), call, unreadable{}); reply.Status != http.StatusOK {
		t.Errorf("in time: %d %s", reply.Status, reply.Body)
	}
	if reply := bulkwork.Answer(lateTimer{t.Context()}, call, unreadable{}); reply.Status != http.StatusGatewayTimeout {
		t.Errorf("late: %d", reply.Status)
	}
}
