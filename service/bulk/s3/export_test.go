package s3

import "time"

// RenewEvery sets how often a lock is written anew, for tests.
func RenewEvery(d time.Duration) (restore func()) {
	before := renewEvery
	renewEvery = d
	return func() { renewEvery = before }
}

// Patience sets how long an answer of few bytes may take before it is asked for again.
func Patience(d time.Duration) (restore func()) {
	before := shortly
	shortly = d
	return func() { shortly = before }
}
