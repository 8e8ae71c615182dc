package formats_test

import (
	"encoding/json"
	"testing"

	"einvoice/model"
)

func asJSON(t *testing.T, invoice *model.Invoice) string {
	t.Helper()
	b, err := json.Marshal(invoice)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
