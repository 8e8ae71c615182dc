package ranker_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/ranker"
	"einvoice/formats/pdf/text"
)

func pages(rows ...string) *candidate.Pages {
	return candidate.Of([]text.Sheet{drawn.Sheet(rows...)})
}

// The model has weights for each field that is ranked, and for no other.
func TestFieldsOfTheModel(t *testing.T) {
	m := ranker.Trained()
	for field := range ranker.KindOf {
		if len(m.Fields[field]) < 10 {
			t.Errorf("%s has %d weights", field, len(m.Fields[field]))
		}
	}
	for field := range m.Fields {
		if ranker.KindOf[field] == "" {
			t.Errorf("%s has weights and is not ranked", field)
		}
	}
}

// On a plain page, each value fits its field better than the others of its kind, and what stands
// in its place without being it does not.
func TestFit(t *testing.T) {
	r := ranker.Trained().Rank(pages(
		"60|50 Harbour Paper Ltd", "74|50 4 Quay Street", "88|50 Bristol BS1 4DJ",
		"140|50 Arndt Flowers Ltd", "154|50 2 Market Lane", "168|50 Leeds LS1 3AB",
		"220|50 Invoice", "240|50 Invoice number:|200 R-2026-17", "254|50 Invoice date:|200 20 November 2026",
		"268|50 Order date:|200 2 October 2026", "282|50 Due date:|200 4 December 2026", "296|50 Customer number:|200 K-4471",
		"340|50 Description|>300 Quantity|>400 Unit price|>520 Amount", "356|50 Paper|>300 2|>400 50.00|>520 100.00",
		"400|300 Net total|>520 100.00", "414|300 VAT 20 %|>520 20.00", "428|300 Total|>520 120.00",
	))
	for _, c := range []struct{ field, value, other string }{
		{"/issueDate", "2026-11-20", "2026-10-02"},
		{"/paymentDueDate", "2026-12-04", "2026-11-20"},
		{"/number", "R-2026-17", "K-4471"},
		{"/totals/totalAmountWithoutVat", "100.00", "120.00"},
		{"/totals/taxTotalAmount", "20.00", "100.00"},
		{"/totals/totalAmountWithVat", "120.00", "100.00"},
		{"/seller/name", "Harbour Paper Ltd", "Arndt Flowers Ltd"},
		{"/buyer/name", "Arndt Flowers Ltd", "Harbour Paper Ltd"},
	} {
		if own, rival := r.Fit(c.field, c.value); own <= rival {
			t.Errorf("%s: %s has %.1f, another candidate %.1f", c.field, c.value, own, rival)
		}
		if own, rival := r.Fit(c.field, c.other); own >= rival {
			t.Errorf("%s: %s has %.1f, no other more than %.1f", c.field, c.other, own, rival)
		}
	}
	if own, _ := r.Fit("/issueDate", "2026-11-21"); own != ranker.Absent {
		t.Errorf("a day that is not printed has %.1f", own)
	}
}

// A value may be a part of what is printed, or have more words than a candidate.
func TestFitOfParts(t *testing.T) {
	r := ranker.Trained().Rank(pages("60|50 Ms Erika Arndt", "90|50 Invoice no. 2026 0471 118"))
	for field, value := range map[string]string{"/buyer/name": "Erika Arndt", "/number": "0471118"} {
		if own, _ := r.Fit(field, value); own == ranker.Absent {
			t.Errorf("%s: %s is no candidate", field, value)
		}
	}
}

// What is looked at grows with the words of a page, however they are set: in one row, in rows at one place, with
// labels or numbers alone.
func TestFeaturesGrowWithWords(t *testing.T) {
	makers := map[string]func(n int) []string{
		"labels in one row": func(n int) []string {
			return []string{"60|50 " + strings.Repeat("Datum: 01.02.2026 Total: 12,00 ", n)}
		},
		"cells in one row": func(n int) []string {
			row := "60"
			for i := range n {
				row += fmt.Sprintf("|%d Datum: 01.02.2026", 50+200*i)
			}
			return []string{row, strings.Replace(row, "60", "72", 1)}
		},
		"rows at nearly one place": func(n int) (rows []string) {
			for i := range n {
				rows = append(rows, fmt.Sprintf("%d|50 Total %d,00 01.02.2026", 60+5*i, i))
			}
			return rows
		},
		"amounts": func(n int) (rows []string) {
			for i := range n {
				rows = append(rows, fmt.Sprintf("%d|50 %d,17 %d %%", 60+12*i, i, i%30))
			}
			return rows
		},
	}
	for name, make := range makers {
		count := func(n int) (features int) {
			ranker.Candidates(pages(make(n)...), nil, func(c ranker.Candidate) { features += len(c.Features) })
			return features
		}
		if small, large := count(200), count(400); small == 0 || 10*large > 22*small {
			t.Errorf("%s: %d features, and %d of twice as many words", name, small, large)
		}
	}
}
