package cases

import (
	"fmt"
	"testing"

	"einvoice/model/sampled"
)

// Rules are compared each with each, so what one pair may take is bounded for all of them together.
func TestTextsAreBounded(t *testing.T) {
	rules := sampled.Of(70, 2)
	for _, times := range []int{1, 900} {
		known, told := &Texts{}, 0
		for i := range rules {
			for j := range i {
				ask := func(n int) string { return fmt.Sprintf("^x%d{%d}|y%[1]d{%[2]d}$", n, times) }
				if _, ok := known.differing([]string{ask(i), ask(j)}); ok {
					told++
				}
			}
		}
		if known.steps > mostOfTexts+2*mostSteps {
			t.Errorf("repeated %d times: %d steps", times, known.steps)
		}
		if times == 1 && told != rules*(rules-1)/2 {
			t.Errorf("of usual patterns %d pairs are told apart", told)
		}
	}
}
