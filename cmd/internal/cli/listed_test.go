package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// toy tells the number of an invoice.
var toy = &operation.Operation{
	Name: "toy", Words: "Tell the numbers of all documents", Takes: operation.Document,
	To: func() []string { return []string{"number", "numeral"} }, Usual: "number",
	Cost: operation.Cost{PerByte: 6, PerMark: 450},
	Make: func(ctx context.Context, kit *operation.Kit, data []byte, v *operation.Values) (*operation.Result, error) {
		doc := v.Read
		if doc == nil {
			received, err := kit.ReceiveMade(ctx, data)
			if err != nil {
				return nil, err
			}
			doc = received.Document
		}
		number := v.To + " " + doc.Invoice.Number.Raw
		return &operation.Result{Data: []byte(number), MediaType: "text/plain", FileName: "number.txt", Ending: ".txt", Invoice: doc.Invoice}, ctx.Err()
	},
}

// One more entry on the list is offered by the command line, over HTTP, in bulk jobs and in
// the workbench.
func TestOneMoreOperation(t *testing.T) {
	before := operation.All
	operation.All = append(slices.Clone(before), toy)
	t.Cleanup(func() { operation.All = before })
	sample := filepath.Join("..", "..", "einvoice", "samples", "ubl-valid.xml")
	invoice, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}

	var out bytes.Buffer
	root := newRoot(Machines{})
	root.SetArgs([]string{"toy", sample})
	root.SetOut(&out)

	if err := root.ExecuteContext(t.Context()); err != nil || !strings.HasPrefix(out.String(), "number ") {
		t.Errorf("the command line: %q, %v", out.String(), err)
	}
	number := out.String()

	config := server.DefaultConfig()
	config.NoAuth = true
	s, err := server.New(config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/toy/to/number", bytes.NewReader(invoice))
	r.Header.Set("Content-Type", "application/xml")
	r.Host = "127.0.0.1" // without keys, no other is answered
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusOK || w.Body.String() != number {
		t.Errorf("HTTP: %d %q", w.Code, w.Body.String())
	}

	kit, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	asked := bulk.Options{Values: operation.Values{To: "number"}}
	making, err := bulk.NewMaking("toy", kit, asked)
	if err != nil || !slices.Contains(bulk.Operations(), "toy") {
		t.Fatalf("bulk: %v of %v", err, bulk.Operations())
	}
	if _, made, err := making.Do(t.Context(), nil, &bulk.Document{Key: "a.xml", Data: invoice}); err != nil || len(made.Files) != 1 || string(made.Files[0].Data) != number {
		t.Errorf("bulk made %+v, %v", made.Files, err)
	}
	if !strings.Contains(bulkOperationNamed("toy").short, "numbers") {
		t.Error("the command line does not offer it for bulk jobs")
	}

	request, err := json.Marshal(map[string]string{"text": string(invoice), "what": "toy", "to": "number"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := workbench.New(kit, workbench.Config{}).Call(t.Context(), "make", request)
	if made, ok := answer.(*workbench.Made); !ok || string(made.Data) != number || !slices.Contains(workbench.Makes(), "toy") {
		t.Errorf("the workbench: %+v, %v", answer, err)
	}
}
