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

// A Table has entries of which a document uses few, each empty at first. It is emptied by
// the entries that were used.
type Table[T any] struct {
	entries []T
	used    []int32
}

// Begin empties the table and gives it n entries.
func (t *Table[T]) Begin(n int) {
	var empty T
	for _, i := range t.used {
		t.entries[i] = empty
	}
	t.used = t.used[:0]
	if n > cap(t.entries) {
		t.entries = make([]T, n)
	}
	t.entries = t.entries[:n]
}

// Len is how many entries there are.
func (t *Table[T]) Len() int { return len(t.entries) }

// At is an entry. Who makes it other than empty says so with Use.
func (t *Table[T]) At(i int32) *T { return &t.entries[i] }

// Use notes that an entry may no longer be empty.
func (t *Table[T]) Use(i int32) { t.used = append(t.used, i) }
