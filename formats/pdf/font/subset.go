package font

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// embeddedTables are the tables that a TrueType font in a PDF may need.
var embeddedTables = []string{"OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post", "prep"}

// The flags of a component of a composite glyph that say what follows it.
const (
	wordArguments  = 1 << 0
	oneScale       = 1 << 3
	moreComponents = 1 << 5
	twoScales      = 1 << 6
	fourScales     = 1 << 7
)

// Subset is a TrueType font with the outlines of these glyphs, and of their components,
// alone. The glyphs keep their numbers; those after the last one are left out.
func (f *Font) Subset(glyphs []int) ([]byte, error) {
	needed := map[int]bool{NotDef: true}
	for queue := slices.Clone(glyphs); len(queue) > 0; queue = queue[1:] {
		if !needed[queue[0]] {
			needed[queue[0]] = true
			queue = append(queue, f.components(queue[0])...)
		}
	}
	count := min(f.Glyphs, slices.Max(slices.Collect(maps.Keys(needed)))+1)
	var outlines, offsets []byte
	for i := range count {
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(outlines)))
		if needed[i] {
			outlines = append(outlines, f.outline(i)...)
			outlines = append(outlines, make([]byte, -len(outlines)&3)...)
		}
	}
	offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(outlines)))
	tables := maps.Clone(f.tables)
	metrics := min(u16(tables["hhea"], 34), count)
	for _, v := range []struct {
		table     string
		at, value int
	}{{"head", 50, 1 /* long offsets */}, {"maxp", 4, count}, {"hhea", 34, metrics}} {
		if len(tables[v.table]) < v.at+2 {
			return nil, errDamaged
		}
		tables[v.table] = slices.Clone(tables[v.table])
		binary.BigEndian.PutUint16(tables[v.table][v.at:], uint16(v.value))
	}
	tables["glyf"], tables["loca"] = outlines, offsets
	tables["hmtx"] = part(tables["hmtx"], 0, 4*metrics+2*(count-metrics))
	delete(tables, "cmap") // the font dictionary maps codes to glyphs
	delete(tables, "post")
	delete(tables, "OS/2")
	return writeFont(embeddedTables, tables), nil
}

// WithWidths is a TrueType font in which glyphs have these advance widths, in
// thousandths. All else is as it was.
func (f *Font) WithWidths(widths map[int]float64) ([]byte, error) {
	if f.Kind != TrueType || len(f.tables["hhea"]) < 36 {
		return nil, errDamaged
	}
	metrics := u16(f.tables["hhea"], 34)
	perEm := float64(u16(f.tables["head"], 18))
	var hmtx []byte
	for i := range f.Glyphs {
		bearing := u16(f.tables["hmtx"], 4*i+2)
		if i >= metrics {
			bearing = u16(f.tables["hmtx"], 4*metrics+2*(i-metrics))
		}
		advance := u16(f.tables["hmtx"], 4*min(i, metrics-1))
		if w, changed := widths[i]; changed {
			advance = int(math.Round(w * perEm / 1000))
		}
		hmtx = binary.BigEndian.AppendUint16(hmtx, uint16(advance))
		hmtx = binary.BigEndian.AppendUint16(hmtx, uint16(bearing))
	}
	tables := maps.Clone(f.tables)
	hhea := slices.Clone(tables["hhea"])
	binary.BigEndian.PutUint16(hhea[34:], uint16(f.Glyphs))
	tables["hhea"], tables["hmtx"] = hhea, hmtx
	return writeFont(embeddedTables, tables), nil
}

func (f *Font) outline(glyph int) []byte {
	loca := f.tables["loca"]
	start, end := 2*u16(loca, 2*glyph), 2*u16(loca, 2*glyph+2)
	if u16(f.tables["head"], 50) != 0 {
		start, end = u32(loca, 4*glyph), u32(loca, 4*glyph+4)
	}
	return part(f.tables["glyf"], start, end-start)
}

// components are the glyphs that a composite glyph is made of.
func (f *Font) components(glyph int) (components []int) {
	outline := f.outline(glyph)
	if i16(outline, 0) >= 0 {
		return nil
	}
	for at := 10; at < len(outline); {
		flags := u16(outline, at)
		components = append(components, u16(outline, at+2))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&fourScales != 0:
			at += 8
		}
		if flags&moreComponents == 0 {
			break
		}
	}
	return components
}

// writeFont is a font file with those of the named tables that there are.
func writeFont(names []string, tables map[string][]byte) []byte {
	var present []string
	for _, name := range names {
		if tables[name] != nil {
			present = append(present, name)
		}
	}
	slices.Sort(present) // readers look tables up by halving
	file := binary.BigEndian.AppendUint32(nil, 0x00010000)
	power := 1
	for 2*power <= len(present) {
		power *= 2
	}
	for _, v := range []int{len(present), 16 * power, int(math.Log2(float64(power))), 16 * (len(present) - power)} {
		file = binary.BigEndian.AppendUint16(file, uint16(v))
	}
	at := len(file) + 16*len(present)
	var body []byte
	for _, name := range present {
		data := tables[name]
		if name == "head" {
			data = slices.Clone(data)
			copy(data[8:12], []byte{0, 0, 0, 0}) // the checksum of the file, which no reader checks
		}
		padded := append(slices.Clone(data), make([]byte, -len(data)&3)...)
		sum := uint32(0)
		for i := 0; i < len(padded); i += 4 {
			sum += binary.BigEndian.Uint32(padded[i:])
		}
		file = append(file, name...)
		file = binary.BigEndian.AppendUint32(file, sum)
		file = binary.BigEndian.AppendUint32(file, uint32(at+len(body)))
		file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
		body = append(body, padded...)
	}
	return append(file, body...)
}
