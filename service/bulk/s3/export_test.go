//go:build machines

package s3

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"einvoice/service/bulk"
	"einvoice/service/watch"
	"einvoice/service/watch/watchtest"

	"github.com/minio/minio-go/v7"
)

// TestMain has what is repeated be repeated at once: the server of the tests has no trouble that
// waiting would end.
func TestMain(m *testing.M) {
	firstWait, minio.DefaultRetryUnit, minio.DefaultRetryCap = time.Millisecond, time.Millisecond, 5*time.Millisecond
	if work := os.Getenv(AsksToWatch); work != "" {
		if err := line(work); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// AsksToWatch says to this program that it is to watch in/ of the bucket, in place of testing.
const AsksToWatch = "S3_TEST_LINE"

// line watches, with locks that are soon given up.
func line(work string) error {
	in, err := OpenInbox("s3://bucket/in", work)
	if err != nil {
		return err
	}
	out, err := OpenTarget("s3://bucket/out", work)
	if err != nil {
		return err
	}
	in.Renews(50*time.Millisecond, 4)
	l := &watch.Line{
		Sources: []watch.Source{in}, Target: &watch.Stored{In: out.Renews(50*time.Millisecond, 4)},
		By: bulk.Performance{Operation: watchtest.Judging{}, Time: 300 * time.Millisecond}, Jobs: 3, Limit: 1 << 20,
	}
	l.Retry = os.Getenv(watchtest.Cured) != ""
	return l.Run(context.Background())
}

// Renews sets how often a lock is written again, and how often it is looked at before it is
// taken over, for tests.
func (t *Target) Renews(every time.Duration, times int) *Target {
	t.renewEvery, t.renewTimes = every, times
	return t
}

// Patience sets how long an answer of few bytes may take before it is asked for again.
func Patience(d time.Duration) (restore func()) {
	before := shortly
	shortly = d
	return func() { shortly = before }
}
