package server_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/model/sampled"
	"einvoice/server"
)

// hostileContexts select so much, or so slowly, that no processor would come to an end.
var hostileContexts = map[string]string{
	"counts within counts":     "//*[count(//*[count(//*)>0])>0]",
	"everything 3,000 times":   strings.TrimSuffix(strings.Repeat("//* | ", 3000), " | "),
	"everything of everything": "//*//*//*//*//*//*",
	"texts of everything":      "//*[string(//*) = string(..)]",
}

// A rule that would take for ever is refused when it is loaded, or is one finding that says
// so, within the time of a request; and a client that goes away takes its work with it.
func TestHostileRules(t *testing.T) {
	document := strings.Replace(string(companyInvoice(t)), "<cac:InvoiceLine>", strings.Repeat("<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>", 10_000)+"<cac:InvoiceLine>", 1)
	for i, name := range slices.Sorted(maps.Keys(hostileContexts)) {
		if !sampled.Takes(i, 2) {
			continue
		}
		context := hostileContexts[name]
		t.Run(name, func(t *testing.T) {
			e := newEdits(t)
			e.write("company/1/orders.yaml", strings.NewReplacer("LEVEL", "fatal", "ASSERT", "true", "MESSAGE", "m",
				"context: /invoice", "context: '"+context+"'", "fields: [purchaseOrderReference]", "fields: []").Replace(withoutExamples(companyRules)))
			config := server.DefaultConfig()
			config.RulesetsDir, config.RequestTimeout, config.Rate = e.dir, 5*time.Second, 0
			if _, err := server.New(config, slog.New(slog.DiscardHandler)); err != nil {
				t.Logf("refused when loaded: %.200v", err)
				return
			}
			s := start(t, func(c *server.Config) { *c = config })
			began := time.Now()
			a := s.raw(t, "ubl", "application/xml", strings.NewReader(document))
			t.Logf("%d after %s: %.200s", a.StatusCode, time.Since(began).Round(time.Millisecond), a.body)
			switch a.StatusCode {
			case http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusServiceUnavailable:
			default:
				t.Errorf("got %d %.300s", a.StatusCode, a.body)
			}
			goneClient(t, s, document)
			eventually(t, "its work ends with the client", func() bool { return s.Buffered() == 0 })
		})
	}
}

// withoutExamples takes the examples out of rules, which would be run when they are loaded.
func withoutExamples(rules string) string {
	head, _, _ := strings.Cut(rules, "    examples:")
	return head
}

// goneClient sends a document and goes away.
func goneClient(t *testing.T, s *testServer, document string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	r := s.request(t, http.MethodPost, "/v1/validate/ubl", bytes.NewReader([]byte(document)), "Content-Type", "application/xml").WithContext(ctx)
	res, err := http.DefaultClient.Do(r)
	if err == nil {
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	} else if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
