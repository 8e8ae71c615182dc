package font_test

import (
	"encoding/binary"
	"slices"
	"testing"
)

// withCharacters gives a cut font the tables that the other parser insists on.
func withCharacters(t *testing.T, cut, whole []byte) []byte {
	t.Helper()
	tables := tablesOf(cut)
	for name, table := range tablesOf(whole) {
		if name == "name" || name == "OS/2" || name == "post" {
			tables[name] = slices.Clone(table)
		}
	}
	tables["cmap"] = binary.BigEndian.AppendUint32(nil, 1) // one table, of format 4, with no character
	for _, n := range []uint16{3, 1, 0, 12, 4, 24, 0, 2, 0, 0, 0, 0xffff, 0, 0xffff, 1, 0} {
		tables["cmap"] = binary.BigEndian.AppendUint16(tables["cmap"], n)
	}
	binary.BigEndian.PutUint32(tables["post"], 0x00030000) // without names of glyphs
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	font := binary.BigEndian.AppendUint32(nil, 0x00010000)
	font = binary.BigEndian.AppendUint16(font, uint16(len(names)))
	font = append(font, make([]byte, 6)...)
	var body []byte
	for _, name := range names {
		font = append(font, name...)
		font = append(font, make([]byte, 4)...)
		font = binary.BigEndian.AppendUint32(font, uint32(12+16*len(names)+len(body)))
		font = binary.BigEndian.AppendUint32(font, uint32(len(tables[name])))
		body = append(body, tables[name]...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(font, body...)
}

func tablesOf(font []byte) map[string][]byte {
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		entry := font[12+16*i:]
		start, size := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = font[start : start+size]
	}
	return tables
}
