package parse_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/lexicon"
)

var update = flag.Bool("update", false, "train the scorer and write model.yaml")

// strange are the shares of labels that nobody knows on the pages that the scorer is
// trained and tested with.
var strange = []float64{0, 0.15, 0.3}

// A sample is a value that was read, and whether it is right.
type sample struct {
	features   []float64
	raw        float64 // the confidence that the rules give
	confidence float64
	right      bool
	program    string // of the layouts to calibrate with; each letter is one
	isLetter   bool
	weight     float64
}

// placeOfCode parts a postal code, of which two letters are a part in the Netherlands, from the city.
var placeOfCode = lexicon.Pattern(`^([0-9]{4} [A-Z]{2}|[0-9][0-9 -]*[0-9]|) ?(.*)$`)

// truths are the right values by JSON pointer, of fields that the scorer has a group for.
func truths(made *Invoice, f *Family) map[string]string {
	facts := facts(made, f)
	want := map[string]string{}
	for name, pointer := range pointers {
		if v, known := facts[name]; known {
			want[pointer] = v
		}
	}
	for who, p := range map[string]*Party{"seller": &made.Seller, "buyer": &made.Buyer} {
		want["/"+who+"/postalAddress/line1"] = p.Street
		place := placeOfCode().FindStringSubmatch(p.City)
		want["/"+who+"/postalAddress/postCode"], want["/"+who+"/postalAddress/city"] = place[1], place[2]
	}
	for i, l := range made.Lines {
		at := fmt.Sprintf("/lines/%d", i)
		want[at+"/netAmount"], want[at+"/invoicedQuantity"] = cents(l.Net), cents(l.Quantity)
		want[at+"/price/netPrice"], want[at+"/vat/rate"] = price4(l.Price*(100-l.Discount)), fmt.Sprint(l.Rate)
		want[at+"/item/name"] = l.Item
	}
	return want
}

// collect reads made pages of some families, and compares each value that has a group.
func collect(t *testing.T, seeds uint64, isOne func(*Family) bool) map[string][]sample {
	samples := map[string][]sample{}
	families := Families()
	for i := range families {
		f := &families[i]
		if !isOne(f) {
			continue
		}
		for _, lang := range languagesOf(i, 2) {
			for seed := range seeds {
				for _, share := range strange {
					made, err := MakeStrange(*f, lang, 1000+seed, share)
					if err != nil {
						t.Fatal(err)
					}
					if r, err := parse.PDF(context.Background(), made.PDF, parse.Limits{}); err == nil {
						addSamples(samples, r, truths(made.Invoice, f))
					}
				}
			}
		}
	}
	return samples
}

func addSamples(samples map[string][]sample, r *parse.Result, want map[string]string) {
	for _, pointer := range slices.Sorted(maps.Keys(r.Fields)) {
		f := r.Fields[pointer]
		group := parse.GroupOf(pointer)
		v, known := want[pointer]
		if group == "" || !known && !strings.HasPrefix(pointer, "/lines/") { // a line that is none is wrong
			continue
		}
		samples[group] = append(samples[group], sample{features: parse.FeaturesOf(f), raw: parse.RawConfidence(f), confidence: f.Confidence, right: plain(v) == plain(f.Value) || sameNumber(v, f.Value)})
	}
}

// train fits a logistic regression by Newton's method, with a penalty on weights that stands for
// one value. It has no random numbers.
func train(samples []sample) []float64 {
	const rounds = 30
	weights := make([]float64, len(samples[0].features))
	for range rounds {
		slope, bend := make([]float64, len(weights)), make([][]float64, len(weights))
		for k := range bend {
			bend[k] = make([]float64, len(weights))
			bend[k][k] = 1
			slope[k] = weights[k]
		}
		for i := range samples {
			s := &samples[i]
			p := parse.Logistic(weights, s.features)
			miss := p
			if s.right {
				miss--
			}
			for k, x := range s.features {
				if x == 0 {
					continue
				}
				slope[k] += s.weight * miss * x
				for l, y := range s.features {
					bend[k][l] += s.weight * p * (1 - p) * x * y
				}
			}
		}
		largest := 0.0
		for k, step := range solve(bend, slope) {
			weights[k] -= step
			largest = max(largest, math.Abs(step))
		}
		if largest < 1e-6 {
			break
		}
	}
	return weights
}

// solve is x of a x = b, by Cholesky's method: a is symmetric and positive.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(sum)
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	x := slices.Clone(b)
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

// most is how many samples of a group are trained with, evenly taken; letters are all.
const most = 3000

// thin takes samples of layouts evenly, and gives each the weight with which all of them weigh as
// much as the letters: few people wrote letters, but each of them in another layout.
func thin(samples []sample) []sample {
	letters, others := 0, 0
	for i := range samples {
		if samples[i].isLetter {
			letters++
		} else {
			others++
		}
	}
	step := max(others/most, 1)
	weight := 1.0
	if letters > 0 {
		weight = min(float64(letters*step)/float64(max(others, 1)), 1)
	}
	var out []sample
	at := 0
	for _, s := range samples {
		s.weight = 1
		if !s.isLetter {
			s.weight = weight
			if at++; (at-1)%step != 0 {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// ofPage adds the values that are read off a page, with what they are left out with where the page is one to
// calibrate with.
func ofPage(t *testing.T, p *layoutPage, into map[string][]sample) {
	t.Helper()
	for _, r := range readings(t, p) {
		if r.features == nil {
			continue
		}
		program, isLetter := "", p.Accepted != nil
		if p.part == "calibrate" {
			program = p.Program
			if isLetter {
				program = p.name
			}
		}
		group := parse.GroupOf(r.pointer)
		into[group] = append(into[group], sample{features: r.features, raw: r.rules, right: r.right, program: program, isLetter: isLetter})
	}
}

// foldsOf is how many times the programs to calibrate with are left out in turn.
const foldsOf = 6

// TestTrain trains the scorer where -update asks for it (make parse-model): with made pages and
// the layouts to train with, and those to calibrate with. What it says of each of the latter
// without having seen its program is what it is calibrated by.
func TestTrain(t *testing.T) {
	if !*update {
		t.Skip("trains with -update alone")
	}
	pages := slices.Concat(layoutPages(t, "train"), layoutPages(t, "calibrate"))
	if len(pages) == 0 {
		t.Fatalf("no layouts in %q: make layouts prints them", *layouts)
	}
	ranked, names := rankedPages(t, pages)
	folds, samples := foldedPrograms(ranked), map[string][]sample{}
	for fold := range foldsOf { // each page is read with a ranker that has not seen its program
		parse.SetRanker(trainRanker(slices.DeleteFunc(slices.Clone(ranked), func(p rankedPage) bool { return folds[p.program] == fold }), names))
		for i := range pages {
			if folds[programOf(&pages[i])] == fold {
				ofPage(t, &pages[i], samples)
			}
		}
		for group, all := range collect(t, 2, func(f *Family) bool { return !f.Held && folds[ofMade(f)] == fold }) {
			samples[group] = append(samples[group], all...)
		}
	}
	final := trainRanker(ranked, names)
	if err := writeRanker(final); err != nil {
		t.Fatal(err)
	}
	var model, steps bytes.Buffer
	fmt.Fprintln(&model, "# The scorer of confidences: made by make parse-model, not by hand. Weights of a logistic")
	fmt.Fprintln(&model, "# regression by group of fields, in the order of features in model.go.")
	fmt.Fprintln(&model, "weights:")
	fmt.Fprintln(&steps, "# What share of the values of a group was right, from a confidence of the scorer on: made by")
	fmt.Fprintln(&steps, "# make parse-model with isotonic regression, on programs that the scorer had not seen.")
	fmt.Fprintln(&steps, "steps:")
	for _, group := range slices.Sorted(maps.Keys(samples)) {
		all := samples[group]
		var list []string
		for _, w := range train(thin(all)) {
			list = append(list, fmt.Sprintf("%.4f", w))
		}
		fmt.Fprintf(&model, "  %s: [%s]\n", group, strings.Join(list, ", "))
		list = nil
		for _, step := range isotonic(thin(leftOut(all))) {
			list = append(list, fmt.Sprintf("[%.4f, %.3f]", step[0], step[1]))
		}
		fmt.Fprintf(&steps, "  %s: [%s]\n", group, strings.Join(list, ", "))
	}
	for name, data := range map[string][]byte{"model.yaml": model.Bytes(), "calibration.yaml": steps.Bytes()} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// leftOut are the values of the programs to calibrate with, each with what a scorer says that
// has not seen its program.
func leftOut(all []sample) (out []sample) {
	programs := map[string]int{}
	for _, s := range all {
		if _, known := programs[s.program]; !known && s.program != "" {
			programs[s.program] = len(programs) % foldsOf
		}
	}
	for fold := range foldsOf {
		isOut := func(s sample) bool { return s.program != "" && programs[s.program] == fold }
		weights := train(thin(slices.DeleteFunc(slices.Clone(all), isOut)))
		for _, s := range all {
			if isOut(s) {
				s.confidence = parse.Logistic(weights, s.features)
				out = append(out, s)
			}
		}
	}
	return out
}

// leastOfStep is how many values a step has.
const leastOfStep = 25

// A block is a step of a calibration: values that are next to each other by what the scorer says.
type block struct {
	from                   float64
	weight, right, squares float64
	programs               map[string]bool
}

func (b *block) add(s *sample) {
	b.weight += s.weight
	b.squares += s.weight * s.weight
	if s.right {
		b.right += s.weight
	}
	b.programs[s.program] = true
}

// count is how many values of one weight would prove as much (Kish's effective sample size).
func (b *block) count() float64 { return b.weight * b.weight / b.squares }

// share is Wilson's lower bound of the share of right values. Values of one program are right
// or wrong together, so that many of them prove no more than some.
func (b *block) share() float64 {
	const (
		z          = 1.28
		ofAProgram = 12
	)
	n, p := min(b.count(), float64(ofAProgram*len(b.programs))), b.right/b.weight
	return max((p+z*z/(2*n)-z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n)))/(1+z*z/n), 0)
}

// isotonic is the share of right values by what the scorer says, which never falls (pool
// adjacent violators). A share is the lower bound of what so many values prove, nine times in
// ten, so that few values make nothing sure.
func isotonic(of []sample) (steps [][2]float64) {
	slices.SortStableFunc(of, func(a, b sample) int { return cmp.Compare(a.confidence, b.confidence) })
	var blocks []*block
	for i := 0; i < len(of); {
		b := &block{from: of[i].confidence, programs: map[string]bool{}}
		for i < len(of) && (b.weight == 0 || b.count() < leastOfStep || of[i].confidence == of[i-1].confidence || len(of)-i < leastOfStep) {
			b.add(&of[i])
			i++
		}
		blocks = append(blocks, b)
		for n := len(blocks); n > 1 && blocks[n-2].right/blocks[n-2].weight >= blocks[n-1].right/blocks[n-1].weight; n = len(blocks) {
			last, into := blocks[n-1], blocks[n-2]
			blocks = blocks[:n-1]
			into.weight, into.right, into.squares = into.weight+last.weight, into.right+last.right, into.squares+last.squares
			maps.Copy(into.programs, last.programs)
		}
	}
	proved := 0.0
	for _, b := range blocks {
		proved = max(proved, b.share()) // what a block proves holds for those above it
		steps = append(steps, [2]float64{b.from, proved})
	}
	return steps
}

// Of the values with a confidence of 0.95 and more, 98 % are right, on layouts and with
// labels that the scorer was not trained with. The figures are printed with -v.
func TestCalibration(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("the scorer was trained in this run; test it in another")
	}
	samples := collect(t, 1, func(f *Family) bool { return f.Held })
	type bin struct{ count, right int }
	bins := map[string]*bin{}
	add := func(name string, right bool) {
		if bins[name] == nil {
			bins[name] = &bin{}
		}
		bins[name].count++
		if right {
			bins[name].right++
		}
	}
	for group, all := range samples {
		for _, s := range all {
			low := "below .50"
			for _, edge := range []float64{0.5, 0.7, 0.8, 0.9, 0.95, 0.99} {
				if s.confidence >= edge {
					low = fmt.Sprintf("from %.2f", edge)
				}
			}
			add(low, s.right)
			add("all", s.right)
			if s.raw >= 0.95 {
				add("sure without the scorer", s.right)
			}
			if s.confidence >= 0.95 {
				add("sure", s.right)
				add("sure "+group, s.right)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bins)) {
		b := bins[name]
		t.Logf("%-20s %6d values, %.3f right", name, b.count, float64(b.right)/float64(b.count))
	}
	sure, all := bins["sure"], bins["all"]
	if sure == nil || float64(sure.right) < 0.98*float64(sure.count) {
		t.Errorf("of the values with a confidence of 0.95 and more, too few are right: %+v", sure)
	}
	if sure != nil && 2*sure.count < all.count {
		t.Errorf("only %d of %d values are sure", sure.count, all.count)
	}
}
