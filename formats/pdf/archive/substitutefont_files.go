//go:build !js

package archive

import (
	"github.com/go-fonts/dejavu/dejavusans"
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

// substituteFonts are, for each family, the regular, bold, italic and bold italic font.
var substituteFonts = map[string][4]*substituteFont{
	"sans": {
		newSubstitute("LiberationSans", liberationsansregular.TTF), newSubstitute("LiberationSans-Bold", liberationsansbold.TTF),
		newSubstitute("LiberationSans-Italic", liberationsansitalic.TTF), newSubstitute("LiberationSans-BoldItalic", liberationsansbolditalic.TTF),
	},
	"serif": {
		newSubstitute("LiberationSerif", liberationserifregular.TTF), newSubstitute("LiberationSerif-Bold", liberationserifbold.TTF),
		newSubstitute("LiberationSerif-Italic", liberationserifitalic.TTF), newSubstitute("LiberationSerif-BoldItalic", liberationserifbolditalic.TTF),
	},
	"mono": {
		newSubstitute("LiberationMono", liberationmonoregular.TTF), newSubstitute("LiberationMono-Bold", liberationmonobold.TTF),
		newSubstitute("LiberationMono-Italic", liberationmonoitalic.TTF), newSubstitute("LiberationMono-BoldItalic", liberationmonobolditalic.TTF),
	},
	"symbol":   {symbolSubstitute, symbolSubstitute, symbolSubstitute, symbolSubstitute},
	"dingbats": {symbolSubstitute, symbolSubstitute, symbolSubstitute, symbolSubstitute},
}

var symbolSubstitute = newSubstitute("DejaVuSans", dejavusans.TTF)
