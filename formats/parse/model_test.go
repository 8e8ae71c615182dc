package parse_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
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
}

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
		want["/"+who+"/postalAddress/city"] = strings.TrimLeft(p.City, "0123456789- ")
		want["/"+who+"/postalAddress/postCode"] = strings.TrimSpace(strings.TrimSuffix(p.City, strings.TrimLeft(p.City, "0123456789- ")))
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
		samples[group] = append(samples[group], sample{parse.FeaturesOf(f), parse.RawConfidence(f), f.Confidence, plain(v) == plain(f.Value) || sameNumber(v, f.Value)})
	}
}

// train fits a logistic regression by gradient descent. It has no random numbers.
func train(samples []sample) []float64 {
	const (
		rounds = 4000
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

// TestTrain trains the scorer where -update asks for it (make parse-model).
func TestTrain(t *testing.T) {
	if !*update {
		t.Skip("trains with -update alone")
	}
	samples := collect(t, false, 2)
	var out bytes.Buffer
	fmt.Fprintln(&out, "# The scorer of confidences: made by make parse-model, not by hand. Weights of a logistic")
	fmt.Fprintln(&out, "# regression by group of fields, in the order of features in model.go.")
	fmt.Fprintln(&out, "weights:")
	for _, group := range slices.Sorted(maps.Keys(samples)) {
		var list []string
		for _, w := range train(thin(samples[group])) {
			list = append(list, fmt.Sprintf("%.4f", w))
		}
		fmt.Fprintf(&out, "  %s: [%s]\n", group, strings.Join(list, ", "))
	}
	if err := os.WriteFile("model.yaml", out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
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
