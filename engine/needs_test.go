package engine_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model/sampled"
	"einvoice/rulesets"
)

// A rule that is not asked would not have been violated. The proof is the compiler's; this
// looks for a document that it forgot: the samples and the official suites, as they are and
// with elements taken away, doubled, moved, emptied, renamed and rewritten, are validated by
// a validator that leaves out what it can and by one that asks everything.
func TestUnaskedRulesHold(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	documents := seeds(t)
	mutants := sampled.Of(4, 4)
	for _, rules := range [][]string{{"en16931", "xrechnung"}, {"en16931", "peppol"}, {"facturx"}} {
		asking, err := l.Validator(rules...)
		if err != nil {
			t.Fatal(err)
		}
		narrowing, err := l.Validator(rules...)
		if err != nil {
			t.Fatal(err)
		}
		asking.Observe(func([]*engine.Rule, map[*engine.Rule]bool) {}) // who is observed asks everything
		random := rand.New(rand.NewPCG(1, uint64(len(rules[0]))))
		compared, found := 0, 0
		compare := func(data []byte, what string) {
			doc, err := formats.Read(data, formats.Options{})
			if err != nil {
				return
			}
			want, err := asking.ValidateAt(t.Context(), doc, "2026-01-01")
			if err != nil {
				return // no rule applies
			}
			got, err := narrowing.ValidateAt(t.Context(), doc, "2026-01-01")
			if err != nil {
				t.Fatal(err)
			}
			compared++
			found += len(want.Findings)
			if reflect.DeepEqual(got.Findings, want.Findings) {
				return
			}
			t.Errorf("%v, %s: of the rules that hold as it seems, some are violated\nasked: %v\nnot:   %v\n%s", rules, what, rulesOf(want), rulesOf(got), data)
		}
		for pass := range 2 { // the first teaches the validator what its rules need
			for i, d := range documents {
				if !sampled.Takes(i, 3) {
					continue
				}
				compare(d.data, d.name)
				for range pass * mutants {
					compare(mutant(random, d.data, documents), "a mutant of "+d.name)
					if t.Failed() {
						return
					}
				}
			}
		}
		t.Logf("%v: %d documents, %d findings", rules, compared, found)
		if compared == 0 || found == 0 { // facturx has rules for CII alone
			t.Errorf("%v: %d documents compared, with %d findings", rules, compared, found)
		}
	}
}

func rulesOf(r *engine.Report) (ids []string) {
	for i := range r.Findings {
		ids = append(ids, r.Findings[i].Rule+"@"+r.Findings[i].Location)
	}
	return ids
}

type seed struct {
	name string
	data []byte
}

// seeds are the samples of the rules, and every fifteenth document of the suites where
// these are.
func seeds(t *testing.T) (all []seed) {
	files, err := filepath.Glob("../rulesets/examples/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	suites, err := filepath.Glob("../../shared/*/*/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) == 0 {
		t.Log("../shared is not there: the project's samples alone are changed")
	}
	for i := 0; i < len(suites); i += 15 {
		files = append(files, suites[i])
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 60_000 {
			all = append(all, seed{filepath.Base(f), data})
		}
	}
	return all
}

var (
	markup  = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>|[^<]+`)
	tagName = regexp.MustCompile(`^</?([\w.:-]+)`)
	quoted  = regexp.MustCompile(`="[^"]*"`)
	// said are texts that rules compare with.
	said = []string{"", " ", "S", "E", "AE", "K", "G", "O", "L", "M", "B", "Z", " S\n", "VAT", "vat", "true", "false", "1", "0", "EUR", "102", "SEPA", "380", "381", "130", "58", "30", "IT", "DE", "19", "19.001", "-1", "x"}
)

// mutant is a document with one to three changes.
func mutant(random *rand.Rand, data []byte, others []seed) []byte {
	parts := markup.FindAllString(string(data), -1)
	for range 1 + random.IntN(3) {
		from, to := element(random, parts)
		if to == 0 {
			return data
		}
		before, whole, after := parts[:from:from], parts[from:to:to], parts[to:]
		join := func(all ...[]string) { parts = strings.Split(strings.Join(flat(all), "\x00"), "\x00") }
		switch random.IntN(8) {
		case 0: // taken away
			join(before, after)
		case 1: // doubled
			join(before, whole, whole, after)
		case 2: // moved
			rest := flat([][]string{before, after})
			if i, j := element(random, rest); j > 0 {
				join(rest[:i], whole, rest[i:])
			}
		case 3, 4: // another text
			if len(whole) <= 3 {
				open := whole[0]
				if strings.HasSuffix(open, "/>") {
					continue
				}
				join(before, []string{open, said[random.IntN(len(said))], whole[len(whole)-1]}, after)
			}
		case 5: // an attribute with another value
			parts[from] = quoted.ReplaceAllStringFunc(whole[0], func(value string) string {
				if strings.Contains(value, ":") || random.IntN(2) == 0 {
					return value
				}
				return `="` + said[random.IntN(len(said))] + `"`
			})
		case 6: // another name, or one that nobody knows
			if name := tagName.FindStringSubmatch(whole[0])[1]; from > 1 {
				other := "cbc:Unknown"
				if i, j := element(random, parts); j > 0 && random.IntN(4) > 0 {
					other = tagName.FindStringSubmatch(parts[i])[1]
				}
				whole[0] = strings.Replace(whole[0], name, other, 1)
				if last := len(whole) - 1; last > 0 {
					whole[last] = "</" + other + ">"
				}
			}
		case 7: // of another document
			other := markup.FindAllString(string(others[random.IntN(len(others))].data), -1)
			if i, j := element(random, other); j > 0 && j-i < 200 {
				join(before, other[i:j], after)
			}
		}
	}
	return []byte(strings.Join(parts, ""))
}

func flat(all [][]string) (out []string) {
	for _, s := range all {
		out = append(out, s...)
	}
	return out
}

// element is the range of one, but not of the document element.
func element(random *rand.Rand, parts []string) (from, to int) {
	for range 20 {
		i := 1 + random.IntN(len(parts)-1)
		if !tagName.MatchString(parts[i]) || parts[i][1] == '/' {
			continue
		}
		depth, root := 0, true
		for j := range parts[:i] {
			root = root && !tagName.MatchString(parts[j])
		}
		for j := i; !root && j < len(parts); j++ {
			switch p := parts[j]; {
			case !tagName.MatchString(p) || strings.HasSuffix(p, "/>"):
			case p[1] == '/':
				depth--
			default:
				depth++
			}
			if depth == 0 {
				return i, j + 1
			}
		}
	}
	return 0, 0
}
