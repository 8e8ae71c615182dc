package engine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
)

// A folder whose name is misspelt is an error, and not the rules below it alone.
func TestLayeredOnNothing(t *testing.T) {
	folder := t.TempDir()
	if _, err := engine.Open(engine.Layered(os.DirFS(folder), rulesets.FS)); err != nil {
		t.Error(err)
	}
	_, err := engine.Open(engine.Layered(os.DirFS(filepath.Join(folder, "misspelt")), rulesets.FS))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A folder laid over another lists the files that it opens, and no others: translations of a
// ruleset that it replaces are gone from both.
func TestLayersListWhatTheyOpen(t *testing.T) {
	for seed := range 200 {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		folder := func() fs.FS {
			files := fstest.MapFS{}
			for range 1 + r.IntN(12) {
				name := fmt.Sprintf("%s/%d/%s.yaml", []string{"a", "b"}[r.IntN(2)], r.IntN(2), []string{"x", "y"}[r.IntN(2)])
				switch r.IntN(3) {
				case 0:
					name = "languages/de/" + name
				case 1:
					name = []string{"overlays/", "codelists/", "languages/de/phrases/"}[r.IntN(3)] + path.Base(name)
				}
				files[name] = &fstest.MapFile{}
			}
			return files
		}
		upper, lower := folder(), folder()
		layers := engine.Layered(upper, lower)
		listed := map[string]bool{}
		if err := fs.WalkDir(layers, ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				listed[name] = true
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for _, each := range []fs.FS{upper, lower} {
			for name := range each.(fstest.MapFS) {
				if _, err := fs.Stat(layers, name); (err == nil) != listed[name] {
					t.Errorf("%d: %s is listed: %v, opened: %v; over are %v", seed, name, listed[name], err, upper)
				}
			}
		}
	}
}
