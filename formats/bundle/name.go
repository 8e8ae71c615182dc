package bundle

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is what every file system takes, with room for a number.
const longestName = 120

// endings of what invoices usually carry; other types keep the ending that the
// sender gave them.
var endings = map[string]string{
	"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg", "text/csv": ".csv",
	"text/xml": ".xml", "application/xml": ".xml",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
	"application/vnd.oasis.opendocument.spreadsheet":                    ".ods",
}

// reserved are names that are devices on Windows, whatever their ending.
var reserved = []string{"con", "prn", "aux", "nul", "conin$", "conout$"}

// safeName makes a name that is a plain file's on every system out of one that a
// stranger chose: no folders, no device, nothing hidden or invisible.
func safeName(original, mimeType string) string {
	name := strings.ToValidUTF8(original, "")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case !unicode.IsPrint(r): // control characters, and those that reverse what is shown
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(name), ". -~"), ". ")
	if name == "" {
		name = "attachment"
	}
	if path.Ext(name) == "" {
		name += endings[strings.ToLower(strings.TrimSpace(mimeType))]
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	port := len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt"))
	if port || slices.Contains(reserved, stem) {
		name = "_" + name
	}
	return shorten(name)
}

func shorten(name string) string {
	if len(name) <= longestName {
		return name
	}
	ending := path.Ext(name)
	if len(ending) > 20 {
		ending = ""
	}
	cut := longestName - len(ending)
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + ending
}

// unique numbers a name that is taken. Names that differ in case only are the
// same on some systems.
func (b *Bundle) unique(name string) string {
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	for n := 2; b.taken(name); n++ {
		name = fmt.Sprintf("%s-%d%s", stem, n, ending)
	}
	return name
}

func (b *Bundle) taken(name string) bool {
	return strings.EqualFold(name, manifestName) ||
		slices.ContainsFunc(b.Files, func(f File) bool { return strings.EqualFold(f.Name, name) })
}
