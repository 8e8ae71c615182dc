package s3

import (
	"os"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
)

// TestMain has what is repeated be repeated at once: the server of the tests has no trouble that
// waiting would end.
func TestMain(m *testing.M) {
	firstWait, minio.DefaultRetryUnit, minio.DefaultRetryCap = time.Millisecond, time.Millisecond, 5*time.Millisecond
	os.Exit(m.Run())
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
