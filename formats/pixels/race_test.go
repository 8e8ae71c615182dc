//go:build race

package pixels_test

func init() { underRace = true }
