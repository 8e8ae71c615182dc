package parse_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model"
)

// Whatever total or day of an attached invoice is exchanged for another one that the same page
// shows, the page contradicts it; and it contradicts nothing that it shows.
func TestForgedWithWhatThePageShows(t *testing.T) {
	t.Parallel()
	forged := 0
	for i, f := range Families() {
		if !*whole && i%4 > 0 {
			continue
		}
		for _, lang := range languagesOf(i, 1) {
			made, err := Make(f, lang, uint64(40+i))
			if err != nil {
				t.Fatal(err)
			}
			r, err := parse.PDF(t.Context(), made.PDF, parse.Limits{})
			if err != nil {
				continue
			}
			if found, err := r.Compare(r.Invoice); err != nil || len(found) > 0 {
				t.Errorf("%s %s contradicts itself: %+v, %v", f.Name, lang, found, err)
			}
			for _, pointer := range slices.Sorted(maps.Keys(r.Fields)) {
				forged += forge(t, r, pointer, f.Name+" "+lang)
			}
		}
	}
	if forged < 100 {
		t.Errorf("only %d values were forged", forged)
	}
}

// forge exchanges one value of an invoice for each other one of its kind, and says how often.
func forge(t *testing.T, r *parse.Result, pointer, name string) (times int) {
	t.Helper()
	kindOf := func(pointer string) string {
		switch {
		case strings.HasPrefix(pointer, "/totals/") && pointer != "/totals/roundingAmount" && pointer != "/totals/sumOfAllowances" && pointer != "/totals/sumOfCharges":
			return "total"
		case pointer == "/issueDate" || pointer == "/paymentDueDate":
			return "day"
		case strings.HasSuffix(pointer, "/netAmount"), strings.HasSuffix(pointer, "/actualDeliveryDate"):
			return strings.TrimPrefix(pointer[strings.LastIndex(pointer, "/"):], "/")
		}
		return ""
	}
	of := r.Fields[pointer]
	kind := kindOf(pointer)
	if kind != "total" && kind != "day" || of.Confidence < 0.8 || of.Source == parse.SourceComputed {
		return 0
	}
	like := map[string]string{"netAmount": "total", "actualDeliveryDate": "day"}
	for other, f := range r.Fields {
		isLike := kindOf(other) == kind || like[kindOf(other)] == kind
		isOther := plain(f.Value) != plain(of.Value) && !sameNumber(strings.TrimPrefix(f.Value, "-"), strings.TrimPrefix(of.Value, "-"))
		isOffered := slices.ContainsFunc(of.Alternatives, func(a parse.Alternative) bool { return a.Value == f.Value })
		if !isLike || !isOther || isOffered || f.Source == parse.SourceComputed {
			continue
		}
		times++
		attached := copied(t, r.Invoice)
		put(t, attached, pointer, f.Value)
		found, err := r.Compare(attached)
		if err != nil || len(found) != 1 || found[0].Pointer != pointer {
			t.Errorf("%s: %s is forged from %s to %s of %s, and contradicted are %+v, %v", name, pointer, of.Value, f.Value, other, found, err)
		}
	}
	return times
}

func copied(t *testing.T, from *model.Invoice) *model.Invoice {
	t.Helper()
	to := *from
	if from.Totals != nil {
		totals := *from.Totals
		to.Totals = &totals
	}
	return &to
}

// put sets a total or a day of an invoice.
func put(t *testing.T, in *model.Invoice, pointer, value string) {
	t.Helper()
	o := model.ObjectOf(in)
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range parts {
		f, ok := o.Type.Field(name)
		if !ok {
			t.Fatal(pointer)
		}
		if i == len(parts)-1 {
			o.Set(f, value)
			return
		}
		o = o.EnsureGroup(f)
	}
}
