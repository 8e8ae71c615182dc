package candidate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats/parse/layout"
)

// pageOf is a page with one row of texts.
func pageOf(texts ...string) *layout.Layout {
	l := &layout.Layout{}
	l.AddRow(wordsOf(strings.Join(texts, " ")), 1)
	return l
}

// Days are read in whatever form a country writes them.
func TestFormsOfDays(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 29))
	hungarian := strings.Fields("január február március április május június július augusztus szeptember október november december")
	for range 500 {
		day := time.Date(2015+r.IntN(20), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
		ordinal := "th"
		if d := day.Day(); d/10 != 1 && d%10 >= 1 && d%10 <= 3 {
			ordinal = []string{"st", "nd", "rd"}[d%10-1]
		}
		for _, s := range []string{
			fmt.Sprintf("%d%s-%s-%d", day.Day(), ordinal, day.Format("Jan"), day.Year()),
			fmt.Sprintf("%d%s %s %d", day.Day(), ordinal, day.Format("January"), day.Year()),
			fmt.Sprintf("%d%s %s, %d", day.Day(), strings.ToUpper(ordinal), day.Format("Jan"), day.Year()),
			fmt.Sprintf("%d. %s %d.", day.Year(), hungarian[day.Month()-1], day.Day()),
			day.Format("2006 Jan 2"), day.Format("2006年1月2日"), day.Format("2006년01월02일"),
			day.Format("2006.01.02."), day.Format("2. 1. 2006"), day.Format("02-Jan-06"), day.Format("20060102")[:4] + day.Format("/1/2"),
		} {
			of := wordsOf(s)
			if got, used := (Notation{Decimal: '.'}).DateAt(of); used != len(of) || got.ISO() != day.Format(time.DateOnly) {
				t.Errorf("%q is %s with %d of %d words", s, got.ISO(), used, len(of))
			}
		}
	}
	if got, used := (Notation{}).DateAt(wordsOf("2026 January 4, 2027")); used != 0 {
		t.Errorf("the year before a day is taken for its own: %s", got.ISO())
	}
}

// Days with two digits for the year have it where their distance is the smaller, also to days with four; one alone is unsure,
// unless it is of long ago in the other order. Of the two days that it may be, one is the right one.
func TestYearFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 11))
	for range 2000 {
		issue := time.Date(2024+r.IntN(5), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
		due := issue.AddDate(0, 0, 5+r.IntN(60))
		for _, form := range []string{"06-01-02", "02-01-06", "06/01/02", "02/01/06"} {
			first, second := issue.Format(form), due.Format(form)
			n := NotationOf(pageOf(first, second, "SEK"))
			got, _ := n.DateAt(wordsOf(first))
			if got.ISO() != issue.Format(time.DateOnly) && !n.Unsure(first) {
				t.Errorf("%s before %s is %s", first, second, got.ISO())
			}
		}
	}
	for text, unsure := range map[string]bool{"26-11-20 SEK": true, "26/11/20 CNY": true, "26-11-20 EUR": true, "26-03-05": true, "05-03-26 EUR": false, "26.11.20 SEK": false, "45-11-20 SEK": false,
		"26-11-20 2026-12-01": false, "20-11-26 01.12.2026": false, "26-11-26 EUR": false} {
		n, first := NotationOf(pageOf(strings.Fields(text)...)), strings.Fields(text)[0]
		if n.Unsure(first) != unsure {
			t.Errorf("%s is unsure: %v", text, !unsure)
		}
		if day, _ := n.DateAt(wordsOf(first)); unsure && !slices.Contains([]string{day.ISO(), n.OtherDay(first, day.ISO())}, "20"+strings.ReplaceAll(first, "/", "-")) {
			t.Errorf("%s is %s or %s", first, day.ISO(), n.OtherDay(first, day.ISO()))
		}
	}
}
