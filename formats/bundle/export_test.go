package bundle

// Empty is a bundle without files.
func Empty() *Bundle { return newBundle(func() error { return nil }) }

// NameIn is the name that a file gets in a bundle.
func NameIn(b *Bundle, original, mimeType string) string {
	return b.names.Take(safeName(original, mimeType))
}
