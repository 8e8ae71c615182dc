package page

// Fonts are folders of fonts for characters that the program's own fonts do not have.
type Fonts struct{}

func (f *Fonts) with(rune) *typeface { return nil }
