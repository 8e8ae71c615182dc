package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// fonts embeds a subset of each font that is used.
func (b *builder) fonts(used *fontUse) (types.Dict, error) {
	fonts := types.Dict{}
	for f := range faceCount {
		if len(used.chars[f]) == 1 {
			continue
		}
		ref, err := b.font(f, used.chars[f])
		if err != nil {
			return nil, err
		}
		fonts["F"+strconv.Itoa(int(f))] = ref
	}
	return fonts, nil
}

// font is a Type 0 font. The codes of its characters are their positions in chars.
func (b *builder) font(f face, chars []rune) (types.IndirectRef, error) {
	program := faces[f].font()
	glyphs := make([]int, len(chars))
	widths := make(types.Array, len(chars))
	var cidToGID []byte
	for i, r := range chars {
		if i > 0 {
			glyphs[i] = program.glyph(r)
		}
		widths[i] = types.Float(program.Width(glyphs[i]))
		cidToGID = binary.BigEndian.AppendUint16(cidToGID, uint16(glyphs[i]))
	}
	subset, err := program.Subset(glyphs)
	if err != nil {
		return types.IndirectRef{}, err
	}
	name := types.Name(subsetTag(chars) + "+" + faces[f].name)
	metrics := program.Metrics()
	descriptor := b.Add(types.Dict{
		"Type": types.Name("FontDescriptor"), "FontName": name,
		"FontFile2": b.AddStream(types.Dict{"Length1": types.Integer(len(subset))}, subset),
		"Flags":     types.Integer(4), "ItalicAngle": types.Integer(0),
		"FontBBox": types.NewIntegerArray(metrics.Box[:]...),
		"Ascent":   types.Integer(metrics.Ascent), "Descent": types.Integer(metrics.Descent),
		"CapHeight": types.Integer(metrics.CapHeight), "StemV": types.Integer(10 + 220*(metrics.Weight-50)/900),
	})
	descendant := b.Add(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("CIDFontType2"), "BaseFont": name,
		"CIDSystemInfo": types.Dict{
			"Registry": types.StringLiteral("Adobe"), "Ordering": types.StringLiteral("Identity"), "Supplement": types.Integer(0),
		},
		"FontDescriptor": descriptor, "CIDToGIDMap": b.AddStream(types.Dict{}, cidToGID),
		"W": types.Array{types.Integer(0), widths},
	})
	return b.Add(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("Type0"), "BaseFont": name,
		"Encoding": types.Name("Identity-H"), "DescendantFonts": types.Array{descendant},
		"ToUnicode": b.AddStream(types.Dict{}, toUnicode(chars)),
	}), nil
}

// subsetTag is the tag of six letters that distinguishes subsets of a font.
func subsetTag(chars []rune) string {
	h := fnv.New64a()
	h.Write([]byte(string(chars)))
	n := h.Sum64()
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + byte(n%26)
		n /= 26
	}
	return string(tag)
}

// toUnicode is a CMap from codes to characters, so that text can be copied, searched
// and read aloud.
func toUnicode(chars []rune) []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const perBlock = 100 // entries that one block may have
	for start := 1; start < len(chars); start += perBlock {
		end := min(start+perBlock, len(chars))
		fmt.Fprintf(&b, "%d beginbfchar\n", end-start)
		for i := start; i < end; i++ {
			fmt.Fprintf(&b, "<%04X> <%X>\n", i, types.EncodeUTF16String(string(chars[i]))[2:])
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
