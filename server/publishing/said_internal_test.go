package publishing

import (
	"strings"
	"testing"
)

// TestSaid counts characters, not bytes, as the OpenAPI document does.
func TestSaid(t *testing.T) {
	for text, ok := range map[string]bool{"": false, " ": false, "ä": true, strings.Repeat("ä", 500): true, strings.Repeat("ä", 501): false} {
		if err := said(text, "because"); (err == nil) != ok {
			t.Errorf("%.10q of %d bytes as who: %v", text, len(text), err)
		}
		if err := said("Ann", text); (err == nil) != ok {
			t.Errorf("%.10q of %d bytes as why: %v", text, len(text), err)
		}
	}
}
