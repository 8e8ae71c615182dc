package bulk

// NamesInMemory bounds how many names of a folder are sorted at a time, for tests.
func NamesInMemory(n int) (restore func()) {
	before := namesInMemory
	namesInMemory = n
	return func() { namesInMemory = before }
}
