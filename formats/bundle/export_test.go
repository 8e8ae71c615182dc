package bundle

// NameIn is the name that a file gets in a bundle.
func NameIn(b *Bundle, original, mimeType string) string {
	return b.unique(safeName(original, mimeType))
}
