//go:build packed

package catalogue

// formatsYAML is nothing: package embedded has the nodes of the file.
var formatsYAML []byte
