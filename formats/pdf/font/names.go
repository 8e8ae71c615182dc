package font

import (
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

type nameData struct {
	cff, macintosh []string
	encodings      map[string]*[256]string
	dingbats       map[string]rune // characters, by the names of their glyphs
}

// names are the names of glyphs that are predefined in font formats and in PDF. The
// data is embedded: a test finds a mistake in it.
var names = sync.OnceValue(func() nameData {
	var file struct {
		CFF, Macintosh string
		Encodings      map[string]map[int]string
		Dingbats       map[int]rune
	}
	data, err := namesText()
	if err == nil {
		err = yaml.Unmarshal(data, &file)
	}
	if err != nil {
		panic(err)
	}
	d := nameData{strings.Fields(file.CFF), strings.Fields(file.Macintosh), map[string]*[256]string{}, map[string]rune{}}
	for name, runs := range file.Encodings {
		d.encodings[name] = &[256]string{}
		for first, run := range runs {
			copy(d.encodings[name][first:], strings.Fields(run))
		}
	}
	r := rune(0)
	for code, name := range d.encodings["ZapfDingbats"] {
		if first, found := file.Dingbats[code]; found {
			r = first
		}
		if name != "" && name != "space" {
			d.dingbats[name] = r
		}
		r++
	}
	return d
})

// Encoding is a predefined encoding of PDF: the name of the glyph for each code. Symbol
// and ZapfDingbats are the built-in encodings of the fonts with that name.
func Encoding(name string) (*[256]string, bool) {
	e, found := names().encodings[name]
	return e, found
}
