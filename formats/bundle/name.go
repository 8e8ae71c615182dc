package bundle

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/model/filename"
)

// longestName is a length that every file system allows, also with a number added.
const longestName = 120

// endings are the file name endings of the usual MIME types. They are added to names
// without an ending.
var endings = map[string]string{
	"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg", "text/csv": ".csv",
	"text/xml": ".xml", "application/xml": ".xml",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
	"application/vnd.oasis.opendocument.spreadsheet":                    ".ods",
}

// safeName makes a name that is safe on every system from one that the sender chose: it
// contains no folders, is neither a device nor a hidden file, and has no invisible
// characters.
func safeName(original, mimeType string) string {
	name := strings.ToValidUTF8(original, "")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case !unicode.IsPrint(r): // control characters, and those that change the direction of text
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
	return shorten(filename.Safe(name))
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
