package text

import (
	"math/rand/v2"
	"testing"
)

// What is found by bands is what a search among all areas finds, and takes fewer steps.
func TestBands(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 8))
	looked, all := 0, 0
	for range 50 {
		var b bands
		var areas []area
		for n := range 400 {
			x, y, size := seed.Float64()*600, seed.Float64()*900-50, seed.Float64()*6
			if n%40 == 0 {
				size *= 100
			}
			a := area{x, y, x + size, y + size}
			b.add(a, n)
			areas = append(areas, a)
		}
		for range 200 {
			x, y := seed.Float64()*600, seed.Float64()*900-50
			want := -1
			for n, a := range areas {
				if a.has(x, y) {
					want = n
				}
			}
			got := -1
			for n := range b.at(y) {
				if looked++; areas[n].has(x, y) {
					got = n
					break
				}
			}
			if all += len(areas); got != want {
				t.Fatalf("at %.1f %.1f: the area %d, want %d", x, y, got, want)
			}
		}
	}
	if looked > all/5 {
		t.Errorf("%d of %d areas were looked at", looked, all)
	}
}
