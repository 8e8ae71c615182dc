package model

// Shorten cuts a text to at most so many characters, and marks the cut. It is for texts
// of documents and rules in messages, so that a very long text cannot fill a message.
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
