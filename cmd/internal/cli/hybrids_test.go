package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/hybrids.md lists every rule about the PDF with its level and what it asks.
func TestHybridsPageListsTheRules(t *testing.T) {
	page, err := os.ReadFile("../../../docs/hybrids.md")
	if err != nil {
		t.Fatal(err)
	}
	library, err := openLibrary("")
	if err != nil {
		t.Fatal(err)
	}
	set, err := library.Ruleset("container")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.Rules {
		if row := fmt.Sprintf("| `%s` | %s | %s |\n", r.ID, r.Level, r.Text); !strings.Contains(string(page), row) {
			t.Errorf("there is no row %s", row)
		}
	}
	if listed := strings.Count(string(page), "\n| `CONTAINER-"); listed != len(set.Rules) {
		t.Errorf("%d rules are listed, there are %d", listed, len(set.Rules))
	}
}
