// Package sampled lets make test run a part of the tests whose corpora are large, and make
// test-corpus all of them. Tests alone import it.
//
//	for i, document := range documents {
//		if !sampled.Takes(i, 8) {
//			continue
//		}
package sampled

import "os"

// Whole reports whether tests run on everything that they have: where WHOLE is set in the
// environment.
func Whole() bool { return os.Getenv("WHOLE") != "" }

// Takes reports whether a test looks at the i-th of its cases: one in n of them, or all.
func Takes(i, n int) bool { return Whole() || i%n == 0 }

// Of returns how many cases a test generates: one in n of all, or all.
func Of(all, n int) int {
	if Whole() {
		return all
	}
	return (all + n - 1) / n
}
