package compute_test

import (
	"encoding/json"
	"testing"

	"einvoice/model"
	"einvoice/model/compute"
)

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ name, invoice, want string }{
		{"nothing", `{}`, `null`},
		{"a line", `{"lines":[{"invoicedQuantity":3,"price":{"netPrice":95},"netAmount":200}]}`, `[{"Field":"lines[0].netAmount","BT":"BT-131","Given":"200","Computed":"285.00"}]`},
		{"a line that agrees", `{"lines":[{"invoicedQuantity":3,"price":{"netPrice":"9.999"},"netAmount":30}]}`, `null`},
		{"base quantity, allowance, charge", `{"lines":[{"invoicedQuantity":250,"price":{"netPrice":"4.15","baseQuantity":100},"allowances":[{"amount":1}],"charges":[{"amount":"0.5"}],"netAmount":"9.88"}]}`, `null`},
		{"no quantity", `{"lines":[{"price":{"netPrice":95},"netAmount":200}]}`, `null`},
		{"a sub line", `{"lines":[{"subLines":[{"invoicedQuantity":1,"price":{"netPrice":1},"netAmount":2}]}]}`, `[{"Field":"lines[0].subLines[0].netAmount","BT":"BT-131","Given":"2","Computed":"1.00"}]`},
		{"allowance of a line", `{"lines":[{"allowances":[{"baseAmount":50,"percentage":10,"amount":4}]}]}`, `[{"Field":"lines[0].allowances[0].amount","BT":"BT-136","Given":"4","Computed":"5.00"}]`},
		{"charge of the document", `{"charges":[{"baseAmount":50,"percentage":10,"amount":"5.01"}]}`, `[{"Field":"charges[0].amount","BT":"BT-99","Given":"5.01","Computed":"5.00"}]`},
		{"a percentage of the usual base", `{"lines":[{"netAmount":50,"vat":{"categoryCode":"S","rate":19}},{"netAmount":7,"vat":{"categoryCode":"S","rate":7}}],"allowances":[{"percentage":10,"amount":"5.70","vat":{"categoryCode":"S","rate":19}}]}`, `[{"Field":"allowances[0].amount","BT":"BT-92","Given":"5.70","Computed":"5.00"}]`},
		{"a gross price less its discount", `{"lines":[{"price":{"grossPrice":10,"discount":1,"netPrice":"9.50"}}]}`, `[{"Field":"lines[0].price.netPrice","BT":"BT-146","Given":"9.50","Computed":"9"}]`},
		{"a price with more digits than an amount", `{"lines":[{"price":{"grossPrice":"1.2345","discount":"0.0005","netPrice":"1.234"}}]}`, `null`},
		{"tax", `{"vatBreakdowns":[{"categoryCode":"S","rate":19,"taxableAmount":285,"taxAmount":"53.20"}]}`, `[{"Field":"vatBreakdowns[0].taxAmount","BT":"BT-117","Given":"53.20","Computed":"54.15"}]`},
		{"taxable amount", `{"lines":[{"netAmount":10,"vat":{"categoryCode":"S","rate":10}}],"vatBreakdowns":[{"categoryCode":"S","rate":10,"taxableAmount":"10.50","taxAmount":"1.05"}]}`, `[{"Field":"vatBreakdowns[0].taxableAmount","BT":"BT-116","Given":"10.50","Computed":"10.00"}]`},
	} {
		inv := &model.Invoice{}
		if err := json.Unmarshal([]byte(c.invoice), inv); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(compute.Differences(inv, compute.Options{}))
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
