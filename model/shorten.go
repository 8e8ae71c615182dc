package model

// Shorten cuts a text to at most so many characters and marks the cut. Texts of
// documents and rules pass through it on their way into a message, which a
// hostile or careless one must not fill.
func Shorten(text string, most int) string {
	if len(text) <= most { // no more bytes, so no more characters
		return text
	}
	count := 0
	for i := range text {
		if count == most {
			return text[:i] + "..."
		}
		count++
	}
	return text
}
