package server_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
	"einvoice/server"
	"einvoice/server/docs"
	"einvoice/server/refusal"
	"einvoice/service/create"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestOpenAPIIsValid(t *testing.T) {
	doc := document()
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	if doc.OpenAPI != "3.0.3" || doc.Info.Version != server.Version || server.Version != "1.0.0" {
		t.Errorf("got OpenAPI %s, version %s", doc.OpenAPI, doc.Info.Version)
	}
}

// What is handed out is valid too, and has one media type for each body and answer, which
// is what generators of clients can make something of. Bodies are JSON or forms, which all of
// them send.
func TestOpenAPIForClients(t *testing.T) {
	data, err := docs.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			var form *openapi3.MediaType
			if op.RequestBody != nil {
				content := op.RequestBody.Value.Content
				if form = content["multipart/form-data"]; len(content) != 1 || form == nil && content["application/json"] == nil {
					t.Errorf("%s %s takes %v", method, path, slices.Sorted(maps.Keys(content)))
				}
			}
			for status, answer := range op.Responses.Map() {
				if of := answer.Value.Content; status >= "400" && of["application/problem+json"] == nil && of["application/json"] == nil {
					t.Errorf("%s %s answers %s by no problem", method, path, status)
				}
				if len(answer.Value.Content) != 1 && status != "304" {
					t.Errorf("%s %s answers %s in %d media types", method, path, status, len(answer.Value.Content))
				}
			}
			for _, p := range op.Parameters {
				if form != nil && p.Value.In == "query" && form.Schema.Value.Properties[p.Value.Name] != nil {
					t.Errorf("%s %s takes %s in the form and in the query", method, path, p.Value.Name)
				}
			}
		}
	}
}

// The objects of answers are closed, so that a member that nobody described fails the tests of its answer. These are not:
// what other problems extend, what the model fills, and what is described elsewhere.
func TestAnswersAreClosed(t *testing.T) {
	data, err := docs.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct{ Schemas, Responses map[string]any }
		Paths      map[string]map[string]map[string]any
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var open []string
	var walk func(at string, of any)
	walk = func(at string, of any) {
		switch of := of.(type) {
		case map[string]any:
			if of["type"] == "object" && of["additionalProperties"] == nil {
				open = append(open, at)
				return
			}
			for name, of := range of {
				walk(at+"/"+name, of)
			}
		case []any:
			for _, of := range of {
				walk(at, of)
			}
		}
	}
	for name, schema := range doc.Components.Schemas {
		walk(name, schema)
	}
	for name, answer := range doc.Components.Responses {
		walk(name, answer)
	}
	for path, methods := range doc.Paths {
		for _, operation := range methods {
			walk(path, operation["responses"])
		}
	}
	for i, at := range open {
		open[i], _, _ = strings.Cut(at, "/200/")
	}
	slices.Sort(open)
	if want := []string{"/openapi.json", "InvoiceDocument", "ProblemDetails", "RulesetInfo", "Sarif"}; !slices.Equal(open, want) {
		t.Errorf("these objects are open: %v, and these may be: %v", open, want)
	}
}

// Whatever people read in the two documents is whole: no text is empty, or is what a program
// prints by mistake.
func TestOpenAPIReads(t *testing.T) {
	handedOut, err := docs.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := server.WholeOpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, data := range [][]byte{handedOut, whole} {
		var doc any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		var walk func(at string, v any)
		walk = func(at string, v any) {
			switch v := v.(type) {
			case []any:
				for i := range v {
					walk(at, v[i])
				}
			case map[string]any:
				for name, value := range v {
					walk(at+"/"+name, value)
					text, ok := value.(string)
					if !ok || name != "description" && name != "summary" && name != "title" {
						continue
					}
					texts++
					if strings.TrimSpace(text) == "" || misprinted.MatchString(text) {
						t.Errorf("%s/%s is %q", at, name, text)
					}
				}
			}
		}
		walk("", doc)
	}
	if texts < 1000 {
		t.Errorf("%d texts were read", texts)
	}
}

// misprinted is what is printed for values that are missing, and doubled words and stops.
var misprinted = regexp.MustCompile(`%!|<nil>|<no value>|\bundefined\b|\?\.|[a-z]\.\.($|\s)|\b(the the|a a|of of|is is)\b`)

func TestOpenAPIKnowsEveryRoute(t *testing.T) {
	described := []string{}
	for path, item := range document().Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	slices.Sort(described)
	served := shared().Routes()
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described %q, served %q", described, served)
	}
}

func TestOpenAPIKnowsEveryErrorCode(t *testing.T) {
	schema := document().Components.Schemas["ErrorCode"].Value
	if len(schema.Enum) != len(refusal.Codes) {
		t.Errorf("%d codes described, %d known", len(schema.Enum), len(refusal.Codes))
	}
	seen := map[string]bool{}
	for _, c := range refusal.Codes {
		if seen[c.Code] {
			t.Errorf("%s is there twice", c.Code)
		}
		seen[c.Code] = true
		if !slices.Contains(schema.Enum, any(c.Code)) || !strings.Contains(schema.Description, "`"+c.Code+"`") {
			t.Errorf("%s is not described", c.Code)
		}
		if c.Status < 400 || http.StatusText(c.Status) == "" || c.Title == "" || c.Meaning == "" {
			t.Errorf("%s is incomplete", c.Code)
		}
	}
}

func TestGetOpenAPI(t *testing.T) {
	a := shared().get(t, "/openapi.json")
	a.wants(t, http.StatusOK, "")
	want, err := docs.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(a.body) || string(a.body) != string(want) {
		t.Errorf("got %.200s", a.body)
	}
}

// The document with every form takes what create takes, whatever the term, and that with texts
// has no number in a request; there are no other forms.
func TestGetOpenAPIForms(t *testing.T) {
	for _, forms := range docs.Forms() {
		a := shared().get(t, "/openapi.json?forms="+forms)
		a.wants(t, http.StatusOK, "")
		doc, err := openapi3.NewLoader().LoadFromData(a.body)
		if err != nil {
			t.Fatal(err)
		}
		if err := doc.Validate(t.Context()); err != nil {
			t.Errorf("%s: %v", forms, err)
		}
		request := doc.Components.Schemas["CreateInvoiceRequest"].Value
		takes := func(member string, value any) bool {
			return request.VisitJSON(map[string]any{"invoice": map[string]any{"number": "1", member: value}}) == nil
		}
		tried := 0
		for _, f := range model.InvoiceType().Fields {
			for _, value := range []any{1.5, "1.5", float64(380), "380", true, "true", nil, map[string]any{}, []any{}, "x"} {
				text, err := json.Marshal(map[string]any{"invoice": map[string]any{"number": "1", f.Name: value}})
				if err != nil {
					t.Fatal(err)
				}
				_, err = create.ReadRequest(t.Context(), text)
				if f.Name == "number" || f.Kind == model.KindDate || f.Kind == model.KindBinary || err != nil && forms == "all" && f.Kind == model.KindText && f.Class != model.ClassIndicator {
					continue // what a text may say is not for its schema
				}
				tried++
				switch taken := takes(f.Name, value); {
				case forms == "all" && taken != (err == nil):
					t.Errorf("%s: %v is taken: %v, and create says %v", f.Name, value, taken, err)
				case forms == "text" && (f.Kind == model.KindNumber || f.Kind == model.KindAmount) && taken != (value == "1.5" || value == "380" || value == nil):
					t.Errorf("%s: %v is taken as a text: %v", f.Name, value, taken)
				}
			}
		}
		if tried < 100 {
			t.Errorf("%s: only %d values were tried", forms, tried)
		}
		var whole any
		if err := json.Unmarshal(create.Example, &whole); err != nil {
			t.Fatal(err)
		}
		if err := request.VisitJSON(whole); forms == "all" && err != nil {
			t.Errorf("the example is refused: %v", err)
		}
	}
	for _, query := range []string{"forms=some", "forms=all&forms=all", "form=all", "forms=all&x=1", "forms=%"} {
		shared().get(t, "/openapi.json?"+query).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	}
}

func TestGetDocs(t *testing.T) {
	a := shared().get(t, "/docs")
	page := string(a.body)
	for path := range document().Paths.Map() {
		if !strings.Contains(page, path) {
			t.Errorf("the page does not mention %s", path)
		}
	}
	for _, c := range refusal.Codes {
		if !strings.Contains(page, c.Code) {
			t.Errorf("the page does not mention %s", c.Code)
		}
	}
	before, _, _ := strings.Cut(page, "<script>") // TestDocsPage looks at the script
	loadsNothing(t, before)
}

// loadsNothing fails if a page would ask for anything or run anything.
func loadsNothing(t *testing.T, page string) {
	t.Helper()
	for _, bad := range []string{"<script", " src=", "<link", "@import", "url(", "<img", "<iframe", "onload"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// The members that the contract requires of groups are required, and those that it says may be
// null are nullable, in every form of the document.
func TestContractMembers(t *testing.T) {
	for _, forms := range append(docs.Forms(), "") {
		data, err := docs.OpenAPIWith(forms)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi3.NewLoader().LoadFromData(data)
		if err != nil {
			t.Fatal(err)
		}
		for group, members := range map[string]struct{ required, nullable []string }{
			"BuyerContact":           {nil, []string{"name", "phone", "email"}},
			"BuyerElectronicAddress": {[]string{"identifier", "schemeId"}, []string{"schemeId"}},
			"BuyerIdentifier":        {[]string{"identifier", "schemeId"}, []string{"schemeId"}},
			"BuyerLegalRegistration": {[]string{"identifier", "schemeId"}, []string{"schemeId"}},
		} {
			schema := doc.Components.Schemas[group].Value
			if !slices.Equal(schema.Required, members.required) {
				t.Errorf("forms %q: %s requires %v", forms, group, schema.Required)
			}
			for _, name := range members.nullable {
				if err := schema.Properties[name].Value.VisitJSON(nil); err != nil {
					t.Errorf("forms %q: %s.%s may not be null: %v", forms, group, name, err)
				}
			}
		}
	}
}
