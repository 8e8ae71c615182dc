// Package filename knows names of files that some system treats in its own way.
package filename

import (
	"slices"
	"strings"
)

// devices are names of devices on Windows, which they are with any ending.
var devices = []string{"con", "prn", "aux", "nul", "conin$", "conout$"}

// digits are those that a serial or parallel port can have; Windows takes superscript
// digits for digits.
const digits = "0123456789¹²³"

// IsDevice reports whether a name is that of a device on Windows, whatever its ending, and
// with spaces before it.
func IsDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	stem = strings.TrimSpace(stem)
	if slices.Contains(devices, stem) {
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if digit, ok := strings.CutPrefix(stem, port); ok && len([]rune(digit)) == 1 && strings.Contains(digits, digit) {
			return true
		}
	}
	return false
}

// Safe is the name, changed where it is that of a device.
func Safe(name string) string {
	if IsDevice(name) {
		return "_" + name
	}
	return name
}
