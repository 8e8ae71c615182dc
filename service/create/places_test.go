package create_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"
)

// However means of payment and identifiers are mixed, a finding names the entry of the request
// that has the fault, and names it once.
func TestFindingsNameEntriesOfTheRequest(t *testing.T) {
	pages := create.NoPages{Service: kittest.Kit(t).Pages.Rules()}
	random := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		var identifiers, means []any
		wrongIdentifier, wrongMeans := random.IntN(4), random.IntN(3)
		for i := range 4 {
			identifier := map[string]any{"identifier": fmt.Sprint("I", i)}
			if i == wrongIdentifier {
				identifier["schemeId"] = "9999"
			} else if random.IntN(2) == 0 {
				identifier["schemeId"] = "0088"
			}
			identifiers = append(identifiers, identifier)
		}
		for i := range 3 {
			entry := map[string]any{"typeCode": "58", "text": "by bank"}
			if i == wrongMeans {
				entry["typeCode"] = "XX"
			}
			var accounts []any
			for j := range random.IntN(4) {
				accounts = append(accounts, map[string]any{"accountIdentifier": fmt.Sprint("A", i, j)})
			}
			if accounts != nil {
				entry["creditTransfers"] = accounts
			}
			means = append(means, entry)
		}
		for _, format := range []string{"ubl", "cii", "facturx"} {
			var request map[string]any
			if err := json.Unmarshal(smallest(t, nil), &request); err != nil {
				t.Fatal(err)
			}
			set(request, []string{"invoice", "seller", "identifiers"}, identifiers)
			set(request, []string{"invoice", "paymentInstructions"}, map[string]any{"means": means})
			data, _ := json.Marshal(request)
			r, err := create.ReadRequest(t.Context(), data)
			if err != nil {
				t.Fatal(err)
			}
			_, err = create.Document(t.Context(), pages, format, r)
			refused, ok := errors.AsType[*write.Refused](err)
			if !ok {
				t.Fatalf("%s of %s: %v", format, data, err)
			}
			named := map[string][]string{}
			for _, f := range refused.Report.Findings {
				named[f.Rule] = append(named[f.Rule], f.Fields...)
			}
			if got, want := named["BR-CL-10"], fmt.Sprintf("seller.identifiers[%d].schemeId", wrongIdentifier); !slices.Equal(got, []string{want}) {
				t.Errorf("%s of %s: BR-CL-10 names %q, want %s", format, data, got, want)
			}
			if got, want := named["BR-CL-16"], fmt.Sprintf("paymentInstructions.means[%d].typeCode", wrongMeans); !slices.Equal(got, []string{want}) {
				t.Errorf("%s of %s: BR-CL-16 names %q, want %s", format, data, got, want)
			}
			if named["UBL-SR-46"] != nil {
				t.Errorf("%s of %s: the one text is there several times", format, data)
			}
		}
	}
}
