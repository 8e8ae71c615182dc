package workbench_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"einvoice/model/reserve"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

var errFull = errors.New("full")

// Calls on an invoice in JSON ask for the memory that create takes for it, however often they read
// it, and begin nothing that they get no memory for.

func TestJSONAsksForItsMemory(t *testing.T) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	text := `{"invoice": {"lines": [` + strings.Repeat(`{"item": {"name": "a"}}, `, 500) + `{}]}}`
	more := map[string]map[string]any{
		"make": {"what": "create", "to": "ubl"}, "explain": {"rule": "BR-CO-10"},
		"evaluate": {"kind": "cel", "expression": "true"}, "add": {"path": "buyerReference", "value": "1"},
	}
	want := operation.Named("create").Cost.OfJSON([]byte(text))
	var asking []string
	for _, call := range workbench.Calls() {
		given := map[string]any{"name": "a.json", "text": text}
		maps.Copy(given, more[call])
		request, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		asked := int64(0)
		ctx := reserve.With(t.Context(), func(n int64) error { asked += n; return nil })
		_, _ = workbench.New(s, workbench.Config{}).Call(ctx, call, request) // some take no JSON
		if asked == 0 {
			continue
		}
		asking = append(asking, call)
		if asked < want || asked > want+want/10 {
			t.Errorf("%s asks for %d bytes, not %d", call, asked, want)
		}
		full := reserve.With(t.Context(), func(int64) error { return errFull })
		if _, err := workbench.New(s, workbench.Config{}).Call(full, call, request); err == nil || !strings.Contains(err.Error(), errFull.Error()) {
			t.Errorf("%s without memory: %v", call, err)
		}
	}
	for _, call := range []string{"check", "remedies", "view", "make"} {
		if !slices.Contains(asking, call) {
			t.Errorf("%s reads JSON and asks for nothing", call)
		}
	}
}
