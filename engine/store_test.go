package engine_test

import (
	"io/fs"
	"path"
	"slices"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
)

// storedAndNot opens the shipped rules with a fresh store, and without one.
func storedAndNot(t *testing.T) (stored, not *engine.Library) {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(rulesets.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Dir(name) == engine.StoreFolder {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	not = open(t, files)
	compiled, err := not.Compile()
	if err != nil {
		t.Fatal(err)
	}
	with := fstest.MapFS{}
	for name, file := range files {
		with[name] = file
	}
	for name, data := range compiled {
		with[name] = &fstest.MapFile{Data: data}
	}
	return open(t, with), not
}

func open(t *testing.T, files fs.FS) *engine.Library {
	t.Helper()
	l, err := engine.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Rules and their examples, which the store puts off, are the same with a store and
// without one.
func TestRulesFromTheStoreAreTheSame(t *testing.T) {
	stored, not := storedAndNot(t)
	families, err := not.Versions()
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for family, versions := range families {
		for _, version := range versions {
			want, err := not.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			got, err := stored.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			if got.SHA256 != want.SHA256 || len(got.Rules) != len(want.Rules) {
				t.Errorf("%s/%s: %d rules, want %d", family, version, len(got.Rules), len(want.Rules))
				continue
			}
			for i, r := range want.Rules {
				examples += len(r.Examples())
				if !slices.Equal(written(got.Rules[i]), written(r)) {
					t.Errorf("%s/%s: %s is\n%q\nwant\n%q", family, version, r.ID, written(got.Rules[i]), written(r))
				}
			}
		}
	}
	if examples < 3000 {
		t.Errorf("only %d examples", examples)
	}
}

// written is a rule with its examples as texts.
func written(r *engine.Rule) []string {
	texts := []string{r.ID, string(r.Level), r.Context.Value, r.Assert.Value, r.Message.Value, r.Text}
	for _, v := range r.Variants {
		texts = append(texts, v.Context.Value, v.Assert.Value, v.Message.Value)
	}
	for _, e := range r.Examples() {
		texts = append(texts, e.String(), string(e.Syntax), e.Base)
		for _, c := range e.Changes {
			texts = append(texts, c.Path, c.Value.Value)
		}
	}
	return texts
}
