package bulk_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/service/bulk"
)

// kept is an operation whose documents are their columns. What others a document has is its line.
type kept struct{}

func (kept) Name() string      { return "kept" }
func (kept) Digest() string    { return "kept" }
func (kept) HasTogether() bool { return true }

func (kept) Do(_ context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	c := &bulk.Columns{}
	err := json.Unmarshal(d.Data, c)
	return fmt.Appendf(segment, "{\"file\":%q}\n", d.Key), bulk.Outcome{Verdict: bulk.Valid, Columns: c}, err
}

func (kept) Together(_ context.Context, line []byte, key string, e *model.BatchEntry) ([]byte, bulk.Outcome, error) {
	s := seen{File: key, Count: e.OthersFound.Raw, Others: filesOf(e.Others)}
	for _, p := range e.Preceding {
		s.Found = append(s.Found, filesOf(p.Found))
	}
	text, err := json.Marshal(s)
	return append(append(line, text...), '\n'), bulk.Outcome{Verdict: bulk.Invalid, Findings: 1, Rules: map[string]bulk.RuleCount{"R": {Level: "fatal", Findings: 1, Documents: 1}}}, err
}

type seen struct {
	File   string
	Count  string
	Others []string
	Found  [][]string
}

func filesOf(documents []model.BatchDocument) (files []string) {
	for i := range documents {
		files = append(files, documents[i].File.Raw)
	}
	return files
}

// What each document sees of the others is what comparing it with each of them gives, however
// little is sorted in memory, and however often a number is used.
func TestTogether(t *testing.T) {
	t.Parallel()
	for _, memory := range []int{100, 1 << 20} {
		for seed := range uint64(sampled.Of(6, 2)) {
			t.Run(fmt.Sprint(memory, seed), func(t *testing.T) {
				defer bulk.SortedInMemory(memory)()
				r := rand.New(rand.NewPCG(seed, 30)) //nolint:gosec // the same jobs in every run
				together(t, r, 20+int(seed)*70, 1+r.IntN(40))
			})
		}
	}
}

func together(t *testing.T, r *rand.Rand, documents, numbers int) {
	t.Helper()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	one := func(most int) string {
		if i := r.IntN(most); i > 0 {
			return fmt.Sprint(i)
		}
		return ""
	}
	all := map[string]*bulk.Columns{}
	for i := range documents {
		c := &bulk.Columns{Seller: "vat:" + one(3), Number: one(numbers + 1), Date: "2026-11-20"}
		if c.Seller == "vat:" {
			c.Seller = ""
		}
		for range r.IntN(3) {
			c.Preceding = append(c.Preceding, one(numbers+3))
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%05d.xml", i)
		all[name] = c
		if err := os.WriteFile(filepath.Join(dir, name), append(text, fmt.Sprintf("%*s", i%7, "")...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target := bulk.Folder(out)
	job, err := bulk.Open(t.Context(), bulk.Order{Target: target, Source: dir, Operation: kept{}, Batch: 1 + r.IntN(30)})
	if err != nil {
		t.Fatal(err)
	}
	source := &bulk.Files{Folder: dir, Work: target.Work(), Open: readFile}
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	if err := bulk.Together(t.Context(), target, &lines); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range all {
			if !yield(name) {
				return
			}
		}
	})
	got := map[string]seen{}
	decoder := json.NewDecoder(&lines)
	for decoder.More() {
		var s seen
		if err := decoder.Decode(&s); err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(s.File)] = s
	}
	for _, name := range names {
		c := all[name]
		like := func(number string, except string) (files []string) {
			for _, other := range names {
				if o := all[other]; other != except && number != "" && c.Seller != "" && o.Seller == c.Seller && o.Number == number {
					files = append(files, other)
				}
			}
			return files
		}
		others := like(c.Number, name)
		s := got[name]
		first := func(files []string) string { return strings.Join(files[:min(len(files), 100)], " ") }
		base := func(files []string) string {
			out := make([]string, len(files))
			for i := range files {
				out[i] = filepath.Base(files[i])
			}
			return strings.Join(out, " ")
		}
		if s.Count != fmt.Sprint(len(others)) || base(s.Others) != first(others) {
			t.Errorf("%s sees %s others, %v, and there are %v", name, s.Count, s.Others, others)
		}
		for i, number := range c.Preceding {
			if found := like(number, name); base(s.Found[i]) != first(found) {
				t.Errorf("%s refers to %s, finds %v, and there are %v", name, number, s.Found[i], found)
			}
		}
	}
	summary, err := bulk.Status(t.Context(), target)
	if err != nil || summary.Together == nil || summary.Together.Documents != documents || summary.Together.Rules["R"].Documents != documents {
		t.Errorf("the summary has %+v: %v", cmp.Or(summary, &bulk.Summary{}).Together, err)
	}
	if err := os.Remove(filepath.Join(out, "together.json")); err != nil { // as if the program had ended before it was written
		t.Fatal(err)
	}
	if summary, err := bulk.Status(t.Context(), target); err != nil || summary.Complete() || !strings.Contains(summary.State(), "not yet compared") {
		t.Errorf("before the documents are compared the job is %+v: %v", summary, err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	if summary, err := bulk.Status(t.Context(), target); err != nil || !summary.Complete() || summary.State() != "complete" {
		t.Errorf("after it went on the job is %+v: %v", summary, err)
	}
	if left, _ := os.ReadDir(target.Work()); slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.Contains(e.Name(), "-") }) {
		t.Errorf("something is left in the working folder: %v", left)
	}
}
