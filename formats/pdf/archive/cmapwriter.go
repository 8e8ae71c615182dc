package archive

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"unicode/utf16"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// entriesPerBlock is how many entries a block of a CMap may have.
const entriesPerBlock = 100

// addCMap adds a CMap that maps codes to CIDs.
func (o *output) addCMap(cids map[charCode]int) types.IndirectRef {
	return o.AddStream(types.Dict{
		"Type": types.Name("CMap"), "CMapName": types.Name("Codes"), "CIDSystemInfo": identitySystem(), "WMode": types.Integer(0),
	}, writeCMap(cids))
}

// writeCMap is a CMap that maps codes, all of one or of two bytes, to CIDs.
func writeCMap(cids map[charCode]int) []byte {
	return cmapFile("Codes", "cidchar", cids, func(cid int) string { return fmt.Sprint(cid) })
}

// writeToUnicode is a CMap that maps codes to texts.
func writeToUnicode(texts map[charCode]string) []byte {
	return cmapFile("Unicode", "bfchar", texts, func(text string) string {
		s := "<"
		for _, u := range utf16.Encode([]rune(text)) {
			s += fmt.Sprintf("%04X", u)
		}
		return s + ">"
	})
}

func cmapFile[T any](name, kind string, values map[charCode]T, format func(T) string) []byte {
	var b bytes.Buffer
	codes := slices.SortedFunc(maps.Keys(values), compareCodes)
	codeSpace := "<00> <FF>"
	if len(codes) > 0 && codes[0].length == 2 {
		codeSpace = "<0000> <FFFF>"
	}
	fmt.Fprintf(&b, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"+
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> def\n"+
		"/CMapName /%s def\n/CMapType 1 def\n/WMode 0 def\n1 begincodespacerange\n%s\nendcodespacerange\n", name, codeSpace)
	for block := range slices.Chunk(codes, entriesPerBlock) {
		fmt.Fprintf(&b, "%d begin%s\n", len(block), kind)
		for _, c := range block {
			fmt.Fprintf(&b, "<%0*X> %s\n", 2*c.length, c.value, format(values[c]))
		}
		fmt.Fprintf(&b, "end%s\n", kind)
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}

// widthArray is the entry W of a CIDFont: lists of widths for consecutive CIDs.
func widthArray(widths map[int]float64) types.Array {
	result := types.Array{}
	next := -1
	for _, cid := range slices.Sorted(maps.Keys(widths)) {
		if cid != next {
			result = append(result, types.Integer(cid), types.Array{})
		}
		list := result[len(result)-1].(types.Array) //nolint:errcheck // it was appended here
		result[len(result)-1] = append(list, numberObject(widths[cid]))
		next = cid + 1
	}
	return result
}
