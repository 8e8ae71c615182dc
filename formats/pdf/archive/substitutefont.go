package archive

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/formats/pdf/font"

	pdfcpufont "github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"gopkg.in/yaml.v3"
)

//go:embed substitutefonts.yaml
var substituteFontsYAML []byte

// substitutes are the beginnings of the names of fonts that can be replaced, by the
// family that replaces them.
var substitutes = sync.OnceValue(func() map[string][]string {
	var families map[string][]string
	if err := yaml.Unmarshal(substituteFontsYAML, &families); err != nil {
		panic(err) // the data is embedded: a test finds a mistake in it
	}
	return families
})

// A substituteFont is a font that replaces others.
type substituteFont struct {
	name  string
	parse func() (*font.Font, error)
}

func newSubstitute(name string, data []byte) *substituteFont {
	return &substituteFont{name, sync.OnceValues(func() (*font.Font, error) { return font.Parse(data) })}
}

// substituteNames are the regular font of each family, whose name the others have with a
// style behind it.
var (
	substituteNames  = map[string]string{"sans": "LiberationSans", "serif": "LiberationSerif", "mono": "LiberationMono"}
	substituteStyles = [4]string{"", "-Bold", "-Italic", "-BoldItalic"}
)

// symbolName is the font that replaces those of symbols, in all styles.
const symbolName = "DejaVuSans"

var builtInSubstitutes sync.Map // by name; of what was asked for

// builtInSubstitute is a font of the program that replaces others; nil where the program has
// none of that name, as that for browsers.
func builtInSubstitute(name string) *substituteFont {
	if known, ok := builtInSubstitutes.Load(name); ok {
		return known.(*substituteFont) //nolint:forcetypeassert // nothing else is stored
	}
	data := font.BuiltIn(name)
	if data == nil {
		return nil
	}
	stored, _ := builtInSubstitutes.LoadOrStore(name, newSubstitute(name, data))
	return stored.(*substituteFont) //nolint:forcetypeassert // nothing else is stored
}

// substituteFor is the font that replaces one of that name, and its family; nil if
// none has the same widths.
func substituteFor(name string) (family string, f *substituteFont) {
	plain := plainName(name)
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
	for _, family := range []string{"dingbats", "mono", "sans", "serif", "symbol"} {
		for _, beginning := range substitutes()[family] {
			if !strings.HasPrefix(plain, beginning) {
				continue
			}
			own := symbolName
			if regular := substituteNames[family]; regular != "" {
				own = regular + substituteStyles[style]
			}
			return family, builtInSubstitute(own)
		}
	}
	return "", nil
}

// plainName is the name of a font in small letters, without separators and the tag of a
// subset.
func plainName(name string) string {
	plain := strings.ToLower(name)
	if len(plain) > 7 && plain[6] == '+' {
		plain = plain[7:]
	}
	return strings.NewReplacer(" ", "", "-", "", ",", "", "_", "").Replace(plain)
}

// builtInEncoding is the encoding of the standard 14 fonts of a family.
func builtInEncoding(family string) func(int) string {
	name := map[string]string{"symbol": "Symbol", "dingbats": "ZapfDingbats"}[family]
	own, found := font.Encoding(name)
	if !found {
		return standardEncoding
	}
	return func(code int) string { return own[code&0xFF] }
}

// substitute embeds a font in place of one that is not embedded. It keeps the widths
// that the pages are laid out with.
func (c *converter) substitute(f *usedFont) {
	name := c.Name(f.dict["BaseFont"])
	family, substitute := "", c.ownFonts.named(name)
	if substitute == nil {
		family, substitute = substituteFor(name)
	}
	if substitute == nil {
		if f.visible() {
			c.refuse(ReasonFont, "the font "+c.label(f)+" is not embedded, and no font takes its place", remedyFonts)
			return
		}
		if f.dict["Widths"] == nil || f.dict["FirstChar"] == nil || f.dict["LastChar"] == nil {
			c.declareWidths(f, map[int]float64{0: 0})
		}
		return
	}
	program, err := substitute.parse()
	if err != nil {
		c.Fail(err)
		return
	}
	e := c.encodingOf(f)
	glyphs, widths, runes := map[charCode]int{}, map[int]float64{}, map[charCode]rune{}
	for _, code := range f.sortedCodes() {
		u := f.codes[code]
		name := glyphName(e, code.value, builtInEncoding(family))
		r, known := font.Rune(name)
		glyph := program.Cmap(3, 1).Glyph(int(r))
		if !known || glyph == font.NotDef {
			c.refuseMissingGlyph(f, u)
			continue
		}
		glyphs[code], runes[code] = glyph, r
		width := c.layoutWidth(f, family, code.value, program.Width(glyph))
		if other, set := widths[glyph]; set && other != width && u.visible {
			c.refuseGlyphWidths(f, u.page)
		}
		widths[glyph] = width
	}
	c.embedSubstitute(f, substitute, program, glyphs, widths, runes)
}

// layoutWidth is the width that the pages are laid out with: the declared one, or else
// that of the standard 14 font that is missing; own is the width in the substitute.
func (c *converter) layoutWidth(f *usedFont, family string, code int, own float64) float64 {
	if declared, ok := c.declaredWidth(f, code); ok && declared > 0 {
		return declared
	}
	standardFont := map[string]string{"symbol": "Symbol", "dingbats": "ZapfDingbats"}[family]
	if standardFont == "" {
		return own
	}
	if w, err := pdfcpufont.CharWidth(standardFont, rune(code)); err == nil && w > 0 {
		return float64(w)
	}
	return own
}

func (c *converter) embedSubstitute(f *usedFont, substitute *substituteFont, program *font.Font,
	glyphs map[charCode]int, widths map[int]float64, runes map[charCode]rune) {
	data, err := program.WithWidths(widths)
	if err == nil {
		if program, err = font.Parse(data); err == nil {
			data, err = program.Subset(slices.Collect(maps.Keys(widths)))
		}
	}
	if err != nil {
		c.Fail(err)
		return
	}
	for glyph := range widths { // rounded to the units of the font program
		widths[glyph] = program.Width(glyph)
	}
	name := types.Name(subsetTag(data) + "+" + substitute.name)
	metrics := program.Metrics()
	descriptor := types.Dict{
		"Type": types.Name("FontDescriptor"), "FontName": name, "Flags": types.Integer(symbolicFlag),
		"FontBBox": types.NewIntegerArray(metrics.Box[:]...), "ItalicAngle": types.Integer(0),
		"Ascent": types.Integer(metrics.Ascent), "Descent": types.Integer(metrics.Descent),
		// Required, and not used for an embedded font.
		"CapHeight": types.Integer(metrics.Ascent), "StemV": types.Integer(80),
	}
	if strings.Contains(substitute.name, "Italic") {
		descriptor["ItalicAngle"] = types.Integer(-12)
	}
	c.embedTrueType(descriptor, data)
	c.changed(fmt.Sprintf("the font %s is not embedded; %s takes its place", c.label(f), substitute.name))
	f.dict["BaseFont"] = name
	c.makeComposite(f, c.Add(descriptor), glyphs, widths, runes)
}

// subsetTag is the tag of six letters that distinguishes subsets of a font.
func subsetTag(data []byte) string {
	sum := sha256.Sum256(data)
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + sum[i]%26
	}
	return string(tag)
}
