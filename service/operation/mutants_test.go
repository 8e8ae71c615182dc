package operation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/model"
	"einvoice/service/convert"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

var (
	mutants    = flag.Int("mutants", 1_000, "how many mutants TestMutants validates and converts")
	mutantSeed = flag.Uint64("mutant-seed", 1, "which mutants TestMutants makes")
)

// mostOfMutant bounds the answer about a mutant: 4 MiB of findings, and what stands around
// them.
const mostOfMutant = 5 << 20

// Documents that were changed at random are validated and converted: nothing panics, every
// error is one that was foreseen, no answer is too large, and none waits for its deadline.
func TestMutants(t *testing.T) {
	s, documents := kittest.Kit(t), toMutate(t)
	var next, refused, converted atomic.Int64
	var slowest atomic.Pointer[took]
	slowest.Store(&took{})
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1); i <= int64(*mutants) && !t.Failed(); i = next.Add(1) {
				random := rand.New(rand.NewPCG(*mutantSeed, uint64(i)))
				data := mutant(random, documents)
				started := time.Now()
				valid, made := mutantThrough(t, s, data)
				if last := slowest.Load(); time.Since(started) > last.time {
					slowest.CompareAndSwap(last, &took{time.Since(started), i, len(data)})
				}
				if t.Failed() {
					t.Logf("mutant %d of seed %d:\n%q", i, *mutantSeed, data)
				}
				if !valid {
					refused.Add(1)
				}
				if made {
					converted.Add(1)
				}
			}
		})
	}
	workers.Wait()
	last := slowest.Load()
	t.Logf("%d mutants of %d documents: %d unreadable, %d converted; the slowest, number %d of %d bytes, took %v",
		*mutants, len(documents), refused.Load(), converted.Load(), last.number, last.size, last.time)
	if *mutants >= 1_000 && (converted.Load() == 0 || refused.Load() == 0) {
		t.Error("mutants of one kind alone say little")
	}
}

type took struct {
	time   time.Duration
	number int64
	size   int
}

// toMutate are the suites' documents if they are there, else the project's own samples.
func toMutate(t *testing.T) (documents [][]byte) {
	var names []string
	for _, pattern := range []string{"../../../shared/suites/*/*.xml", "../../cmd/einvoice/samples/*.xml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if names = append(names, found...); len(found) == 0 {
			t.Logf("skipped: there is no %s", pattern)
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		const large = 40_000 // bytes; more would only take time
		if len(data) < large {
			documents = append(documents, data)
		}
	}
	return documents
}

// mutantThrough validates a document and converts it to the other syntax.
func mutantThrough(t *testing.T, s *operation.Kit, data []byte) (readable, converted bool) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 4096)
			t.Errorf("panic: %v\n%s", p, stack[:runtime.Stack(stack, false)])
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	result, err := s.Validate(ctx, data, validate.Rules{})
	designed(t, "validate", err)
	if err == nil {
		answer, err := json.Marshal(result.Report.Findings)
		if err != nil || len(answer) > mostOfMutant {
			t.Errorf("the findings take %d bytes, %v", len(answer), err)
		}
	}
	doc, err := s.Read(ctx, data, validate.Accept{})
	designed(t, "read", err)
	if err == nil {
		other := model.UBL
		if doc.Syntax == model.UBL {
			other = model.CII
		}
		conversion, err := convert.Document(ctx, s.Service, doc, other)
		designed(t, "convert", err)
		readable, converted = true, err == nil && conversion != nil
	}
	if ctx.Err() != nil {
		t.Error("the deadline passed")
	}
	return readable, converted
}

// mutant changes a document in up to four places.
func mutant(random *rand.Rand, documents [][]byte) []byte {
	data := bytes.Clone(documents[random.IntN(len(documents))])
	for range 1 + random.IntN(4) {
		change := changes[random.IntN(len(changes))]
		if random.IntN(20) == 0 {
			change = breaking[random.IntN(len(breaking))]
		}
		if changed := change(random, data, documents); len(changed) < 1<<20 {
			data = changed
		}
	}
	return data
}

// changes are what a mutant may suffer and mostly still be read, breaking what it seldom is.
var changes = []func(random *rand.Rand, data []byte, documents [][]byte) []byte{
	// The text of an element, and the value of an attribute.
	func(r *rand.Rand, data []byte, _ [][]byte) []byte { return within(r, data, ">", '<', hostile(r)) },
	func(r *rand.Rand, data []byte, _ [][]byte) []byte { return within(r, data, ">", '<', hostile(r)) },
	func(r *rand.Rand, data []byte, _ [][]byte) []byte { return within(r, data, `="`, '"', hostile(r)) },
	// Elements are left out, doubled, and moved.
	func(r *rand.Rand, data []byte, _ [][]byte) []byte {
		from, to := element(r, data)
		return replaced(data, from, to, nil)
	},
	func(r *rand.Rand, data []byte, _ [][]byte) []byte {
		from, to := element(r, data)
		return replaced(data, to, to, bytes.Repeat(data[from:to], 1+r.IntN(30)))
	},
	func(r *rand.Rand, data []byte, _ [][]byte) []byte {
		from, to := element(r, data)
		_, at := element(r, data)
		return replaced(data, at, at, bytes.Clone(data[from:to]))
	},
	// What another document of the syntax has.
	func(r *rand.Rand, data []byte, documents [][]byte) []byte {
		other := documents[r.IntN(len(documents))]
		if bytes.Contains(other, []byte("<cbc:")) != bytes.Contains(data, []byte("<cbc:")) {
			return data
		}
		from, to := element(r, other)
		_, at := element(r, data)
		return replaced(data, at, at, other[from:to])
	},
}

var breaking = []func(random *rand.Rand, data []byte, documents [][]byte) []byte{
	func(r *rand.Rand, data []byte, _ [][]byte) []byte {
		values := []string{"\u0000", "&#0;", "<a/>", "&undefined;", "\xff\xfe", "\xc3", "<!-- -->", "]]>", "<!DOCTYPE x>"}
		return within(r, data, ">", '<', values[r.IntN(len(values))])
	},
	func(r *rand.Rand, data []byte, _ [][]byte) []byte {
		if len(data) > 0 {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		return data
	},
	func(r *rand.Rand, data []byte, _ [][]byte) []byte {
		from := r.IntN(len(data) + 1)
		return replaced(data, from, min(len(data), from+r.IntN(200)), nil)
	},
}

func replaced(data []byte, from, to int, by []byte) []byte {
	return append(append(bytes.Clone(data[:from]), by...), data[to:]...)
}

// within puts a value between an opening text and the next closing character somewhere.
func within(r *rand.Rand, data []byte, opening string, closing byte, value string) []byte {
	start := r.IntN(len(data) + 1)
	from := bytes.Index(data[start:], []byte(opening))
	if from < 0 {
		return data
	}
	from += start + len(opening)
	end := bytes.IndexByte(data[from:], closing)
	if end < 0 {
		return data
	}
	return replaced(data, from, from+end, []byte(value))
}

// plainElements are elements with text alone.
var plainElements = regexp.MustCompile(`<[A-Za-z][^<>]*[^/<>]>[^<]*</[^<>]*>`)

// element is where an element without others inside is, or nothing somewhere.
func element(r *rand.Rand, data []byte) (from, to int) {
	start := r.IntN(len(data) + 1)
	if at := plainElements.FindIndex(data[start:]); at != nil {
		return start + at[0], start + at[1]
	}
	return start, start
}

// hostile is a value that something may stumble over.
func hostile(r *rand.Rand) string {
	values := []string{
		"", " ", "0", "-0", "1", "-1", "00", "+1", "1.", ".1", "1e5", "NaN", "INF", "1,5", "1 000.00", "9999999999999999999999.99",
		"0." + strings.Repeat("3", 1+r.IntN(400)), strings.Repeat("9", 1+r.IntN(400)), "-" + strings.Repeat("9", 40) + ".005",
		"2026-02-30", "20260230", "0000-00-00", "99999-01-01", "2026-01-01Z", "2026-01-01+14:00", "102", "610",
		"S", "E", "AE", "K", "G", "O", "Z", "L", "M", "B", "VAT", "VA", "true", "false", "380", "381", "389", "EUR", "XXX", "eur",
		"DE", "DE123456789", "\u202Etxt", "&lt;", "&amp;&amp;", "]]&gt;", "<![CDATA[x]]>",
		"#SKONTO#TAGE=14#PROZENT=2.25#\n", "urn:cen.eu:en16931:2017", "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
		"ß", "ﬁ", strings.Repeat("a", r.IntN(5000)), strings.Repeat("é\n", r.IntN(200)),
		fmt.Sprint(r.Int64()), fmt.Sprintf("%d.%02d", r.IntN(100_000), r.IntN(100)),
	}
	return values[r.IntN(len(values))]
}
