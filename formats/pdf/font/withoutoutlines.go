package font

import "errors"

// textTables are the tables of a TrueType font that text is measured and shaped with.
var textTables = []string{"GDEF", "GPOS", "GSUB", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "kern", "loca", "maxp", "post"}

// WithoutOutlines is a TrueType font in which every glyph is blank, without hints:
// text can be measured and shaped with it, and not be drawn.
func WithoutOutlines(data []byte) ([]byte, error) {
	f, err := Parse(data)
	if err != nil {
		return nil, err
	}
	if f.Kind != TrueType {
		return nil, errors.New("the font is not TrueType")
	}
	tables := make(map[string][]byte, len(textTables))
	for _, name := range textTables {
		switch table := f.tables[name]; name {
		case "glyf":
			tables[name] = []byte{}
		case "loca": // every glyph begins and ends where the empty table glyf does
			tables[name] = make([]byte, len(table))
		default:
			if table != nil {
				tables[name] = table
			}
		}
	}
	return writeFont(textTables, tables), nil
}
