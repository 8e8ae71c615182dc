package engine_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
)

// withFile are the shipped rulesets with one file that is another.
func withFile(t *testing.T, name, text string) *engine.Library {
	t.Helper()
	l, err := engine.Open(engine.Layered(fstest.MapFS{name: {Data: []byte(text)}}, rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func shippedFile(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func digest(t *testing.T, l *engine.Library, ref string) string {
	t.Helper()
	s, err := l.Ruleset(ref)
	if err != nil {
		t.Fatal(err)
	}
	return s.SHA256
}

// The digest of a ruleset changes with a code list that its rules ask, also one that
// another list adds to, and with no other.
func TestDigestCoversCodeLists(t *testing.T) {
	shipped, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	set, err := shipped.Ruleset("en16931")
	if err != nil {
		t.Fatal(err)
	}
	lists := set.CodeLists()
	if len(lists) < 10 {
		t.Fatalf("only %q", lists)
	}
	for _, name := range lists {
		file := "codelists/" + name + ".yaml"
		if changed := withFile(t, file, shippedFile(t, file)+"\n# another comment\n"); digest(t, changed, "en16931") == set.SHA256 {
			t.Errorf("the digest does not cover %s", name)
		}
	}
	unused := withFile(t, "codelists/unused.yaml", "list: unused\ncodes: A\n")
	if digest(t, unused, "en16931") != set.SHA256 {
		t.Error("a list that no rule asks changes the digest")
	}
}

// The digest of a report changes with an overlay of the profile.
func TestDigestCoversOverlays(t *testing.T) {
	infos := []engine.RulesetInfo{{Name: "a", Version: "1", SHA256: "x"}}
	p := &engine.Profile{ID: "p"}
	with := &engine.Profile{ID: "p", Overlays: []string{"o"}}
	one, other := []*engine.Overlay{{Name: "o", SHA256: "1"}}, []*engine.Overlay{{Name: "o", SHA256: "2"}}
	seen := map[string]bool{}
	for _, d := range []string{
		engine.DigestOf(infos, nil, nil, ""), engine.DigestOf(infos, p, nil, ""), engine.DigestOf(infos, with, nil, ""), engine.DigestOf(nil, p, nil, ""),
		engine.DigestOf(infos, p, one, ""), engine.DigestOf(infos, p, other, ""), engine.DigestOf(infos, p, other, "findings"),
	} {
		if len(d) != 64 || seen[d] {
			t.Errorf("the digest %q is not a digest of its own", d)
		}
		seen[d] = true
	}
}
