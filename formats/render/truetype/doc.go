// Package truetype reads TrueType fonts once and cuts from them what a document
// uses.
//
//	font, err := truetype.Parse(data)
//	glyph := font.Glyph('é')                // 0 where the font has none
//	width := font.Width(glyph)              // in thousandths of the font size
//	part := font.Subset([]uint16{0, glyph}) // a font with these glyphs, numbered 0 and 1
//
// A Font is read-only after Parse and may be used from many goroutines. Fonts are
// those the program was built with: Parse reports a damaged one, and does not
// defend itself against a hostile one.
package truetype
