package growth

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

var (
	program = flag.String("growth-binary", "", "the program to measure; without it nothing is measured")
	search  = flag.Duration("growth-time", 0, "how long to search; 0 for all pairs")
	seed    = flag.Uint64("growth-seed", 1, "which sizes come first")
	only    = flag.String("growth-only", "", "measure only pairs, as \"parse of PDF: pages\", that match this regular expression")
	page    = flag.String("growth-page", "", "the file of the table")
)

// A known finding is one that is accepted, with the reason.
type known struct{ Operation, Recipe, Reason string }

// TestGrowth screens all pairs of operation and size at small sizes, measures what looks
// suspicious at full ones, and fails for what grows faster than its input and is not in
// known.yaml.
func TestGrowth(t *testing.T) {
	if *program == "" {
		t.Skip("skipped: no program was named (-growth-binary), so nothing was measured")
	}
	var accepted []known
	if data, err := os.ReadFile("known.yaml"); err != nil {
		t.Fatal(err)
	} else if err := yaml.Unmarshal(data, &accepted); err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(*only)
	b := newBench(t, *program)
	found := &table{}
	end := time.Now().Add(*search)
	all := operations(t)
	for _, r := range recipes(t, b) {
		var r0 *sized
		for _, o := range all {
			if !o.accepts(r.file) || !wanted.MatchString(o.name+" of "+r.name) {
				continue
			}
			found.pairs++
			if *search > 0 && time.Now().After(end) {
				continue
			}
			if r0 == nil {
				r0 = sizedFor(r)
			}
			g := b.measured(o, r0)
			found.rows = append(found.rows, g)
			if g.screened || !g.isFinding() {
				continue
			}
			i := slices.IndexFunc(accepted, func(k known) bool { return k.Operation == g.operation && k.Recipe == g.recipe })
			if i >= 0 {
				g.reason = accepted[i].Reason
				continue
			}
			t.Errorf("finding: %s\nthe sizes were %v", g, g.points)
		}
	}
	if *page == "" {
		t.Log("\n" + found.String())
	}
	t.Logf("%d of %d pairs measured; the program starts in %s of processor time", len(found.rows), found.pairs, b.start)
	if len(found.rows) == 0 {
		t.Error("nothing was measured")
	}
	if *page != "" {
		if err := found.write(*page); err != nil {
			t.Error(err)
		}
	}
}

// measured is the growth of an operation with a recipe: of the screen where nothing is
// suspicious, else of full sizes. A command is measured in full sizes alone.
func (b *bench) measured(o operation, r *sized) *growth {
	b.Helper()
	if o.path != "" {
		if g := b.screen(o, r); !g.isFinding() {
			return g
		}
	}
	g := b.grow(o, r.recipe)
	if g.isFinding() { // once more, beside other work than before
		g = b.grow(o, r.recipe)
	}
	return g
}

// recipes are all recipes: the most telling ones first, and in an order that the seed decides.
func recipes(t testing.TB, b *bench) (all []recipe) {
	t.Helper()
	for _, file := range []string{"formats/ubl/testdata/full-invoice.xml", "formats/cii/testdata/full.xml"} {
		all = append(all, xmlRecipes(t, file, read(t, file))...)
	}
	all = append(all, pdfRecipes(read(t, "cmd/einvoice/samples/cii-valid.xml"))...)
	all = append(all, ruleRecipes()...)
	all = append(all, jsonRecipes(t, b.output("extract", "json", filepath.Join("..", "..", "formats", "cii", "testdata", "full.xml")))...)
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b recipe) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

// rank is before which others a recipe is measured: first each element and each object once,
// then each of them with different texts, and then in all other ways.
func rank(r recipe) int {
	switch {
	case strings.HasSuffix(r.file, ".pdf"), strings.HasSuffix(r.file, ".yaml"), strings.HasPrefix(r.kind, "JSON: ") && strings.Contains(r.kind, "entries"):
		return 0
	case r.kind == "XML: distinct elements", r.kind == "JSON: words in":
		return 1
	case r.kind == "XML: elements", r.kind == "XML: nested":
		return 2
	}
	return 3
}
