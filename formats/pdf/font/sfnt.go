package font

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Versions of the table post.
const (
	postNames   = 0x00020000 // with a name for each glyph
	postNoNames = 0x00030000
)

// maxTables is how many tables of a font are read.
const maxTables = 64

// parseSFNT reads TrueType and OpenType.
func parseSFNT(data []byte) (*Font, error) {
	if bytes.HasPrefix(data, []byte("ttcf")) { // a collection: the first font counts
		f, err := parseTables(data, u32(data, 12))
		if err == nil {
			f.Incomplete = true
		}
		return f, err
	}
	return parseTables(data, 0)
}

// parseTables reads a font whose table directory is at an offset.
func parseTables(data []byte, start int) (*Font, error) {
	switch u32(data, start) {
	case 0x00010000, 0x74727565, 0x4F54544F: // 1.0, true, OTTO
	default:
		return nil, errDamaged
	}
	tables := map[string][]byte{}
	for i := range min(u16(data, start+4), maxTables) {
		entry := part(data, start+12+16*i, 16)
		if len(entry) < 16 {
			break
		}
		tables[string(entry[:4])] = part(data, u32(entry, 8), u32(entry, 12))
	}
	if cff := tables["CFF "]; cff != nil {
		f, err := parseCFF(cff)
		if err == nil {
			f.Cmaps, f.Outlines = parseCmaps(tables["cmap"]), cff
			f.tables = map[string][]byte{"OS/2": tables["OS/2"]}
		}
		return f, err
	}
	f := &Font{Kind: TrueType, Glyphs: u16(tables["maxp"], 4), tables: tables}
	perEm := u16(tables["head"], 18)
	// A font of blank glyphs alone has no outlines, so its table glyf is empty.
	if f.Glyphs == 0 || perEm == 0 || tables["loca"] == nil || tables["hmtx"] == nil {
		return nil, errDamaged
	}
	f.widths = make([]float64, f.Glyphs)
	metrics := u16(tables["hhea"], 34)
	if metrics == 0 || 4*metrics > len(tables["hmtx"]) {
		return nil, errDamaged
	}
	if short := 4*metrics + 2*(f.Glyphs-metrics) - len(tables["hmtx"]); short > 0 { // bearings are missing
		tables["hmtx"] = append(slices.Clip(tables["hmtx"]), make([]byte, short)...)
		f.Incomplete = true
	}
	for i := range f.widths {
		f.widths[i] = float64(u16(tables["hmtx"], 4*min(i, metrics-1))) * 1000 / float64(perEm)
	}
	if post := tables["post"]; u32(post, 0) == postNames && (len(post) < 34 || len(post) < 34+2*u16(post, 32)) || len(post) < 32 && len(post) > 0 { // names are missing
		tables["post"] = append(binary.BigEndian.AppendUint32(nil, postNoNames), make([]byte, 28)...)
		f.Incomplete = true
	}
	f.names = parsePost(tables["post"], f.Glyphs)
	f.Cmaps = parseCmaps(tables["cmap"])
	return f, nil
}

// parsePost reads the names of the glyphs from the table post.
func parsePost(post []byte, glyphs int) []string {
	standard := names().macintosh
	switch u32(post, 0) {
	case 0x00010000:
		return standard
	case postNames:
	default:
		return nil
	}
	count := min(u16(post, 32), glyphs)
	var own []string
	for at := 34 + 2*u16(post, 32); at < len(post); at += 1 + u8(post, at) {
		own = append(own, string(part(post, at+1, u8(post, at))))
	}
	result := make([]string, count)
	for i := range result {
		switch n := u16(post, 34+2*i); {
		case n < len(standard):
			result[i] = standard[n]
		case n-len(standard) < len(own):
			result[i] = own[n-len(standard)]
		}
	}
	return result
}
