package guest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"einvoice/rulesets"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/guest"
	"einvoice/service/validate"
)

type answered struct {
	Result *struct {
		Valid    bool
		Document string
		Lost     int
		Findings []struct{ Rule, Level, Message string }
	}
	Problem *guest.Problem
}

func open(t *testing.T) *guest.Guest {
	t.Helper()
	g, err := guest.Open()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func call(t *testing.T, g *guest.Guest, request map[string]any) *answered {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	a := &answered{}
	if err := json.Unmarshal(g.Call(text), a); err != nil {
		t.Fatal(err)
	}
	if (a.Result == nil) == (a.Problem == nil) {
		t.Fatalf("%v: an answer has a result or a problem", request["operation"])
	}
	return a
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The operations do what their packages do.
func TestOperations(t *testing.T) {
	g := open(t)
	ubl := sample(t, "examples/base-ubl.xml")
	want, err := validate.Document(context.Background(), bytes.NewReader(ubl))
	if err != nil {
		t.Fatal(err)
	}
	a := call(t, g, map[string]any{"operation": "validate", "document": ubl})
	if a.Result == nil || a.Result.Valid != want.Report.Valid || len(a.Result.Findings) != len(want.Report.Findings) {
		t.Errorf("validate says %+v, and the package %v with %d findings", a, want.Report.Valid, len(want.Report.Findings))
	}
	german := call(t, g, map[string]any{"operation": "validate", "document": ubl, "format": "xrechnung", "language": "de-AT"}) // which is German
	english := call(t, g, map[string]any{"operation": "validate", "document": ubl, "format": "xrechnung"})
	if german.Result == nil || len(german.Result.Findings) == 0 || len(german.Result.Findings) != len(english.Result.Findings) || german.Result.Findings[0].Message == english.Result.Findings[0].Message {
		t.Errorf("in German it says %+v", german)
	}
	there := call(t, g, map[string]any{"operation": "convert", "document": ubl, "to": "cii"})
	if there.Result == nil || !strings.Contains(there.Result.Document, "CrossIndustryInvoice") {
		t.Fatalf("convert says %+v", there)
	}
	made := call(t, g, map[string]any{"operation": "create", "to": "ubl", "request": json.RawMessage(create.Example)})
	if made.Result == nil || !strings.Contains(made.Result.Document, "Invoice-2") {
		t.Errorf("create says %+v", made)
	}
}

// What is wrong with a request has its code, and nothing is passed over.
func TestProblems(t *testing.T) {
	g := open(t)
	ubl := sample(t, "examples/base-ubl.xml")
	for _, c := range []struct {
		code    string
		request map[string]any
	}{
		{"OPTION-INVALID", map[string]any{"operation": "render", "document": ubl}},
		{"REQUEST-INVALID", map[string]any{"operation": "validate", "document": ubl, "strict": true}},
		{"REQUEST-INVALID", map[string]any{"operation": "validate", "document": "<Invoice/>"}},
		{"OPTION-INVALID", map[string]any{"operation": "validate", "document": ubl, "format": "facturx"}},
		{"SYNTAX-MISMATCH", map[string]any{"operation": "validate", "document": ubl, "format": "cii"}},
		{"OPTION-INVALID", map[string]any{"operation": "validate", "document": ubl, "at": "tomorrow"}},
		{"OPTION-INVALID", map[string]any{"operation": "validate", "document": ubl, "overlays": []string{"nobody's"}}},
		{"OPTION-INVALID", map[string]any{"operation": "validate", "document": ubl, "language": "xx"}},
		{"OPTION-INVALID", map[string]any{"operation": "validate", "document": ubl, "milliseconds": -1}},
		{"XML-EMPTY", map[string]any{"operation": "validate"}},
		{"FORMAT-PDF", map[string]any{"operation": "validate", "document": []byte("%PDF-1.7\n")}},
		{"SYNTAX-MISMATCH", map[string]any{"operation": "convert", "document": ubl, "to": "ubl"}},
		{"OPTION-INVALID", map[string]any{"operation": "convert", "document": ubl}},
		{"VALIDATION-FAILED", map[string]any{"operation": "create", "to": "ubl", "request": map[string]any{"invoice": map[string]any{"number": "1"}}}},
		{"REQUEST-INVALID", map[string]any{"operation": "create", "to": "ubl", "request": map[string]any{"invoice": map[string]any{"nummer": "1"}}}},
		{"OPTION-INVALID", map[string]any{"operation": "create", "to": "zugferd", "request": json.RawMessage(create.Example)}},
	} {
		a := call(t, g, c.request)
		if a.Problem == nil || a.Problem.ErrorCode != c.code || a.Problem.Detail == "" {
			t.Errorf("%v: got %+v, want %s", c.request["operation"], a.Problem, c.code)
		}
	}
	if a := call(t, g, map[string]any{"operation": "validate", "document": large(3000), "milliseconds": 1}); a.Problem == nil || a.Problem.ErrorCode != "VALIDATION-TIMEOUT" {
		t.Errorf("a call without time says %+v", a.Problem)
	}
	for _, time := range []int{0, -1, 600_001} {
		if a := call(t, g, map[string]any{"operation": "validate", "document": large(1), "milliseconds": time}); a.Problem == nil || a.Problem.ErrorCode != "OPTION-INVALID" {
			t.Errorf("%d milliseconds are no time that a call can have, and the answer is %+v", time, a.Problem)
		}
	}
}

// A refusal of a format to create names all formats that the guest makes, and no other.
func TestFormatsToCreate(t *testing.T) {
	g := open(t)
	ask := func(format string) string {
		a := call(t, g, map[string]any{"operation": "create", "to": format, "request": json.RawMessage(create.Example)})
		if a.Problem == nil {
			return ""
		}
		return a.Problem.Detail
	}
	formats := catalogue.ToCreate()
	for _, unknown := range append([]string{"", "edifact", "UBL", "pdf"}, formats...) {
		detail := ask(unknown)
		if detail == "" {
			continue
		}
		for _, format := range formats {
			if made, named := ask(format) == "", regexp.MustCompile(`\b`+format+`\b`).MatchString(detail); made != named {
				t.Errorf("%q: %s: made %v, named %v", unknown, detail, made, named)
			}
		}
	}
}

// large is a document with many lines.
func large(lines int) []byte {
	var b bytes.Buffer
	b.WriteString(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`)
	for i := range lines {
		fmt.Fprintf(&b, `<cac:InvoiceLine><cbc:ID>%d</cbc:ID></cac:InvoiceLine>`, i)
	}
	b.WriteString(`</Invoice>`)
	return b.Bytes()
}

// Requests that were changed at random are answered, each with a line of JSON.
func TestHostileRequests(t *testing.T) {
	g := open(t)
	text, err := json.Marshal(map[string]any{"operation": "validate", "document": sample(t, "examples/base-cii.xml")[:300], "language": "de"})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(34, 34))
	for range 400 {
		changed := bytes.Clone(text)
		for range 1 + random.IntN(4) {
			changed[random.IntN(len(changed))] = byte(random.IntN(256))
		}
		reply := g.Call(changed[:random.IntN(len(changed)+1)])
		if !json.Valid(reply) || bytes.ContainsRune(reply, '\n') {
			t.Fatalf("%q is answered by %q", changed, reply)
		}
	}
	for _, deep := range []string{strings.Repeat("[", 1<<16), strings.Repeat(`{"operation":`, 1<<16), `{"operation": "create", "to": "ubl", "request": ` + strings.Repeat("[", 1<<16)} {
		if a := string(g.Call([]byte(deep))); !strings.Contains(a, `"problem"`) {
			t.Errorf("a deep request is answered by %.200s", a)
		}
	}
}

// Each line is answered by a line, also one that is too long, and the one after it.
func TestServe(t *testing.T) {
	g := open(t)
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader("{}\nnull\n"), io.LimitReader(endless{}, guest.MostRequest+1), strings.NewReader("\n{}\n"))
	if err := g.Serve(in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || !strings.Contains(lines[0], "OPTION-INVALID") || !strings.Contains(lines[1], "OPTION-INVALID") || !strings.Contains(lines[2], "BODY-TOO-LARGE") || !strings.Contains(lines[3], "OPTION-INVALID") {
		t.Errorf("the answers are %.500q", lines)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
