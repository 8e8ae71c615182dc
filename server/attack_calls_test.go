package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/service/workbench"
)

// callAttacks are by the other calls of the workbench, by attributes, and by forms of pages.
func callAttacks(t *testing.T) (list []attack) {
	t.Helper()
	ubl := string(sample(t, "ubl-valid.xml"))
	call := func(name, call string, request any) {
		list = append(list, attack{name: name, path: "/v1/workbench/" + call, contentType: "application/json", body: func() []byte {
			body, err := json.Marshal(request)
			if err != nil {
				t.Error(err)
			}
			return body
		}})
	}
	many := strings.Replace(ubl, "<cac:InvoiceLine>", strings.Repeat("<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>", 100_000)+"<cac:InvoiceLine>", 1)
	for kind, expression := range map[string]string{
		"xpath": "//*[//*[//*]]", "cel": "/invoice.lines.all(a, invoice.lines.all(b, invoice.lines.all(c, a == b || b == c)))",
	} {
		call("an expression of "+kind, "evaluate", map[string]string{"text": many, "kind": kind, "context": "/invoice", "expression": strings.TrimPrefix(expression, "/")})
	}
	call("a long expression", "evaluate", map[string]string{"text": ubl, "kind": "cel", "context": "/invoice", "expression": strings.Repeat("(", 100_000)})
	call("many lines to explain", "explain", map[string]string{"text": many, "rule": "BR-CO-10"})
	call("many lines to make a PDF of", "make", map[string]string{"text": many, "what": "render", "to": "pdf"})
	const head = "ruleset: own\nversion: 1\nlayer: cius\nrules:\n"
	rule := "  - {id: OWN-%d, level: fatal, context: /invoice, assert: '%s', btCodes: [BT-10], fields: [buyerReference], message: State it., text: It is there.}\n"
	for name, text := range map[string]string{
		"a draft of many rules": func() string {
			var b strings.Builder
			for i := range 5000 {
				fmt.Fprintf(&b, rule, i, "filled(this.buyerReference)")
			}
			return b.String()
		}(),
		"a draft of many mistakes": strings.Repeat(fmt.Sprintf(rule, 1, "filled(this.buyerReferenc)"), 5000),
		"a draft of one long rule": fmt.Sprintf(rule, 1, "filled(this.buyerReference)"+strings.Repeat(" || filled(this.buyerReference)", 20_000)),
		"a draft of nested lists":  strings.Repeat("[", 500_000),
		"a draft of aliases":       "a: &a [x,x]\nb: &b [" + strings.Repeat("*a,", 1000) + "x]\nc: [" + strings.Repeat("*b,", 1000) + "x]\n",
	} {
		call(name, "draft", map[string]any{"draft": map[string]string{"own/1/rules.yaml": head + text}})
		call(name, "check", map[string]any{"text": ubl, "draft": map[string]string{"own/1/rules.yaml": head + text}})
	}
	call("an impact on many documents", "impact", map[string]any{
		"draft": map[string]string{"own/1/rules.yaml": head + fmt.Sprintf(rule, 1, "filled(this.buyerReference)")},
		"documents": func() (all []workbench.Given) {
			for range 1000 {
				all = append(all, workbench.Given{Text: ubl})
			}
			return all
		}(),
	})
	var w pdftest.Writer
	form := w.Raw(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>", w.Next()), []byte(strings.Repeat("/X Do ", 200)))
	stream := w.Raw("", []byte("/X Do"))
	itself := closed(&w, fmt.Sprintf("/Contents %s /Resources << /XObject << /X %s >> >>", pdftest.Ref(stream), pdftest.Ref(form)), "")
	call("a form that calls itself", "parse", map[string]any{"file": itself, "name": "a.pdf"})
	for _, path := range []string{"/v1/parse/json", "/v1/validate/en16931", "/v1/extract/xml"} {
		list = append(list, attack{name: "a form that calls itself", path: path, contentType: "application/pdf", body: func() []byte { return itself }})
	}
	objects := func(n int, object string) []byte {
		var w pdftest.Writer
		w.Add("[" + strings.Repeat(object, n) + "]")
		return closed(&w, "", "")
	}
	for name, data := range map[string][]byte{
		"texts and a comment in one object": objects(200_000, "(a) "), "100,000 dictionaries in one object": objects(100_000, "<< /F (a.pdf) >> "), "names in one object": objects(1_000_000, "/a "),
	} {
		for _, path := range []string{"/v1/parse/json", "/v1/validate/en16931", "/v1/extract/attachments"} {
			list = append(list, attack{name: name, path: path, contentType: "application/pdf", body: func() []byte { return data }})
		}
	}
	return list
}
