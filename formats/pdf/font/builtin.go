//go:build !js

package font

import (
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
)

// BuiltIn is the file of one of the program's fonts.
func BuiltIn(name string) []byte {
	return map[string][]byte{
		"LiberationSans": liberationsansregular.TTF, "LiberationSans-Bold": liberationsansbold.TTF,
		"DejaVuSans": dejavusans.TTF, "DejaVuSans-Bold": dejavusansbold.TTF,
	}[name]
}

// ForBrowsers are the files of the folder browser, by name: what the program for browsers has
// in place of the fonts, which it does not draw with.
func ForBrowsers() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range BuiltInNames {
		reduced, err := WithoutOutlines(BuiltIn(name))
		if err != nil {
			return nil, err
		}
		files[name+".bin"] = reduced
	}
	return files, nil
}
