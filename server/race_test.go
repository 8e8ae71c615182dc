//go:build race

package server_test

// The detector makes the service several times slower, and its deadlines follow.
func init() { slowdown = 10 }
