package archive

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

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
	pdfcpufont "github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"gopkg.in/yaml.v3"

	"einvoice/formats/pdf/font"
)

//go:embed substitutes.yaml
var substitutesYAML []byte

// substitutes are the names of fonts, by the family that takes their place.
var substitutes = sync.OnceValue(func() map[string][]string {
	var families map[string][]string
	if err := yaml.Unmarshal(substitutesYAML, &families); err != nil {
		panic(err) // the data is ours: the first test finds a fault in it
	}
	return families
})

// A face is a font that stands in for others.
type face struct {
	name  string
	data  []byte
	parse func() (*font.Font, error)
}

func newFace(name string, data []byte) *face {
	return &face{name, data, sync.OnceValues(func() (*font.Font, error) { return font.Parse(data) })}
}

// faces are regular, bold, italic, and both.
var faces = map[string][4]*face{
	"sans": {
		newFace("LiberationSans", liberationsansregular.TTF), newFace("LiberationSans-Bold", liberationsansbold.TTF),
		newFace("LiberationSans-Italic", liberationsansitalic.TTF), newFace("LiberationSans-BoldItalic", liberationsansbolditalic.TTF),
	},
	"serif": {
		newFace("LiberationSerif", liberationserifregular.TTF), newFace("LiberationSerif-Bold", liberationserifbold.TTF),
		newFace("LiberationSerif-Italic", liberationserifitalic.TTF), newFace("LiberationSerif-BoldItalic", liberationserifbolditalic.TTF),
	},
	"mono": {
		newFace("LiberationMono", liberationmonoregular.TTF), newFace("LiberationMono-Bold", liberationmonobold.TTF),
		newFace("LiberationMono-Italic", liberationmonoitalic.TTF), newFace("LiberationMono-BoldItalic", liberationmonobolditalic.TTF),
	},
	"symbol":   {symbolFace, symbolFace, symbolFace, symbolFace},
	"dingbats": {symbolFace, symbolFace, symbolFace, symbolFace},
}

var symbolFace = newFace("DejaVuSans", dejavusans.TTF)

// faceFor is the font that takes the place of one of that name, and its family;
// nil if none has the same widths.
func faceFor(name string) (family string, f *face) {
	plain := strings.ToLower(name)
	if len(plain) > 7 && plain[6] == '+' {
		plain = plain[7:]
	}
	plain = strings.NewReplacer(" ", "", "-", "", ",", "", "_", "").Replace(plain)
	for _, word := range substitutes()["others"] {
		if strings.Contains(plain, word) {
			return "", nil
		}
	}
	style := 0
	if strings.Contains(plain, "bold") {
		style |= 1
	}
	if strings.Contains(plain, "italic") || strings.Contains(plain, "oblique") {
		style |= 2
	}
	for _, family := range slices.Sorted(maps.Keys(faces)) {
		for _, beginning := range substitutes()[family] {
			if strings.HasPrefix(plain, beginning) {
				return family, faces[family][style]
			}
		}
	}
	return "", nil
}

// ownEncoding is the encoding that fonts of a family have by themselves.
func ownEncoding(family string) func(int) string {
	name := map[string]string{"symbol": "Symbol", "dingbats": "ZapfDingbats"}[family]
	own, found := font.Encoding(name)
	if !found {
		return standard
	}
	return func(value int) string { return own[value&0xFF] }
}

// substitute embeds a font in place of one that is not in the file. It keeps the
// widths that the pages are laid out with.
func (c *converter) substitute(f *usedFont) {
	family, face := faceFor(c.name(f.dict["BaseFont"]))
	if face == nil {
		if f.visible() {
			c.refuse(ReasonFont, "the font "+c.label(f)+" is not embedded, and no font takes its place", remedyFonts)
			return
		}
		if f.dict["Widths"] == nil || f.dict["FirstChar"] == nil || f.dict["LastChar"] == nil {
			c.declare(f, map[int]float64{0: 0})
		}
		return
	}
	program, err := face.parse()
	if err != nil {
		c.fail(err)
		return
	}
	e := c.encodingOf(f)
	glyphs, widths, runes := map[code]int{}, map[int]float64{}, map[code]rune{}
	for _, at := range f.codes() {
		u := f.uses[at]
		name := e.name(at.value, ownEncoding(family))
		r, known := font.Rune(name)
		glyph := program.Cmap(3, 1).Glyph(int(r))
		if !known || glyph == font.NotDef {
			c.lacks(f, u)
			continue
		}
		glyphs[at], runes[at] = glyph, r
		width := c.laidOut(f, family, at.value, program.Width(glyph))
		if other, set := widths[glyph]; set && other != width && u.visible {
			c.refuseOn(u.page, ReasonWidths, "the font "+c.label(f)+" gives one glyph several widths", remedyFonts)
		}
		widths[glyph] = width
	}
	c.embedFace(f, face, program, glyphs, widths, runes)
}

// laidOut is the width that the pages are laid out with: as declared, else as the
// font that is missing has it.
func (c *converter) laidOut(f *usedFont, family string, value int, own float64) float64 {
	if declared, ok := c.widthOf(f, value); ok && declared > 0 {
		return declared
	}
	core := map[string]string{"symbol": "Symbol", "dingbats": "ZapfDingbats"}[family]
	if core == "" {
		return own
	}
	if w, err := pdfcpufont.CharWidth(core, rune(value)); err == nil && w > 0 {
		return float64(w)
	}
	return own
}

func (c *converter) embedFace(f *usedFont, face *face, program *font.Font, glyphs map[code]int, widths map[int]float64, runes map[code]rune) {
	data, err := program.WithWidths(widths)
	if err == nil {
		if program, err = font.Parse(data); err == nil {
			data, err = program.Sparse(slices.Collect(maps.Keys(widths)))
		}
	}
	if err != nil {
		c.fail(err)
		return
	}
	for glyph := range widths { // as the font has them, which counts in units of its own
		widths[glyph] = program.Width(glyph)
	}
	sum := sha256.Sum256(data)
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + sum[i]%26
	}
	name := types.Name(string(tag) + "+" + face.name)
	metrics := program.Metrics()
	descriptor := types.Dict{
		"Type": types.Name("FontDescriptor"), "FontName": name, "Flags": types.Integer(symbolic),
		"FontBBox":    types.Array{types.Integer(metrics.Box[0]), types.Integer(metrics.Box[1]), types.Integer(metrics.Box[2]), types.Integer(metrics.Box[3])},
		"ItalicAngle": types.Integer(0), "Ascent": types.Integer(metrics.Ascent), "Descent": types.Integer(metrics.Descent),
		"CapHeight": types.Integer(metrics.Ascent), "StemV": types.Integer(80), // as good as any: nothing is drawn by it
	}
	if strings.Contains(face.name, "Italic") {
		descriptor["ItalicAngle"] = types.Integer(-12)
	}
	c.embed(descriptor, data)
	c.changed(fmt.Sprintf("the font %s is not embedded; %s takes its place", c.label(f), face.name))
	ref, err := c.add(descriptor)
	if err != nil {
		c.fail(err)
		return
	}
	f.dict["BaseFont"] = name
	c.compose(f, ref, glyphs, widths, runes)
}
