package s3

import "time"

// RenewEvery sets how often a lock is written anew, for tests.
func RenewEvery(d time.Duration) (restore func()) {
	before := renewEvery
	renewEvery = d
	return func() { renewEvery = before }
}
