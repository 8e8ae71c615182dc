package growth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
	"einvoice/server/docs"
	"einvoice/service/render"
	"einvoice/service/workbench"
)

// An operation is a request to the service, or a command of the program, on a document.
type operation struct {
	name    string
	accepts func(file string) bool
	// path and accept are those of a request; path "" is a command.
	path, accept string
	// body is that of a request, and its type; nil for the document itself.
	body func(file string, data []byte) (body []byte, kind string)
	args []string // of a command; FILE stands for the document, FOLDER for that of rules, OUT for a file to write
}

func ending(endings ...string) func(string) bool {
	return func(file string) bool { return slices.Contains(endings, filepath.Ext(file)) }
}

// syntaxOf stands for the syntax of a document in a path, and otherSyntax for the other one.
const (
	syntaxOf    = "SYNTAX"
	otherSyntax = "OTHER"
)

// pathOf is the path of a request about a file.
func (o *operation) pathOf(file string) string {
	own, other := "ubl", "cii"
	if strings.HasPrefix(file, "full.") || filepath.Ext(file) == ".pdf" {
		own, other = other, own
	}
	return strings.NewReplacer(syntaxOf, own, otherSyntax, other).Replace(o.path)
}

// kinds are the types of bodies.
var kinds = map[string]string{".xml": "application/xml", ".pdf": "application/pdf", ".json": "application/json"}

// operations are what is measured: everything that the service does with a document, and the
// commands that it has not.
func operations(t testing.TB) []operation {
	t.Helper()
	xml, pdf, documents := ending(".xml"), ending(".pdf"), ending(".xml", ".pdf")
	all := []operation{
		requested("validate", "/v1/validate/en16931", documents),
		requested("validate xrechnung", "/v1/validate/xrechnung", xml),
		requested("convert", "/v1/convert/"+syntaxOf+"/to/"+otherSyntax, xml),
		requested("transform to xrechnung", "/v1/transform/to/xrechnung", documents),
		requested("transform to zugferd", "/v1/transform/to/zugferd", documents),
		requested("extract json", "/v1/extract/json", documents),
		requested("extract attachments", "/v1/extract/attachments", documents),
		requested("extract xml", "/v1/extract/xml", documents),
		requested("create ubl", "/v1/create/ubl", ending(".json")),
		requested("create cii", "/v1/create/cii", ending(".json")),
		requested("create zugferd", "/v1/create/zugferd", ending(".json")),
		requested("parse", "/v1/parse/json", pdf),
	}
	for _, to := range render.Formats() {
		all = append(all, requested("render to "+to, "/v1/render/"+syntaxOf+"/to/"+to, xml))
	}
	for _, form := range []string{"text/html", "text/plain", "application/xml", "application/sarif+json"} {
		o := requested("validate as "+form, "/v1/validate/en16931", xml)
		o.accept = form
		all = append(all, o)
	}
	invoice := read(t, "cmd/einvoice/samples/cii-valid.xml")
	all = append(all, workbenchOperations(t, invoice)...)
	var blank pdftest.Writer
	pages := blank.Pages(1, "")
	small := blank.Close("/Root " + pdftest.Ref(blank.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
	embed := requested("embed", "/v1/embed/xml", documents)
	embed.body = func(file string, data []byte) ([]byte, string) {
		if filepath.Ext(file) == ".pdf" {
			return form(t, map[string][]byte{"pdf": data, "xml": invoice})
		}
		return form(t, map[string][]byte{"pdf": small, "xml": data})
	}
	return append(all, embed,
		operation{name: "command compare", args: []string{"compare", "FILE"}, accepts: pdf},
		operation{name: "command rules check", args: []string{"rules", "check", "FOLDER"}, accepts: ending(".yaml")},
	)
}

// requested is an operation that is one request.
func requested(name, path string, accepts func(string) bool) operation {
	return operation{name: name, path: path, accepts: accepts, accept: "application/json, */*;q=0.1"}
}

// workbenchOperations are the calls of the workbench: on a document, and on a draft of rules.
func workbenchOperations(t testing.TB, invoice []byte) (all []operation) {
	t.Helper()
	type members = map[string]any
	const smallRule = "ruleset: own\nversion: 1\nlayer: cius\nrules:\n  - {id: OWN-1, level: fatal, context: /invoice, assert: filled(this.buyerReference), btCodes: [BT-10], fields: [buyerReference], message: State it., text: It is there.}\n"
	add := func(name, call string, accepts func(string) bool, asked func(file string, data []byte) members) {
		o := requested("workbench "+name, workbenchPath+call, accepts)
		o.body = func(file string, data []byte) ([]byte, string) { return asJSON(t, asked(file, data)), kinds[".json"] }
		all = append(all, o)
	}
	given := func(file string, data []byte) members {
		if filepath.Ext(file) == ".pdf" {
			return members{"name": file, "file": data}
		}
		return members{"name": file, "text": string(data)}
	}
	document := func(name, call string, accepts func(string) bool, more members) {
		add(name, call, accepts, func(file string, data []byte) members {
			asked := given(file, data)
			maps.Copy(asked, more)
			return asked
		})
	}
	draft := func(name, call string, more members) {
		add(name, call, ending(".yaml"), func(file string, data []byte) members {
			asked := members{"draft": members{file: string(data)}}
			maps.Copy(asked, more)
			return asked
		})
	}
	everything, texts, xml, pdf := ending(".xml", ".pdf", ".json"), ending(".xml", ".json"), ending(".xml"), ending(".pdf")
	document("check", "check", everything, nil)
	document("view", "view", everything, nil)
	document("remedies", "remedies", texts, nil)
	document("add", "add", texts, members{"path": "buyerReference", "value": "1"})
	document("explain", "explain", xml, members{"rule": "BR-CO-10"})
	document("evaluate xpath", "evaluate", xml, members{"kind": "xpath", "expression": "//*[. = 'a']"})
	document("evaluate cel", "evaluate", xml, members{"kind": "cel", "context": "/invoice", "expression": "this.lines.all(l, filled(l.identifier))"})
	document("make", "make", xml, members{"what": "transform", "to": "xrechnung"})
	document("parse", "parse", pdf, nil)
	add("impact", "impact", xml, func(file string, data []byte) members {
		return members{"draft": members{rulesFile: smallRule}, "documents": []members{given(file, data)}}
	})
	draft("draft", "draft", nil)
	draft("complete", "complete", members{"file": rulesFile, "line": 5, "column": 5})
	draft("hover", "hover", members{"file": rulesFile, "line": 5, "column": 5})
	draft("check by a draft", "check", members{"text": string(invoice)})
	draft("rules of a draft", "rules", nil)
	draft("card of a draft", "card", members{"rule": "OWN-1"})
	return all
}

// workbenchPath is the path of calls of the workbench.
const workbenchPath = "/v1/workbench/"

// notMeasured are operations without a document of somebody else, with the reason.
var notMeasured = map[string]string{
	"/v1/bulk":              "documents of jobs are done by the operations that are measured",
	"/v1/rules/publish":     "its rules are read as those of a draft",
	"/v1/rules/rollback":    "it names a version",
	"/v1/rules/approve":     "it names a proposal",
	"/v1/rules/reject":      "it names a proposal",
	"/v1/rules/proposals":   "it lists",
	"/v1/rules/versions":    "it lists",
	workbenchPath + "own":   "it lists what the operator has",
	workbenchPath + "fires": "its documents are the operator's",

	workbenchPath + "archived":     "its documents are the operator's",
	"/v1/render/xrechnung/to/pdf":  "it draws what ubl and cii draw",
	"/v1/render/xrechnung/to/html": "it draws what ubl and cii draw",
	"/v1/render/xrechnung/to/svg":  "it draws what ubl and cii draw",
}

// TestEveryOperationIsMeasured compares what is measured with the interface's description: a
// further operation is measured, or there is a reason.
func TestEveryOperationIsMeasured(t *testing.T) {
	document, err := docs.Whole()
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(asJSON(t, document), &all); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for path, methods := range all.Paths {
		switch {
		case methods["post"] == nil:
		case strings.HasPrefix(path, workbenchPath):
			for _, call := range workbench.Calls() {
				paths = append(paths, workbenchPath+call)
			}
		default:
			paths = append(paths, path)
		}
	}
	measured := operations(t)
	for _, path := range paths {
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, `[^/]+`) + "$")
		found := slices.ContainsFunc(measured, func(o operation) bool {
			return pattern.MatchString(o.pathOf("full.xml")) || pattern.MatchString(o.pathOf("full-invoice.xml"))
		})
		if reason := notMeasured[path]; found == (reason != "") {
			t.Errorf("%s is measured: %v; a reason why not: %q", path, found, reason)
		}
	}
	for path := range notMeasured {
		if !slices.Contains(paths, path) {
			t.Errorf("there is no %s", path)
		}
	}
	if len(paths) < 30 {
		t.Errorf("there are only %d operations: %v", len(paths), paths)
	}
}

func asJSON(t testing.TB, value any) []byte {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// form is a multipart form of files.
func form(t testing.TB, files map[string][]byte) (body []byte, kind string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for name, data := range files {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%[1]q`, name)}})
		if err == nil {
			_, err = part.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), w.FormDataContentType()
}
