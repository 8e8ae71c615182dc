// Package typeset measures text and breaks it into lines: fonts, glyphs, and the shaping of
// scripts whose letters join or run from right to left.
package typeset
