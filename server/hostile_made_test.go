package server_test

import (
	"strings"
	"testing"

	"einvoice/model/sampled"
	"einvoice/server"
)

// TestHostileRequests are small to send and costly to read.
func TestHostileRequests(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 8 << 20 })
	invoice := func(inside string) string { return `{"invoice": {` + inside + `}}` }
	ubl := string(sample(t, "ubl-valid.xml"))
	tooMany := `"unknwon": 1,`
	for i, c := range []struct {
		name, path, body string
		status           int
		code             string
	}{
		{"deep objects", "/v1/create/ubl", strings.Repeat(`{"a":`, 1_000_000), 400, "REQUEST-INVALID"},
		{"deep arrays", "/v1/create/ubl", strings.Repeat("[", 4_000_000), 400, "REQUEST-INVALID"},
		{"many values", "/v1/create/ubl", invoice(`"x": [` + strings.Repeat("0,", 3_500_000) + "0]"), 400, "REQUEST-INVALID"},
		{"many lines", "/v1/create/ubl", invoice(`"lines": [` + strings.Repeat("{},", 900_000) + "{}]"), 400, "REQUEST-INVALID"},
		{"lines that are allowed", "/v1/create/ubl", invoice(`"lines": [` + strings.Repeat("{},", 50_000) + "{}]"), 400, "VALIDATION-FAILED"},
		{"many unknown members", "/v1/create/ubl", invoice(strings.Repeat(tooMany, 400_000) + `"number": "1"`), 400, "REQUEST-INVALID"},
		{"a long name", "/v1/create/ubl", invoice(`"` + strings.Repeat("x", 7<<20) + `": 1`), 400, "REQUEST-INVALID"},
		{"a long number", "/v1/create/ubl", invoice(`"totals": {"paidAmount": ` + strings.Repeat("9", 7<<20) + `}`), 400, "REQUEST-INVALID"},
		{"a long number for a text", "/v1/create/ubl", invoice(`"number": ` + strings.Repeat("9", 7<<20)), 400, "REQUEST-INVALID"},
		{"many unknown elements", toCII, strings.Replace(ubl, "<cbc:InvoiceTypeCode>", strings.Repeat("<x/>", 200_000)+"<cbc:InvoiceTypeCode>", 1), 200, ""},
		{"many unknown elements apart", toCII, strings.Replace(ubl, "<cac:InvoiceLine>", "<cac:InvoiceLine>"+strings.Repeat("<x>a</x>", 50_000), 1), 200, ""},
		{"many lines to convert", toCII, emptyLines(t, 100_000, ""), 422, "XML-LIMIT"},
	} {
		if !sampled.Takes(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			kind := "application/xml"
			if strings.HasPrefix(c.path, "/v1/create/") {
				kind = "application/json"
			}
			a := s.send(t, c.path, kind, c.body)
			a.wants(t, c.status, c.code)
			if len(a.body) > 1<<20 {
				t.Errorf("the answer has %d bytes", len(a.body))
			}
		})
	}
	eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
}
