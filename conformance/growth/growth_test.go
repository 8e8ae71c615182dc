package growth

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

var (
	program = flag.String("growth-binary", "", "the program to measure; without it nothing is measured")
	search  = flag.Duration("growth-time", 10*time.Minute, "how long to search")
	seed    = flag.Uint64("growth-seed", 1, "which pairs of operation and size come first")
	only    = flag.String("growth-only", "", "measure only pairs, as \"parse of PDF: pages\", that match this regular expression")
	page    = flag.String("growth-page", "", "the file of the table")
)

// A known finding is one that is accepted, with the reason.
type known struct{ Operation, Recipe, Reason string }

// TestGrowth measures pairs of operation and size in a random order, and fails for what
// grows faster than its input and is not in known.yaml.
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
	for _, p := range pairs(t, b) {
		if !wanted.MatchString(p.operation.name + " of " + p.recipe.name) {
			continue
		}
		found.pairs++
		if time.Now().After(end) {
			continue
		}
		g := b.grow(p.operation, p.recipe)
		if g.isFinding() { // once more, beside other work than before
			g = b.grow(p.operation, p.recipe)
		}
		found.rows = append(found.rows, g)
		if !g.isFinding() {
			continue
		}
		i := slices.IndexFunc(accepted, func(k known) bool { return k.Operation == g.operation && k.Recipe == g.recipe })
		if i >= 0 {
			g.reason = accepted[i].Reason
			continue
		}
		t.Errorf("finding: %s\nthe sizes were %v", g, g.points)
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

type pair struct {
	operation operation
	recipe    recipe
}

// pairs are all pairs of operation and recipe, in an order that the seed decides: first one of each
// operation and kind of size, then a second one of each, and so on.
func pairs(t testing.TB, b *bench) []*pair {
	t.Helper()
	var all []pair
	var recipes []recipe
	for _, file := range []string{"formats/ubl/testdata/full-invoice.xml", "formats/cii/testdata/full.xml"} {
		recipes = append(recipes, xmlRecipes(t, file, read(t, file))...)
	}
	invoice := read(t, "cmd/einvoice/samples/cii-valid.xml")
	recipes = append(recipes, pdfRecipes(invoice)...)
	recipes = append(recipes, ruleRecipes()...)
	recipes = append(recipes, jsonRecipes(t, b.output("extract", "json", filepath.Join("..", "..", "formats", "cii", "testdata", "full.xml")))...)
	for _, o := range operations(t) {
		for _, r := range recipes {
			if o.accepts(r.file) {
				all = append(all, pair{o, r})
			}
		}
	}
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	type group struct{ operation, kind string }
	before, round := map[group]int{}, map[*pair]int{}
	turns := make([]*pair, len(all))
	for i := range all {
		p := &all[i]
		g := group{p.operation.name, cmp.Or(p.recipe.kind, p.recipe.name)}
		turns[i], round[p] = p, before[g]
		before[g]++
	}
	slices.SortStableFunc(turns, func(a, b *pair) int { return cmp.Compare(round[a], round[b]) })
	return turns
}
