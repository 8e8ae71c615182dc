// Package font reads the font programs that PDFs embed, as far as PDF/A has rules about
// them: the glyphs, their names and their widths. It also makes subsets of TrueType
// fonts.
//
//	program, err := font.Parse(data)
//	if glyph, ok := program.ByName("Euro"); ok {
//		fmt.Println(program.Width(glyph)) // in thousandths of the font size
//	}
//
// The formats are TrueType, OpenType, CFF and Type 1. A font program comes from a
// stranger: a damaged one is an error, or has fewer glyphs, and the cost is at most one
// pass over the data for each glyph.
package font
