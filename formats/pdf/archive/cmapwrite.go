package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode/utf16"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// perBlock is how many lines a block of a CMap may have.
const perBlock = 100

// writeCMap maps codes, all of one or of two bytes, to character identifiers.
func writeCMap(cids map[code]int) []byte {
	return cmapFile("Codes", "cidchar", cids, func(cid int) string { return fmt.Sprint(cid) })
}

// writeToUnicode maps codes to characters.
func writeToUnicode(runes map[code]rune) []byte {
	return cmapFile("Unicode", "bfchar", runes, func(r rune) string {
		s := "<"
		for _, u := range utf16.Encode([]rune{r}) {
			s += fmt.Sprintf("%04X", u)
		}
		return s + ">"
	})
}

func cmapFile[T any](name, kind string, values map[code]T, write func(T) string) []byte {
	var b bytes.Buffer
	codes := slices.SortedFunc(maps.Keys(values), func(a, b code) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.value, b.value))
	})
	space := "<00> <FF>"
	if len(codes) > 0 && codes[0].length == 2 {
		space = "<0000> <FFFF>"
	}
	fmt.Fprintf(&b, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"+
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> def\n"+
		"/CMapName /%s def\n/CMapType 1 def\n/WMode 0 def\n1 begincodespacerange\n%s\nendcodespacerange\n", name, space)
	for block := range slices.Chunk(codes, perBlock) {
		fmt.Fprintf(&b, "%d begin%s\n", len(block), kind)
		for _, c := range block {
			fmt.Fprintf(&b, "<%0*X> %s\n", 2*c.length, c.value, write(values[c]))
		}
		fmt.Fprintf(&b, "end%s\n", kind)
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}

// widthArray is the entry W of a font: runs of widths from a character on.
func widthArray(widths map[int]float64) types.Array {
	result := types.Array{}
	next := -1
	for _, cid := range slices.Sorted(maps.Keys(widths)) {
		if cid != next {
			result = append(result, types.Integer(cid), types.Array{})
		}
		run := result[len(result)-1].(types.Array) //nolint:errcheck // it was put there
		result[len(result)-1] = append(run, numberObject(widths[cid]))
		next = cid + 1
	}
	return result
}
