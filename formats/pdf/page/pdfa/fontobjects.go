package pdfa

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"einvoice/formats/pdf/page/typeset"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// fonts embeds a subset of each font that is used.
func (b *builder) fonts(u *typeset.FontUse) (types.Dict, error) {
	fonts := types.Dict{}
	for i := range u.Used {
		if len(u.Used[i].Glyphs) == 0 {
			continue
		}
		ref, err := b.font(u.Faces[i], u.Used[i].Glyphs)
		if err != nil {
			return nil, err
		}
		fonts["F"+strconv.Itoa(i)] = ref
	}
	return fonts, nil
}

// font is a Type 0 font. The codes are the positions in used.
func (b *builder) font(program *typeset.Face, used []typeset.UsedGlyph) (types.IndirectRef, error) {
	glyphs := make([]int, len(used))
	widths := make(types.Array, len(used))
	var cidToGID []byte
	for i, g := range used {
		glyphs[i] = g.Glyph
		widths[i] = types.Float(program.Width(g.Glyph))
		cidToGID = binary.BigEndian.AppendUint16(cidToGID, uint16(g.Glyph))
	}
	subset, err := program.SubsetFor(glyphs, cidToGID)
	if err != nil {
		return types.IndirectRef{}, err
	}
	name := types.Name(subsetTag(used) + "+" + postScriptName(program.FontName))
	metrics := program.FontMetrics()
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
		"ToUnicode": b.AddStream(types.Dict{}, toUnicode(used)),
	}), nil
}

// postScriptName is a name without what names of fonts may not have.
func postScriptName(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune("[](){}<>/%#", r) {
			return -1
		}
		return r
	}, name)
}

// subsetTag is the tag of six letters that distinguishes subsets of a font.
func subsetTag(used []typeset.UsedGlyph) string {
	h := fnv.New64a()
	for _, g := range used {
		h.Write(binary.BigEndian.AppendUint32([]byte(g.Text), uint32(g.Glyph)))
	}
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
func toUnicode(used []typeset.UsedGlyph) []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const perBlock = 100 // entries that one block may have
	for start := 1; start < len(used); start += perBlock {
		end := min(start+perBlock, len(used))
		fmt.Fprintf(&b, "%d beginbfchar\n", end-start)
		for i := start; i < end; i++ {
			fmt.Fprintf(&b, "<%04X> <%X>\n", i, types.EncodeUTF16String(used[i].Text)[2:])
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
