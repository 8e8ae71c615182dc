package font

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// ForScreens is a subset with what browsers ask of a font beside outlines: the glyphs of
// characters, and the tables that they refuse fonts without.
func (f *Font) ForScreens(subset []byte, glyphs map[rune]int) ([]byte, error) {
	parsed, err := Parse(subset)
	if err != nil {
		return nil, err
	}
	tables := maps.Clone(parsed.tables)
	tables["cmap"] = screenCmap(glyphs)
	tables["name"] = []byte{0, 0, 0, 0, 0, 6}
	post := make([]byte, 32)
	binary.BigEndian.PutUint32(post, 0x00030000) // without names of glyphs
	tables["post"] = post
	const least = 78
	if tables["OS/2"] = f.tables["OS/2"]; len(tables["OS/2"]) < least {
		tables["OS/2"] = make([]byte, least)
		binary.BigEndian.PutUint16(tables["OS/2"][4:], 400)
		binary.BigEndian.PutUint16(tables["OS/2"][6:], 5)
	}
	return writeFont(append([]string{"name"}, embeddedTables...), tables), nil
}

// screenCmap is a table of characters in groups (format 12).
func screenCmap(glyphs map[rune]int) []byte {
	chars := slices.SortedFunc(maps.Keys(glyphs), cmp.Compare[rune])
	table := binary.BigEndian.AppendUint16(nil, 0)
	table = binary.BigEndian.AppendUint16(table, 1)
	table = binary.BigEndian.AppendUint16(table, 3)
	table = binary.BigEndian.AppendUint16(table, 10)
	table = binary.BigEndian.AppendUint32(table, 12)
	table = binary.BigEndian.AppendUint16(table, 12)
	table = binary.BigEndian.AppendUint16(table, 0)
	table = binary.BigEndian.AppendUint32(table, uint32(16+12*len(chars)))
	table = binary.BigEndian.AppendUint32(table, 0)
	table = binary.BigEndian.AppendUint32(table, uint32(len(chars)))
	for _, r := range chars {
		table = binary.BigEndian.AppendUint32(table, uint32(r))
		table = binary.BigEndian.AppendUint32(table, uint32(r))
		table = binary.BigEndian.AppendUint32(table, uint32(glyphs[r]))
	}
	return table
}
