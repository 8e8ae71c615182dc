//go:build !js && !packed

package font

import (
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/liberation/liberationmonobold"
	"github.com/go-fonts/liberation/liberationmonobolditalic"
	"github.com/go-fonts/liberation/liberationmonoitalic"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansbolditalic"
	"github.com/go-fonts/liberation/liberationsansitalic"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifbolditalic"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
)

var builtIn = map[string][]byte{
	"DejaVuSans": dejavusans.TTF, "DejaVuSans-Bold": dejavusansbold.TTF,
	"LiberationMono": liberationmonoregular.TTF, "LiberationMono-Bold": liberationmonobold.TTF,
	"LiberationMono-Italic": liberationmonoitalic.TTF, "LiberationMono-BoldItalic": liberationmonobolditalic.TTF,
	"LiberationSans": liberationsansregular.TTF, "LiberationSans-Bold": liberationsansbold.TTF,
	"LiberationSans-Italic": liberationsansitalic.TTF, "LiberationSans-BoldItalic": liberationsansbolditalic.TTF,
	"LiberationSerif": liberationserifregular.TTF, "LiberationSerif-Bold": liberationserifbold.TTF,
	"LiberationSerif-Italic": liberationserifitalic.TTF, "LiberationSerif-BoldItalic": liberationserifbolditalic.TTF,
}

// BuiltIn is the file of one of the program's fonts; nil if it has none of that name.
func BuiltIn(name string) []byte { return builtIn[name] }
