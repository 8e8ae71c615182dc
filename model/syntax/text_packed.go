//go:build packed

package syntax

// list is nothing: package embedded has the nodes of the file.
var list []byte
