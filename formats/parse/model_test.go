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
	program    string // of the layouts to calibrate with
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

// collect reads made pages of the families that are kept out, or of the others, and
// compares each value that has a group.
func collect(t *testing.T, held bool, seeds uint64) map[string][]sample {
	samples := map[string][]sample{}
	families := Families()
	for i := range families {
		f := &families[i]
		if f.Held != held {
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

// train fits a logistic regression by gradient descent. It has no random numbers.
func train(samples []sample) []float64 {
	const (
		rounds = 1500
		rate   = 0.5
		ridge  = 1e-3
	)
	weights := make([]float64, len(samples[0].features))
	speed := make([]float64, len(weights))
	for range rounds {
		gradient := make([]float64, len(weights))
		for i := range samples {
			miss := parse.Logistic(weights, samples[i].features)
			if samples[i].right {
				miss--
			}
			for k, x := range samples[i].features {
				gradient[k] += miss * x
			}
		}
		for k := range weights {
			speed[k] = 0.9*speed[k] - rate*0.1*(gradient[k]/float64(len(samples))+ridge*weights[k])
			weights[k] += speed[k]
		}
	}
	return weights
}

// most is how many samples of a group are trained with, evenly taken.
const most = 3000

func thin(samples []sample) []sample {
	step := max(len(samples)/most, 1)
	var out []sample
	for i := 0; i < len(samples); i += step {
		out = append(out, samples[i])
	}
	return out
}

// ofLayouts adds the values that are read off a part of the layouts of programs, each with the
// name of the program.
func ofLayouts(t *testing.T, part string, into map[string][]sample) {
	t.Helper()
	pages := layoutPages(t, part)
	if len(pages) == 0 {
		t.Fatalf("no layouts of the part %s in %q: make layouts prints them", part, *layouts)
	}
	for i := range pages {
		for _, r := range readings(t, &pages[i]) {
			if r.features == nil {
				continue
			}
			program := ""
			if part == "calibrate" {
				program = pages[i].Program
			}
			group := parse.GroupOf(r.pointer)
			into[group] = append(into[group], sample{features: r.features, raw: r.rules, right: r.right, program: program})
		}
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
	samples := collect(t, false, 2)
	ofLayouts(t, "train", samples)
	ofLayouts(t, "calibrate", samples)
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
		for _, step := range isotonic(leftOut(all)) {
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

// isotonic is the share of right values by what the scorer says, which never falls (pool
// adjacent violators). A share is the lower bound of what so many values prove, nine times in
// ten, so that few values make nothing sure.
func isotonic(of []sample) (steps [][2]float64) {
	slices.SortStableFunc(of, func(a, b sample) int { return cmp.Compare(a.confidence, b.confidence) })
	type block struct {
		from         float64
		right, count int
		programs     map[string]bool
	}
	var blocks []block
	for i := 0; i < len(of); {
		b := block{from: of[i].confidence, programs: map[string]bool{}}
		for i < len(of) && (b.count < leastOfStep || of[i].confidence == of[i-1].confidence || len(of)-i < leastOfStep) {
			if of[i].right {
				b.right++
			}
			b.count++
			b.programs[of[i].program] = true
			i++
		}
		blocks = append(blocks, b)
		for n := len(blocks); n > 1 && lowerBound(blocks[n-2].right, blocks[n-2].count, len(blocks[n-2].programs)) >= lowerBound(blocks[n-1].right, blocks[n-1].count, len(blocks[n-1].programs)); n = len(blocks) {
			last := blocks[n-1]
			blocks = blocks[:n-1]
			blocks[n-2].right, blocks[n-2].count = blocks[n-2].right+last.right, blocks[n-2].count+last.count
			maps.Copy(blocks[n-2].programs, last.programs)
		}
	}
	for _, b := range blocks {
		steps = append(steps, [2]float64{b.from, lowerBound(b.right, b.count, len(b.programs))})
	}
	return steps
}

// lowerBound is Wilson's lower bound of a share. Values of one program are right or wrong
// together, so that many of them prove no more than some.
func lowerBound(right, count, programs int) float64 {
	const (
		z          = 1.28
		ofAProgram = 12
	)
	n, p := min(float64(count), float64(ofAProgram*programs)), float64(right)/float64(count)
	return max((p+z*z/(2*n)-z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n)))/(1+z*z/n), 0)
}

// Of the values with a confidence of 0.95 and more, 98 % are right, on layouts and with
// labels that the scorer was not trained with. The figures are printed with -v.
func TestCalibration(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("the scorer was trained in this run; test it in another")
	}
	samples := collect(t, true, 1)
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
