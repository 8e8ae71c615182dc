//go:build !packed && !stored

package embedded

// stored are the nodes of a file as they are stored; "" for none.
func stored(string) string { return "" }
