package bulk

// SortedInMemory bounds how many bytes are sorted at a time, for tests.
func SortedInMemory(n int) (restore func()) {
	before := spillBytes
	spillBytes = n
	return func() { spillBytes = before }
}
