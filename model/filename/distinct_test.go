package filename_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/model/filename"

	"pgregory.net/rapid"
)

func TestTake(t *testing.T) {
	var names filename.Names
	for _, c := range [][2]string{
		{"f.pdf", "f.pdf"}, {"f.pdf", "f-2.pdf"}, {"F.PDF", "F-3.PDF"}, {"f-2.pdf", "f-2-2.pdf"}, {"f-5.pdf", "f-5.pdf"}, {"f.pdf", "f-4.pdf"}, {"f.pdf", "f-6.pdf"}, {"f", "f"}, {"f", "f-2"},
	} {
		if got := names.Take(c[0]); got != c[1] {
			t.Errorf("%q is called %q, want %q", c[0], got, c[1])
		}
	}
}

// Names differ in more than case, whatever is asked for, and each has the first number that
// is free.
func TestNamesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var names filename.Names
		var taken []string
		isTaken := func(name string) bool {
			for _, have := range taken {
				if strings.EqualFold(have, name) {
					return true
				}
			}
			return false
		}
		for i := range rapid.IntRange(1, 60).Draw(t, "files") {
			asked := rapid.SampledFrom([]string{"f.pdf", "F.pdf", "f-2.pdf", "f-3.PDF", "f-2-2.pdf", "ß.txt", "K.txt", "\u212A.txt", "", "-2"}).Draw(t, fmt.Sprint("name ", i))
			want := asked
			for n := 2; isTaken(want); n++ {
				dot := max(strings.LastIndexByte(asked, '.'), 0)
				if dot == 0 {
					dot = len(asked)
				}
				want = fmt.Sprintf("%s-%d%s", asked[:dot], n, asked[dot:])
			}
			if got := names.Take(asked); got != want {
				t.Fatalf("%q is called %q beside %q, want %q", asked, got, taken, want)
			}
			taken = append(taken, want)
		}
	})
}

// BenchmarkEqualNames states what a file costs where all have one name.
func BenchmarkEqualNames(b *testing.B) {
	for _, n := range []int{2000, 32000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				var names filename.Names
				for i := range n {
					names.Take([]string{"f.pdf", "f-3.pdf", "F.PDF"}[i%3])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/file")
		})
	}
}
