package font_test

import (
	"encoding/binary"
	"slices"
	"testing"
)

// withRequiredTables adds to a subset the tables that the other parser requires.
func withRequiredTables(t *testing.T, subset, whole []byte) []byte {
	t.Helper()
	tables := tablesOf(subset)
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
	file := binary.BigEndian.AppendUint32(nil, 0x00010000)
	file = binary.BigEndian.AppendUint16(file, uint16(len(names)))
	file = append(file, make([]byte, 6)...)
	var body []byte
	for _, name := range names {
		file = append(file, name...)
		file = append(file, make([]byte, 4)...)
		file = binary.BigEndian.AppendUint32(file, uint32(12+16*len(names)+len(body)))
		file = binary.BigEndian.AppendUint32(file, uint32(len(tables[name])))
		body = append(body, tables[name]...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(file, body...)
}

func tablesOf(file []byte) map[string][]byte {
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		entry := file[12+16*i:]
		start, size := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = file[start : start+size]
	}
	return tables
}
