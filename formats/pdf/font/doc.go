// Package fontfile reads the font programs that PDFs carry, as far as PDF/A asks
// about them: which glyphs there are, under which names, and how wide they are.
//
//	font, err := font.Parse(data)
//	if glyph, ok := font.ByName("Euro"); ok {
//		fmt.Println(font.Width(glyph)) // in thousandths of the font's size
//	}
//
// It reads TrueType, OpenType, CFF and Type 1. A font program comes from a
// stranger: what is damaged gives an error, and never more than a pass over the
// data for each glyph.
package font
