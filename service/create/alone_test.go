package create_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/formats/jsoninvoice"
	"einvoice/model/sampled"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
)

// An invoice without the request around it is told as that, once, whatever it has.
func TestInvoiceAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 6))
	members := map[string]any{
		"number": "1", "issueDate": "2026-11-20", "currencyCode": "EUR", "seller": map[string]any{"name": "Reed Ltd"}, "buyer": map[string]any{},
		"lines": []any{map[string]any{"netAmount": 1}}, "totals": map[string]any{"amountDueForPayment": 1}, "vatBreakdowns": []any{}, "paymentDueDate": "2026-12-20",
	}
	for range sampled.Of(60, 4) {
		alone := map[string]any{}
		for name, value := range members {
			if r.IntN(2) == 0 {
				alone[name] = value
			}
		}
		data, err := json.Marshal(alone)
		if err != nil {
			t.Fatal(err)
		}
		_, plain := create.ReadRequest(t.Context(), data)
		_, checked := create.ReadRequestFor(t.Context(), kittest.Kit(t).Pages, "ubl", data)
		for _, err := range []error{plain, checked} {
			if e, is := errors.AsType[*jsoninvoice.Error](err); !is || len(e.Mistakes) != 1 || !strings.Contains(e.Mistakes[0].Message, `has no member "invoice"`) {
				t.Errorf("%s: %v", data, err)
			}
		}
	}
}
