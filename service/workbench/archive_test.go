package workbench_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"einvoice/model/problem"
	"einvoice/service/internal/kittest"
	"einvoice/service/workbench"
)

// While a run goes through the archive, documents are filed and taken out, and other runs begin: what is
// there all the time is looked at once.
func TestArchiveChangesMeanwhile(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 2))
		folder := fstest.MapFS{}
		file := func() string {
			name := fmt.Sprintf("%c/%06d.xml", 'a'+rune(r.IntN(5)), r.IntN(1e6))
			folder[name] = &fstest.MapFile{Data: []byte("<note/>")}
			return name
		}
		stays := map[string]int{}
		for range 1500 {
			stays[file()] = 0
		}
		var others []string
		for range 300 {
			if name := file(); !slices.Contains(others, name) {
				others = append(others, name)
				delete(stays, name)
			}
		}
		d := workbench.New(kittest.Kit(t), workbench.Config{Archive: folder})
		for behind := ""; ; {
			got := call[workbench.Fires](t, d, "fires", map[string]any{"archive": behind})
			for _, name := range got.Unread {
				if _, ok := stays[name]; ok {
					stays[name]++
				}
			}
			if got.Next == nil {
				break
			}
			behind = *got.Next
			for range r.IntN(100) {
				delete(folder, others[0])
				others = append(others[1:], "") // a name that nobody has
				if name := file(); stays[name] > 0 {
					t.Fatal("a document is filed twice")
				}
			}
			if r.IntN(3) > 0 {
				call[workbench.Fires](t, d, "fires", map[string]any{"archive": ""})
			}
		}
		for name, n := range stays {
			if n != 1 {
				t.Errorf("seed %d: %s is looked at %d times", seed, name, n)
				break
			}
		}
	}
}

// The answers of a run tell whether other rules decide.
func TestRunTellsRules(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []workbench.Config{
		{},
		{Overlays: []string{"germany"}},
		{Own: fstest.MapFS{"overlays/a.yaml": {Data: []byte("overlay: a\n")}}},
		{Own: fstest.MapFS{"overlays/a.yaml": {Data: []byte("overlay: a \n")}}},
		{Own: fstest.MapFS{"overlays/b.yaml": {Data: []byte("overlay: a\n")}}},
		{Own: fstest.MapFS{"tables/a.csv": {Data: []byte("a\n")}}},
	} {
		c.Archive = fstest.MapFS{}
		for range 2 {
			seen[call[workbench.Fires](t, workbench.New(kittest.Kit(t), c), "fires", map[string]any{"archive": ""}).Rules] = true
		}
	}
	if len(seen) != 6 {
		t.Errorf("six sets of rules have %d names", len(seen))
	}
}

// What the folder has under the name of a document is counted, read or not: links too, wherever they
// lead. Where that is too much, nothing is counted rather than a part.
func TestArchiveLeavesNothingOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	folder := fstest.MapFS{"inside.txt": &fstest.MapFile{Data: []byte("<note/>")}}
	want := 0
	for i := range 900 {
		file := &fstest.MapFile{Data: []byte("<note/>")}
		if r.IntN(3) == 0 {
			file = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte([]string{"inside.txt", "gone", "/dev/zero"}[r.IntN(3)])}
		}
		ending := []string{".xml", ".PDF", ".txt"}[r.IntN(3)]
		if ending != ".txt" {
			want++
		}
		folder[fmt.Sprintf("%c/%d%s", 'a'+rune(r.IntN(3)), i, ending)] = file
	}
	d := workbench.New(kittest.Kit(t), workbench.Config{Archive: folder})
	seen := 0
	for behind := ""; ; {
		got := call[workbench.Fires](t, d, "fires", map[string]any{"archive": behind})
		if seen += got.Documents + len(got.Unread); got.Next == nil {
			break
		}
		behind = *got.Next
	}
	if seen != want {
		t.Errorf("%d of %d were looked at", seen, want)
	}
	empty := &fstest.MapFile{}
	for i := range 200_001 {
		folder[fmt.Sprintf("many/%d.xml", i)] = empty
	}
	data, err := json.Marshal(map[string]any{"archive": ""})
	if err != nil {
		t.Fatal(err)
	}
	_, err = workbench.New(kittest.Kit(t), workbench.Config{Archive: folder}).Call(t.Context(), "fires", data)
	if told, is := errors.AsType[*problem.Error](err); !is || told.Field != "archive" {
		t.Errorf("of too many documents: %v", err)
	}
}
