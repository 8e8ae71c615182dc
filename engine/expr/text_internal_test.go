package expr

import "testing"

// The error counts the characters of the whole text and positions as the author wrote them.
func TestSubstringBeyondTheEnd(t *testing.T) {
	_, err := substring("DE12345", 1, 9)
	if want := "a text of 7 characters has no position 9"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
