package parse_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/ranker"
)

// A ranked page has what the ranker is trained with.
type rankedPage struct {
	program    string
	isLetter   bool
	candidates map[ranker.Kind][]ranker.Candidate
	want       map[string][]string // by pointer
}

// programOf is what a page is left out with: its program; for letters, whoever wrote it.
func programOf(p *layoutPage) string {
	if p.Accepted != nil {
		return p.name[:len("letter-")+1]
	}
	return p.Program
}

// everyLayout is how many pages of layouts there are for one that the ranker is trained with: those
// of one program are much alike.
const everyLayout = 3

// rankedPages are the pages that the ranker is trained with, and the names of all features.
func rankedPages(t *testing.T, pages []layoutPage) (all []rankedPage, names map[uint64]string) {
	t.Helper()
	names = map[uint64]string{}
	for i := range pages {
		p := &pages[i]
		if p.Accepted == nil && i%everyLayout != 0 {
			continue
		}
		data, err := os.ReadFile(p.file)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Accepted
		if want == nil {
			want = map[string][]string{}
			for pointer, v := range p.Values {
				if p.Printed[pointer] {
					want[pointer] = []string{v}
				}
			}
		}
		all = append(all, rankedPage{programOf(p), p.Accepted != nil, candidatesOf(t, data, names), want})
	}
	return append(all, rankedMade(t, names)...), names
}

// candidatesOf are those of a PDF by their kind; names gets those of the features.
func candidatesOf(t *testing.T, data []byte, names map[uint64]string) map[ranker.Kind][]ranker.Candidate {
	t.Helper()
	laid, err := parse.PagesOf(data)
	if err != nil {
		t.Fatal(err)
	}
	candidates := map[ranker.Kind][]ranker.Candidate{}
	ranker.Candidates(laid, func(feature uint64, name string) { names[feature] = name }, func(c ranker.Candidate) {
		c.Features = slices.Clone(c.Features)
		candidates[c.Kind] = append(candidates[c.Kind], c)
	})
	return candidates
}

// ofMade is what made pages of a family are left out with.
func ofMade(f *Family) string { return "made " + f.Name }

// rankedMade are made pages, but for those of families that are kept out.
func rankedMade(t *testing.T, names map[uint64]string) (all []rankedPage) {
	t.Helper()
	families := Families()
	for i := range families {
		f := &families[i]
		if f.Held {
			continue
		}
		for j, lang := range Languages() {
			made, err := MakeStrange(*f, lang, uint64(2000+j), strange[j%len(strange)])
			if err != nil {
				t.Fatal(err)
			}
			want := map[string][]string{}
			for pointer, v := range truths(made.Invoice, f) {
				want[pointer] = []string{v}
			}
			all = append(all, rankedPage{ofMade(f), false, candidatesOf(t, made.PDF, names), want})
		}
	}
	return all
}

// isWanted reports whether a candidate is one of the right values.
func isWanted(pointer, key string, want []string) bool {
	return slices.ContainsFunc(want, func(v string) bool {
		whole := ranker.KeyOf(pointer, v)
		if key == whole {
			return true
		}
		if pointer == "/number" { // one of several words, most of it
			return len(key) > 2 && 2*len(key) > len(whole) && strings.Contains(whole, key)
		}
		return sameName(pointer, whole, key)
	})
}

// How the ranker is trained.
const (
	ofLetter = 8   // how much a letter weighs, to a page of a layout
	penalty  = 5.0 // of a weight of 1, in logarithms of odds
	leastOf  = 3   // candidates with a feature
)

// trainRanker fits a logistic regression for each field, with a penalty on the sum of the weights
// that leaves most of them at zero.
func trainRanker(pages []rankedPage, names map[uint64]string) *ranker.Model {
	m := &ranker.Model{Fields: map[string]map[string]float64{}}
	var lock sync.Mutex
	var work sync.WaitGroup
	for pointer, kind := range ranker.KindOf {
		work.Go(func() {
			s := &sparse{index: map[uint64]int{}}
			for i := range pages {
				p := &pages[i]
				weight := 1.0
				if p.isLetter {
					weight = ofLetter
				}
				for _, c := range p.candidates[kind] {
					s.add(c.Features, isWanted(pointer, c.Key, p.want[pointer]), weight)
				}
			}
			weights := map[string]float64{}
			for feature, w := range s.fit() {
				if rounded := math.Round(w*1000) / 1000; rounded != 0 {
					weights[names[feature]] = rounded
				}
			}
			lock.Lock()
			defer lock.Unlock()
			m.Fields[pointer] = weights
		})
	}
	work.Wait()
	return m
}

// sparse is a logistic regression whose features are there or not.
type sparse struct {
	index    map[uint64]int // of a feature in columns
	features []uint64
	columns  [][]int32 // by feature: the candidates that have it
	right    []bool
	weight   []float64
}

func (s *sparse) add(features []uint64, right bool, weight float64) {
	at := int32(len(s.right))
	s.right, s.weight = append(s.right, right), append(s.weight, weight)
	for _, feature := range features {
		i, known := s.index[feature]
		if !known {
			i = len(s.columns)
			s.index[feature] = i
			s.features, s.columns = append(s.features, feature), append(s.columns, nil)
		}
		if c := s.columns[i]; len(c) == 0 || c[len(c)-1] != at { // a feature may be said twice
			s.columns[i] = append(c, at)
		}
	}
}

// fit goes down along one weight after the other (coordinate descent), until none moves much.
func (s *sparse) fit() map[uint64]float64 {
	const (
		sweeps    = 80
		wholeEach = 5 // sweeps, of which the others go over the weights that are not zero
		still     = 0.002
	)
	z, p := make([]float64, len(s.right)), make([]float64, len(s.right))
	for i := range p {
		p[i] = 0.5
	}
	weights := make([]float64, len(s.columns))
	for sweep := range sweeps {
		isWhole, largest := sweep%wholeEach == 0, 0.0
		for j, column := range s.columns {
			if weights[j] == 0 && !isWhole && sweep > 0 || len(column) < leastOf {
				continue
			}
			slope, bend := 0.0, 1e-3
			for _, i := range column {
				miss := p[i]
				if s.right[i] {
					miss--
				}
				slope += s.weight[i] * miss
				bend += s.weight[i] * p[i] * (1 - p[i])
			}
			cost := penalty
			if s.features[j] == ranker.Constant {
				cost = 0
			}
			next := bend*weights[j] - slope
			next = math.Copysign(max(math.Abs(next)-cost, 0), next) / bend
			step := min(max(next-weights[j], -1), 1)
			if step == 0 {
				continue
			}
			weights[j] += step
			largest = max(largest, math.Abs(step))
			for _, i := range column {
				z[i] += step
				p[i] = 1 / (1 + math.Exp(-z[i]))
			}
		}
		if isWhole && largest < still {
			break
		}
	}
	out := map[uint64]float64{}
	for j, w := range weights {
		if w != 0 {
			out[s.features[j]] = w
		}
	}
	return out
}

// foldedPrograms are the folds of programs, which are left out in turn.
func foldedPrograms(pages []rankedPage) map[string]int {
	programs := map[string]int{}
	for i := range pages {
		if name := pages[i].program; programs[name] == 0 {
			programs[name] = len(programs) + 1
		}
	}
	for name := range programs {
		programs[name] %= foldsOf
	}
	return programs
}

// writeRanker writes the model, its features in order.
func writeRanker(m *ranker.Model) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, "# The ranker: made by make parse-model, not by hand. Weights of a logistic regression, by field and")
	fmt.Fprintln(&b, "# feature of a candidate; the one without a name holds for all. features.go says what each is.")
	fmt.Fprintln(&b, "fields:")
	for _, field := range slices.Sorted(maps.Keys(m.Fields)) {
		fmt.Fprintf(&b, "  %s:\n", field)
		for _, name := range slices.Sorted(maps.Keys(m.Fields[field])) {
			fmt.Fprintf(&b, "    %s: %s\n", strconv.Quote(name), strconv.FormatFloat(m.Fields[field][name], 'f', -1, 64))
		}
	}
	return os.WriteFile("ranker/model.yaml", b.Bytes(), 0o600)
}

// TestRankerScore says how often the ranker prefers the right value on letters, trained without the letters of the
// same writer: with -layouts and -v.
func TestRankerScore(t *testing.T) {
	if *layouts == "" {
		t.Skip("skipped: scores with -layouts alone")
	}
	pages := slices.Concat(layoutPages(t, "train"), layoutPages(t, "calibrate"))
	ranked, names := rankedPages(t, pages)
	folds := foldedPrograms(ranked)
	type count struct{ printed, preferred, clear int }
	counts := map[string]*count{}
	for field := range ranker.KindOf {
		counts[field] = &count{}
	}
	for fold := range foldsOf {
		m := trainRanker(slices.DeleteFunc(slices.Clone(ranked), func(p rankedPage) bool { return folds[p.program] == fold }), names)
		for i := range pages {
			p := &pages[i]
			if p.Accepted == nil || folds[programOf(p)] != fold {
				continue
			}
			data, err := os.ReadFile(p.file)
			if err != nil {
				t.Fatal(err)
			}
			laid, err := parse.PagesOf(data)
			if err != nil {
				t.Fatal(err)
			}
			r := m.Rank(laid)
			for field, c := range counts {
				if len(p.Accepted[field]) == 0 {
					continue
				}
				c.printed++
				preferred, clear := false, false
				for _, want := range p.Accepted[field] {
					own, rival := r.Fit(field, want)
					preferred, clear = preferred || own > rival, clear || own > max(rival+2, 0)
				}
				if preferred {
					c.preferred++
				}
				if clear {
					c.clear++
				}
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(counts)) {
		c := counts[field]
		t.Logf("%-34s %3d printed, preferred %3d, clearly %3d", field, c.printed, c.preferred, c.clear)
	}
}
