package language

import (
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/model/tongue"
)

// TestTongues holds the names of the languages to their files.
func TestTongues(t *testing.T) {
	files, err := os.ReadDir("languages")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	if !slices.Equal(names, tongue.Tags()) {
		t.Errorf("the files are %v, and package tongue has %v", names, tongue.Tags())
	}
}
