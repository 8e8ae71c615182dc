package bulk

import "time"

// Stalled sets how long nothing may be done before a stream is filled anew, for tests.
func Stalled(d time.Duration) (restore func()) {
	before := stalled
	stalled = d
	return func() { stalled = before }
}

// NamesInMemory bounds how many names of a folder are sorted at a time, for tests.
func NamesInMemory(n int) (restore func()) {
	before := namesInMemory
	namesInMemory = n
	return func() { namesInMemory = before }
}
