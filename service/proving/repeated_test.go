package proving

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/rulesets"
)

var (
	phiveFolder = flag.String("phive", "", "a checkout of phax/phive-rules, whose stylesheets decide")
	saxonFolder = flag.String("saxon", "../../bin/saxon", "the folder of Saxon (make saxon)")
)

// Each group that the schema lets repeat is there twice, one at a time. The model holds some of
// them once; the rules decide as the artefacts of EN 16931 do anyway.
func TestRepeatedGroups(t *testing.T) {
	if *phiveFolder == "" {
		t.Skip("say where phax/phive-rules is checked out: -phive FOLDER")
	}
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	saxon := Saxon{Jars: *saxonFolder}
	if err := saxon.Ready(); err != nil {
		t.Skip(err)
	}
	p, err := newProving(library, Options{Rulesets: []string{"en16931"}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := bases(library, "")
	if err != nil {
		t.Fatal(err)
	}
	published := "phive-rules-en16931/src/main/resources/external/schematron/1.3.16"
	for syntax, sheet := range map[model.Syntax]string{model.UBL: "ubl/EN16931-UBL-validation.xslt", model.CII: "cii/EN16931-CII-validation.xslt"} {
		var twice []*made
		for _, b := range all {
			if b.doc.Syntax == syntax {
				twice = append(twice, withTwo(b)...)
			}
		}
		ours, err := p.decide(t.Context(), twice)
		if err != nil {
			t.Fatal(err)
		}
		var fit []*made
		var verdicts []fired
		var data [][]byte
		for i, m := range twice {
			if ours[i] != nil {
				fit, verdicts, data = append(fit, m), append(verdicts, ours[i]), append(data, m.data)
			}
		}
		theirs, _, err := saxon.run(t.Context(), filepath.Join(*phiveFolder, published, sheet), data)
		if err != nil {
			t.Fatal(err)
		}
		stopped, differ := 0, 0
		for i, m := range fit {
			if theirs[i] == nil {
				stopped++
				continue
			}
			for _, id := range slices.Sorted(maps.Keys(union(verdicts[i], theirs[i]))) {
				if verdicts[i][id] != theirs[i][id] {
					differ++
					t.Errorf("%s: %s: here %q, there %q", m.base.name, m.changes[0].Path, id+" "+string(verdicts[i][id]), theirs[i][id])
				}
			}
		}
		t.Logf("%s: %d of %d documents with an element twice fit the schema; on %d of them the stylesheet stops, %d verdicts differ", syntax, len(fit), len(twice), stopped, differ)
		if len(fit) < 30 {
			t.Errorf("only %d documents of %s with an element twice fit the schema", len(fit), syntax)
		}
	}
}

// withTwo are documents with one element more that is like one that is there, each with another;
// the two are equal, or one of them lacks something that the other has.
func withTwo(b *base) (all []*made) {
	var visit func(d *ruletest.Draft, path string)
	visit = func(d *ruletest.Draft, path string) {
		count := map[string]int{}
		for _, c := range d.Children {
			count[c.Name.String()]++
		}
		seen := map[string]int{}
		for _, c := range d.Children {
			name := c.Name.String()
			seen[name]++
			first, second := joined(path, fmt.Sprintf("%s[%d]", name, seen[name])), joined(path, fmt.Sprintf("%s[%d]", name, count[name]+1))
			add := func(changes []Change) {
				if m := (&made{base: b, changes: changes}); len(changes) > 0 {
					if m.data = m.write(); m.data != nil {
						all = append(all, m)
					}
				}
			}
			add(leaves(c, second, nil))
			for i, part := range c.Children { // of two, one lacks something
				lacking := *c
				lacking.Children = slices.Delete(slices.Clone(c.Children), i, i+1)
				add(leaves(&lacking, second, nil))
				if seen[part.Name.String()+" of "+first]++; seen[part.Name.String()+" of "+first] == 1 {
					add(append(leaves(c, second, nil), Change{Path: first + "/" + part.Name.String()}))
				}
			}
			visit(c, first)
		}
	}
	visit(b.draft, "")
	return all
}

func union(a, b fired) fired {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}
