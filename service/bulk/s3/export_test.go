package s3

import "time"

// Renews sets how often a lock is written anew, and how often it is looked at before it is
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
