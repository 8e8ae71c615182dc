package parse_test

import (
	"context"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/text"
)

// likely are the digits that recognition takes others for most.
var likely = map[byte]byte{'1': '7', '7': '1', '3': '8', '8': '3', '0': '8', '5': '6', '6': '5'}

// misread are the pages of a PDF as if they had been recognised: every so many words with
// two decimals have one digit wrong.
func misread(t *testing.T, data []byte, every int) []text.Sheet {
	t.Helper()
	r, err := parse.PDF(context.Background(), data, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sheets := r.Sheets()
	amounts := 0
	for i := range sheets {
		sheets[i].Recognised = true
		for j := range sheets[i].Words {
			w := &sheets[i].Words[j]
			w.Doubt = 0.08
			if at := strings.LastIndexAny(w.Text, ".,"); at < 1 || at+3 != len(w.Text) || strings.Count(w.Text, ".") > 1 {
				continue
			}
			if amounts++; amounts%every != 0 {
				continue
			}
			for k := range w.Text {
				if wrong, ok := likely[w.Text[k]]; ok {
					w.Text, w.Doubt = w.Text[:k]+string(wrong)+w.Text[k+1:], 0.3
					break
				}
			}
		}
	}
	return sheets
}

// Of made pages in which every twelfth amount is recognised wrong, the chain of totals and
// what sets numbers right read more than the rules alone, and what is sure is right for the
// most part. The figures are printed with -v.
func TestRecognisedAblation(t *testing.T) {
	t.Parallel()
	rules, chain, repaired := score{}, score{}, score{}
	bins := map[string][2]int{}
	families := Families()
	for i := range families {
		f := &families[i]
		if !f.Held {
			continue
		}
		made, err := Make(*f, Languages()[i%7], 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			limits parse.Limits
			into   score
		}{{parse.WithoutChain(), rules}, {parse.WithoutRepair(), chain}, {parse.Limits{}, repaired}} {
			r, err := parse.Sheets(context.Background(), misread(t, made.PDF, 12), c.limits)
			if err != nil {
				t.Errorf("%s: %v", made.Name, err)
				continue
			}
			got := readFacts(r)
			for field, want := range facts(made.Invoice, f) {
				c.into.compare(field, want, got[field])
			}
		}
		r, err := parse.Sheets(context.Background(), misread(t, made.PDF, 12), parse.Limits{})
		if err != nil {
			continue
		}
		samples := map[string][]sample{}
		addSamples(samples, r, truths(made.Invoice, f))
		for _, list := range samples {
			for _, s := range list {
				bin := "below .70"
				switch {
				case s.confidence >= 0.9:
					bin = "from .90"
				case s.confidence >= 0.7:
					bin = "from .70"
				}
				n := bins[bin]
				n[0]++
				if s.right {
					n[1]++
				}
				bins[bin] = n
			}
		}
	}
	for _, group := range []string{"header", "totals"} {
		t.Logf("%-7s rules %.3f, with the chain %.3f, and numbers set right %.3f", group, rules.group(group).f1(), chain.group(group).f1(), repaired.group(group).f1())
	}
	for bin, n := range bins {
		t.Logf("%s: %d values, %.3f right", bin, n[0], float64(n[1])/float64(n[0]))
	}
	if a, b, c := rules.group("totals").f1(), chain.group("totals").f1(), repaired.group("totals").f1(); a >= b || b > c {
		t.Errorf("totals: F1 %.3f, %.3f with the chain, %.3f with numbers set right", a, b, c)
	}
	if sure := bins["from .90"]; sure[0] == 0 || float64(sure[1]) < 0.95*float64(sure[0]) {
		t.Errorf("of the values with a confidence of 0.9 and more, %d of %d are right", sure[1], sure[0])
	}
}
