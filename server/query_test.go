package server_test

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"einvoice/server"

	"github.com/getkin/kin-openapi/openapi3"
)

// Every route below /v1, and the document of the interface, refuses a parameter that it does not
// take, says which one may be meant, and lists all that the OpenAPI document knows of it; the same
// of parts of forms.
func TestUnknownParameters(t *testing.T) {
	s := shared()
	tried := 0
	for _, route := range s.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if !strings.HasPrefix(path, "/v1/") && path != "/openapi.json" {
			continue
		}
		item := document().Paths.Find(path)
		if item == nil {
			t.Errorf("%s: the OpenAPI document does not know it", route)
			continue
		}
		op := item.GetOperation(method)
		known := map[string]bool{}
		concrete := path
		for _, p := range slices.Concat(item.Parameters, op.Parameters) {
			switch of := p.Value; of.In {
			case openapi3.ParameterInQuery:
				known[of.Name] = true
			case openapi3.ParameterInPath:
				value, _ := of.Example.(string)
				if all := of.Schema.Value.Enum; len(all) > 0 {
					value, _ = all[0].(string)
				}
				concrete = strings.ReplaceAll(concrete, "{"+of.Name+"}", value)
			}
		}
		refused := func(what, contentType string, body []byte, query string) string {
			r := s.request(t, method, concrete+"?"+query, bytes.NewReader(body), "Content-Type", contentType)
			a := s.do(t, r)
			var p server.Problem
			if a.decode(t, &p); a.StatusCode != http.StatusBadRequest || p.ErrorCode != "QUERY-INVALID" && p.ErrorCode != "OPTION-INVALID" {
				t.Errorf("%s with %s: %d %s", route, what, a.StatusCode, a.body)
			}
			tried++
			return p.Detail
		}
		lists := func(detail, what string, names []string) {
			for _, name := range names {
				if !strings.Contains(detail, name) {
					t.Errorf("%s with %s does not name %s: %s", route, what, name, detail)
				}
			}
		}
		contentType, body := "application/json", []byte(smallest(t))
		var fields []string
		if form := formOfOperation(op); form != nil && !strings.HasPrefix(path, "/v1/bulk") {
			fields = slices.Sorted(maps.Keys(form.Schema.Value.Properties))
			contentType, body = archiveForm(t, goodParts(t, fields)...)
		}
		unknown := refused("an unknown parameter", contentType, body, "qqqqqqqqqqqqqqqqqqqq=1")
		lists(unknown, "an unknown parameter", slices.Sorted(maps.Keys(known)))
		for name := range known {
			if near := refused("a misspelt "+name, contentType, body, name[:len(name)-1]+"_=1"); !strings.Contains(near, `Did you mean "`) || !strings.Contains(near, name) {
				t.Errorf("%s: a misspelt %s is answered by: %s", route, name, near)
			}
		}
		if fields != nil {
			contentType, body = archiveForm(t, append(goodParts(t, fields), "qqqqqqqqqqqqqqqqqqqq", "1")...)
			lists(refused("an unknown part", contentType, body, ""), "an unknown part", fields)
		}
	}
	if tried < 100 {
		t.Errorf("only %d requests were tried", tried)
	}
}

func formOfOperation(op *openapi3.Operation) *openapi3.MediaType {
	if op.RequestBody == nil {
		return nil
	}
	return op.RequestBody.Value.Content["multipart/form-data"]
}

// goodParts are the parts with documents that a form has to have.
func goodParts(t *testing.T, fields []string) (parts []string) {
	t.Helper()
	for _, name := range []string{"file", "pdf", "xml"} {
		if slices.Contains(fields, name) && (name != "file" || !slices.Contains(fields, "pdf")) {
			parts = append(parts, name, string(sample(t, "cii-valid.xml")))
		}
	}
	return parts
}
