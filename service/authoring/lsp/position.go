package lsp

import (
	"strings"
	"unicode/utf16"
)

// lineOf is a line of a text, from 1.
func lineOf(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[line-1], "\r")
}

// unitsBefore is how many units of UTF-16 come before a column, which counts characters
// from 1.
func unitsBefore(line string, column int) (units int) {
	for i, r := range []rune(line) {
		if i+1 >= column {
			break
		}
		units += utf16.RuneLen(r)
	}
	return units
}

// columnOf is the column, in characters from 1, behind so many units of UTF-16.
func columnOf(line string, units int) int {
	column := 1
	for _, r := range line {
		if units -= utf16.RuneLen(r); units < 0 {
			break
		}
		column++
	}
	return column
}
