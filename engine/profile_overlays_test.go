package engine_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
)

// Of the overlays that a profile names, one that is over another decides, in whichever order they are named, and brings it.
func TestOverlaysOfProfilesInAnyOrder(t *testing.T) {
	overlay := func(name, more, level string) []byte {
		return fmt.Appendf(nil, "overlay: %s\ntitle: T\nowner: O\non: {profiles: [en16931]}\n%slevels: [{rules: [BR-CL-23], level: %s, reason: Why., until: 2099-01-01}]\n", name, more, level)
	}
	shipped, err := fs.ReadFile(rulesets.FS, "profiles/en16931.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{"a, b, c", "c, b, a", "b, c, a", "c", "c, a"} {
		l, err := engine.Open(engine.Layered(fstest.MapFS{
			"overlays/a.yaml": {Data: overlay("a", "", "warning")}, "overlays/b.yaml": {Data: overlay("b", "over: a\n", "fatal")}, "overlays/c.yaml": {Data: overlay("c", "over: b\n", "information")},
			"profiles/en16931.yaml": {Data: []byte(strings.Replace(string(shipped), "    rulesets: [en16931]", "    overlays: ["+named+"]\n    rulesets: [en16931]", 1))},
		}, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		if found := l.Conflicts(); len(found) > 0 {
			t.Errorf("%s: %v", named, found)
		}
		p, err := l.Profile("en16931")
		if err != nil {
			t.Fatal(err)
		}
		stack, _, err := l.OverlaysOf(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, o := range stack {
			names = append(names, o.Name)
		}
		if got := strings.Join(names, " "); got != "c b a germany" {
			t.Errorf("%s: the stack is %s", named, got)
		}
		for _, asked := range []string{"a", "b", "c"} { // a request may name them beside
			if _, _, err := l.OverlaysOf(p, []string{asked}); err != nil {
				t.Errorf("%s, and %s is asked for: %v", named, asked, err)
			}
		}
	}
}
