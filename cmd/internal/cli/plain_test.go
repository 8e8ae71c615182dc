//go:build !packed

package cli

// isPacked reports whether the program has what the build prepared.
const isPacked = false
