package files_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"einvoice/engine/files"
)

// Mappings whose keys are names that their author chooses.
var named = []string{"constants", "parameters", "variants", "the contexts of a table", "the rows of a table", "the columns of a look-up table"}

// An unknown key is told with the nearest one or with all that there are, in each mapping that
// the loader reads.
func TestUnknownKeysAreTold(t *testing.T) {
	mapping := regexp.MustCompile(`\.mapping\(\w+, "([^"]+)"`)
	sources, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mapping.FindAllStringSubmatch(string(text), -1) {
			if slices.Contains(named, m[1]) {
				continue
			}
			found++
			if near, keys := files.NearestKey(m[1], "overlays/a.yaml", "qqqqqqqq"); near == "" && len(keys) == 0 {
				t.Errorf("%s: an unknown key in %s is told without any key that there is", source, m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d mappings were found", found)
	}
	if near, _ := files.NearestKey("", "profiles/a.yaml", "profile"); near != "profiles" { // there is a key profile in another place
		t.Errorf("for profile in a file of profiles, %q is suggested", near)
	}
	if _, keys := files.NearestKey("", "codelists/a.yaml", "qqqqqqqq"); !slices.Contains(keys, "codes") {
		t.Errorf("an unknown key in a code list is told with %v", keys)
	}
}
