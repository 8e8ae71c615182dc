package growth

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

var (
	program = flag.String("growth-binary", "", "the program to measure; without it nothing is measured")
	search  = flag.Duration("growth-time", 10*time.Minute, "how long to search")
	seed    = flag.Uint64("growth-seed", 1, "which pairs of operation and size come first")
	only    = flag.String("growth-only", "", "measure only pairs whose names contain this text")
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
	b := newBench(t, *program)
	pairs := pairs(t, b)
	measured, end := []*growth{}, time.Now().Add(*search)
	for _, p := range pairs {
		if *only != "" && !strings.Contains(p.operation.name+" "+p.recipe.name, *only) {
			continue
		}
		if time.Now().After(end) {
			break
		}
		g := b.grow(p.operation, p.recipe)
		if g.isFinding() { // once more, beside other work than before
			g = b.grow(p.operation, p.recipe)
		}
		measured = append(measured, g)
	}
	slices.SortFunc(measured, func(a, b *growth) int { return cmp.Compare(b.exponent(), a.exponent()) })
	findings, refused := 0, 0
	t.Logf("| operation | n of | n | KB | CPU s | exponent | s/MB |")
	for _, g := range measured {
		if g.isRefused() {
			refused++
			t.Logf("refused at every size: %s of %s", g.operation, g.recipe)
		}
		if !g.isFinding() {
			continue
		}
		findings++
		t.Log(g)
		if !slices.ContainsFunc(accepted, func(k known) bool { return k.Operation == g.operation && k.Recipe == g.recipe }) {
			t.Errorf("%s of %s costs more per byte the more there is of it, or too much; the sizes were %v", g.operation, g.recipe, g.points)
		}
	}
	t.Logf("%d of %d pairs measured, %d of them refused at every size, %d findings; the program starts in %s of processor time", len(measured), len(pairs), refused, findings, b.start)
	if len(measured) == 0 {
		t.Error("nothing was measured")
	}
}

type pair struct {
	operation operation
	recipe    recipe
}

// pairs are all pairs of operation and recipe, in an order that the seed decides.
func pairs(t testing.TB, b *bench) (all []pair) {
	t.Helper()
	var recipes []recipe
	for _, file := range []string{"formats/ubl/testdata/full-invoice.xml", "formats/ubl/testdata/full-creditnote.xml", "formats/cii/testdata/full.xml"} {
		recipes = append(recipes, xmlRecipes(t, file, read(t, file))...)
	}
	invoice := read(t, "cmd/einvoice/samples/cii-valid.xml")
	recipes = append(recipes, pdfRecipes(invoice)...)
	recipes = append(recipes, ruleRecipes()...)
	recipes = append(recipes, jsonRecipes(t, b.output("extract", "json", filepath.Join("..", "..", "formats", "cii", "testdata", "full.xml")))...)
	for _, o := range operations {
		for _, r := range recipes {
			if o.accepts(r.file) {
				all = append(all, pair{o, r})
			}
		}
	}
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func ending(endings ...string) func(string) bool {
	return func(file string) bool { return slices.Contains(endings, filepath.Ext(file)) }
}

// operations are the commands that are measured.
var operations = []operation{
	{"validate", []string{"validate", "FILE"}, ending(".xml", ".pdf")},
	{"validate -o html", []string{"validate", "-o", "html", "FILE"}, ending(".xml")},
	{"convert --to ubl", []string{"convert", "--to", "ubl", "FILE", "-o", "OUT"}, ending(".xml")},
	{"convert --to cii", []string{"convert", "--to", "cii", "FILE", "-o", "OUT"}, ending(".xml")},
	{"convert --to zugferd", []string{"convert", "--to", "zugferd", "FILE", "-o", "OUT"}, ending(".xml")},
	{"render", []string{"render", "FILE", "-o", "OUT"}, ending(".xml")},
	{"render --to html", []string{"render", "--to", "html", "FILE", "-o", "OUT"}, ending(".xml")},
	{"render --to svg", []string{"render", "--to", "svg", "FILE", "-o", "OUT"}, ending(".xml")},
	{"extract json", []string{"extract", "json", "FILE"}, ending(".xml", ".pdf")},
	{"extract attachments", []string{"extract", "attachments", "FILE"}, ending(".xml", ".pdf")},
	{"extract xml", []string{"extract", "xml", "FILE"}, ending(".pdf")},
	{"create ubl", []string{"create", "ubl", "FILE", "-o", "OUT"}, ending(".json")},
	{"create zugferd", []string{"create", "zugferd", "FILE", "-o", "OUT"}, ending(".json")},
	{"parse", []string{"parse", "--ocr=", "FILE"}, ending(".pdf")},
	{"compare", []string{"compare", "FILE"}, ending(".pdf")},
	{"embed", []string{"embed", "FILE", filepath.Join("..", "..", "cmd", "einvoice", "samples", "cii-valid.xml"), "-o", "OUT"}, ending(".pdf")},
	{"rules check", []string{"rules", "check", "FOLDER"}, ending(".yaml")},
}
