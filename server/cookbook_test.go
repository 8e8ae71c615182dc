package server_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/write"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestCookbook creates each invoice of docs/cookbook.md in every format, as the page says.
func TestCookbook(t *testing.T) {
	data, err := os.ReadFile("../docs/cookbook.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(data), "\n## ")[1:]
	frame := blocks(sections[0], "json")[0]
	exceptions := rowsOf(t, sections[len(sections)-1])
	kinds := 0
	for _, section := range sections[1 : len(sections)-1] {
		title, _, _ := strings.Cut(section, "\n")
		kinds++
		t.Run(title, func(t *testing.T) {
			recipe := recipe{frame: frame, patch: blocks(section, "json")[0], due: valueOf(t, section, "Due: ")}
			recipe.loses = strings.Contains(section, "`losses`")
			for _, format := range catalogue.ToCreate() {
				how := exceptions[title][format]
				delete(exceptions[title], format)
				recipe.isCreated(t, format, how)
			}
		})
		if len(exceptions[title]) == 0 {
			delete(exceptions, title)
		}
	}
	if kinds != 20 {
		t.Errorf("the page has %d kinds and says twenty", kinds)
	}
	if len(exceptions) > 0 {
		t.Errorf("the table of formats names what the page does not have: %v", slices.Collect(maps.Keys(exceptions)))
	}
}

// A recipe is an invoice of the page.
type recipe struct {
	frame, patch, due string
	loses             bool
}

// isCreated creates the invoice in a format. how is what the table says of it there; as it
// is without a row.
func (r recipe) isCreated(t *testing.T, format, how string) {
	t.Helper()
	request := r.request(t)
	if how != "" && how != "as it is" {
		if !strings.HasPrefix(how, "refused") {
			shared().create(t, format, encoded(t, request)).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
		}
		options, _ := request["options"].(map[string]any)
		options["profile"] = strings.Trim(how, "`")
		if how == "without `profile`" || strings.HasPrefix(how, "refused") {
			delete(options, "profile")
		}
	}
	a := shared().create(t, format, encoded(t, request), "Accept", "application/json")
	if rule, refused := strings.CutPrefix(how, "refused: "); refused {
		p := a.wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
		if len(p.Findings) != 1 || p.Findings[0].Rule != strings.Trim(rule, "`") {
			t.Errorf("%s: refused otherwise: %s", format, a.body)
		}
		return
	}
	made := a.made(t)
	for _, f := range made.Findings {
		if f.Level == engine.Fatal {
			t.Errorf("%s: %+v", format, f)
		}
	}
	if made.Lost > 0 && (!r.loses || how == "without `profile`") {
		t.Errorf("%s lacks %+v", format, made.Losses)
	}
	r.isDue(t, format, a)
}

// isDue reads the document back and compares the amount that is due.
func (r recipe) isDue(t *testing.T, format string, a *answer) {
	t.Helper()
	var made struct {
		Document  string
		MediaType string
	}
	a.decode(t, &made)
	document := []byte(made.Document)
	if made.MediaType == write.MediaTypePDF {
		var err error
		if document, err = base64.StdEncoding.DecodeString(made.Document); err != nil {
			t.Fatal(err)
		}
	}
	body, contentType := form(t, document)
	read := shared().do(t, shared().request(t, http.MethodPost, "/v1/extract/json", body, "Content-Type", contentType))
	read.wants(t, http.StatusOK, "")
	var invoice model.Invoice
	read.decode(t, &invoice)
	if due := invoice.Totals.AmountDueForPayment.Raw; due != r.due {
		t.Errorf("%s: the amount due is %s, the page says %s", format, due, r.due)
	}
}

// request is the recipe over the frame, as the page says: objects are merged.
func (r recipe) request(t *testing.T) map[string]any {
	t.Helper()
	request := r.merged(t)
	schema := document().Components.Schemas["CreateInvoiceRequest"].Value
	if err := schema.VisitJSON(request, openapi3.MultiErrors()); err != nil {
		t.Errorf("a gateway that holds requests against the OpenAPI document refuses it: %v", err)
	}
	return request
}

func (r recipe) merged(t *testing.T) map[string]any {
	t.Helper()
	var request, patch map[string]any
	for text, into := range map[string]*map[string]any{r.frame: &request, r.patch: &patch} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	merge(request, patch)
	return request
}

func merge(into, patch map[string]any) {
	for name, value := range patch {
		inner, isObject := value.(map[string]any)
		if have, ok := into[name].(map[string]any); ok && isObject {
			merge(have, inner)
			continue
		}
		if into[name] = value; value == nil {
			delete(into, name)
		}
	}
}

func encoded(t *testing.T, request map[string]any) string {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rowsOf reads the table of a section: by the first cell and the heads of the others.
func rowsOf(t *testing.T, section string) map[string]map[string]string {
	t.Helper()
	var heads []string
	rows := map[string]map[string]string{}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if heads == nil {
			heads = cells
			continue
		}
		rows[cells[0]] = map[string]string{}
		for i, cell := range cells[1:] {
			rows[cells[0]][strings.Trim(heads[i+1], "`")] = cell
		}
	}
	if heads == nil {
		t.Fatal("there is no table of formats")
	}
	return rows
}

// valueOf is what a line of a section says after its name.
func valueOf(t *testing.T, section, name string) string {
	t.Helper()
	for line := range strings.Lines(section) {
		if value, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("there is no line %q", name)
	return ""
}
