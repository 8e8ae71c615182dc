// Package reuse prepares the memory of slices for another document, so that what is kept
// for the next one keeps nothing of the last alive.
package reuse

import "slices"

// Emptied is a slice without elements, in the memory of s; nil if that has room for more
// than most.
func Emptied[T any](s []T, most int) []T {
	if cap(s) > most {
		return nil
	}
	clear(s[:cap(s)])
	return s[:0]
}

// Zeros is a slice of n zeros, in the memory of s if that is enough.
func Zeros[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}
