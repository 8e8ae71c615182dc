//go:build race

package confine_test

func init() { underRace = true }
