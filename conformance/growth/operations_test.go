package growth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
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
	request := func(name, path string, accepts func(string) bool) operation {
		return operation{name: name, path: path, accepts: accepts, accept: "application/json, */*;q=0.1"}
	}
	all := []operation{
		request("validate", "/v1/validate/en16931", documents),
		request("convert", "/v1/convert/"+syntaxOf+"/to/"+otherSyntax, xml),
		request("transform to xrechnung", "/v1/transform/to/xrechnung", xml),
		request("transform to zugferd", "/v1/transform/to/zugferd", xml),
		request("render to pdf", "/v1/render/"+syntaxOf+"/to/pdf", xml),
		request("render to html", "/v1/render/"+syntaxOf+"/to/html", xml),
		request("render to svg", "/v1/render/"+syntaxOf+"/to/svg", xml),
		request("extract json", "/v1/extract/json", documents),
		request("extract attachments", "/v1/extract/attachments", documents),
		request("extract xml", "/v1/extract/xml", pdf),
		request("create ubl", "/v1/create/ubl", ending(".json")),
		request("create cii", "/v1/create/cii", ending(".json")),
		request("create zugferd", "/v1/create/zugferd", ending(".json")),
		request("parse", "/v1/parse/json", pdf),
	}
	for _, form := range []string{"text/html", "text/plain", "application/xml", "application/sarif+json"} {
		o := request("validate as "+form, "/v1/validate/en16931", xml)
		o.accept = form
		all = append(all, o)
	}
	given := func(file string, data []byte) map[string]any {
		if filepath.Ext(file) == ".pdf" {
			return map[string]any{"name": file, "file": data}
		}
		return map[string]any{"name": file, "text": string(data)}
	}
	call := func(name, path string, accepts func(string) bool, more map[string]any) operation {
		o := request("workbench "+name, "/v1/workbench/"+path, accepts)
		o.body = func(file string, data []byte) ([]byte, string) {
			asked := given(file, data)
			for name, value := range more {
				asked[name] = value
			}
			return asJSON(t, asked), kinds[".json"]
		}
		return o
	}
	everything := ending(".xml", ".pdf", ".json")
	all = append(all,
		call("check", "check", everything, nil), call("view", "view", everything, nil), call("remedies", "remedies", ending(".xml", ".json"), nil),
		call("explain", "explain", xml, map[string]any{"rule": "BR-CO-10"}),
		call("evaluate", "evaluate", xml, map[string]any{"kind": "xpath", "expression": "//*[. = 'a']"}),
		call("parse", "parse", pdf, nil),
	)
	draft := request("workbench draft", "/v1/workbench/draft", ending(".yaml"))
	draft.body = func(file string, data []byte) ([]byte, string) {
		return asJSON(t, map[string]any{"draft": map[string]string{file: string(data)}}), kinds[".json"]
	}
	invoice := read(t, "cmd/einvoice/samples/cii-valid.xml")
	var blank pdftest.Writer
	pages := blank.Pages(1, "")
	small := blank.Close("/Root " + pdftest.Ref(blank.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
	embed := request("embed", "/v1/embed/xml", documents)
	embed.body = func(file string, data []byte) ([]byte, string) {
		if filepath.Ext(file) == ".pdf" {
			return form(t, map[string][]byte{"pdf": data, "xml": invoice})
		}
		return form(t, map[string][]byte{"pdf": small, "xml": data})
	}
	return append(all, draft, embed,
		operation{name: "command compare", args: []string{"compare", "FILE"}, accepts: pdf},
		operation{name: "command rules check", args: []string{"rules", "check", "FOLDER"}, accepts: ending(".yaml")},
	)
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
