package importer

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Layout and prefixes are no change; whatever decides otherwise is one, and is named.
func TestChangesByTree(t *testing.T) {
	data, err := os.ReadFile("testdata/sample.sch")
	if err != nil {
		t.Fatal(err)
	}
	sample := string(data)
	for _, c := range []struct{ old, now, want string }{
		{" = ", "  =\n\t", ""},
		{"cbc:", "b:", "changed S-15"}, // which is not an expression that we read, and compared as text
		{"id=\"S-01\"", "id=\"S-99\"", "gone S-01, new S-99"},
		{"'EUR'", "'SEK'", "changed S-02"},
	} {
		changed := strings.ReplaceAll(sample, c.old, c.now)
		if c.old == "cbc:" {
			changed = strings.Replace(changed, `prefix="cbc"`, `prefix="b"`, 1)
		}
		if changed == sample {
			t.Fatalf("%q is not in the sample", c.old)
		}
		var said []string
		for _, change := range Changes(release(t, sample), release(t, changed)) {
			said = append(said, string(change.Kind)+" "+change.ID)
			if change.Kind == Changed && len(change.What) == 0 {
				t.Errorf("%s: nothing says what changed", change.ID)
			}
		}
		slices.Sort(said)
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.now, c.old, got, c.want)
		}
	}
}

func release(t *testing.T, text string) []*Release {
	t.Helper()
	lines, err := os.ReadFile("testdata/parts/lines.sch")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{"sample.sch": {Data: []byte(text)}, "parts/lines.sch": {Data: lines}}
	r, err := ReadRelease(fsys, "sample.sch", "")
	if err != nil {
		t.Fatal(err)
	}
	return []*Release{r}
}
