package compute_test

import (
	"math/rand/v2"
	"testing"

	"einvoice/model"
	"einvoice/model/compute"
)

// Whatever is in the breakdown, of a category that is not charged: its rate is 0 whether the
// invoice says so or not, and each category has one entry, with both amounts.
func TestRatesOfWhatIsNotCharged(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	categories := []string{"Z", "E", "AE", "K", "G"}
	for range 500 {
		inv := &model.Invoice{}
		used := map[string]bool{}
		vat := func(group model.Object) {
			category := categories[random.IntN(len(categories))]
			used[category] = true
			for name, value := range map[string]string{"categoryCode": category, "rate": "0"} {
				if field, _ := group.Type.Field(name); name == "categoryCode" || random.IntN(2) == 0 {
					group.Set(field, value)
				}
			}
		}
		invoice := model.ObjectOf(inv)
		for i := range invoice.Type.Fields {
			list := &invoice.Type.Fields[i]
			if list.Kind != model.KindList {
				continue
			}
			vatField, ok := list.Elem.Field("vat")
			if !ok {
				continue
			}
			for range random.IntN(3) {
				entry := invoice.AppendGroup(list)
				vat(entry.EnsureGroup(vatField))
				if amount, ok := entry.Type.Field("amount"); ok {
					entry.Set(amount, "10")
				} else if amount, ok := entry.Type.Field("netAmount"); ok {
					entry.Set(amount, "100")
				}
			}
		}
		compute.Complete(inv, compute.Options{})
		if len(inv.VatBreakdowns) != len(used) {
			t.Fatalf("%d entries for the categories %v: %+v", len(inv.VatBreakdowns), used, inv.VatBreakdowns)
		}
		for i := range inv.VatBreakdowns {
			b := &inv.VatBreakdowns[i]
			if !b.Rate.Valid || b.Rate.Value.Sign() != 0 || !b.TaxableAmount.Valid || !b.TaxAmount.Valid {
				t.Fatalf("an entry lacks something: %+v", b)
			}
		}
	}
}
