package font

import (
	"strconv"
	"strings"
	"sync"
)

// namedRunes are the characters of glyphs, by the names that glyphs have in two widely
// used fonts.
var namedRunes = sync.OnceValue(func() map[string]rune {
	runes := map[string]rune{}
	for _, name := range []string{BuiltInNames[0], BuiltInNames[2]} {
		f, err := Parse(BuiltIn(name))
		if err != nil {
			panic(err) // the fonts are part of the program
		}
		first := map[int]int{} // the lowest character of each glyph
		for code, glyph := range f.Cmap(3, 1).Codes() {
			if known, found := first[glyph]; !found || code < known {
				first[glyph] = code
			}
		}
		for glyph, code := range first {
			if name := f.Name(glyph); name != "" {
				if _, known := runes[name]; !known {
					runes[name] = rune(code)
				}
			}
		}
	}
	return runes
})

// Rune is the character of a glyph with that name.
func Rune(name string) (rune, bool) {
	base, _, _ := strings.Cut(name, ".") // a suffix names a variant of the glyph
	if r, found := namedRunes()[base]; found && base != "" {
		return r, true
	}
	if r, found := names().dingbats[base]; found {
		return r, true
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, found := strings.CutPrefix(base, prefix); found && len(digits) >= 4 && len(digits) <= 6 {
			if r, err := strconv.ParseInt(digits, 16, 32); err == nil {
				return rune(r), true
			}
		}
	}
	return 0, false
}
