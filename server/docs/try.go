package docs

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"einvoice/model/pattern"
	"einvoice/model/strictyaml"
	"einvoice/service/create"
)

// A inputField is an input of the form that tries an operation.
type inputField struct {
	Name, In string // In is path, query, file, form or json
	Options  []string
	Value    string
	Required bool
}

// tryFields are the inputs of an operation: its parameters, and its form or its JSON. What
// is a field of the form is not asked for as a parameter too.
func tryFields(doc, operation tree) (fields []inputField) {
	form := operation.sub("requestBody").sub("content").sub("multipart/form-data").sub("schema")
	properties := form.sub("properties")
	parameters, _ := operation["parameters"].([]any)
	for _, node := range parameters {
		m, _ := node.(map[string]any)
		q := doc.resolve(m)
		if name := q.text("name"); properties[name] == nil {
			fields = append(fields, inputField{Name: name, In: q.text("in"), Options: enumOf(doc, q.sub("schema")), Required: q["required"] == true})
		}
	}
	required, _ := form["required"].([]any)
	for _, name := range properties.keys() {
		p := doc.resolve(properties.sub(name))
		f := inputField{Name: name, In: "form", Options: enumOf(doc, p), Required: slices.Contains(required, any(name))}
		if p.text("format") == "binary" {
			f.In = "file"
		}
		fields = append(fields, f)
	}
	if operation.sub("requestBody").sub("content").sub("application/json") != nil {
		fields = append(fields, inputField{Name: "request", In: "json", Value: string(create.Example), Required: true})
	}
	return fields
}

// enumOf are the values that a schema allows, where they are listed.
func enumOf(doc, schema tree) (out []string) {
	values, _ := doc.resolve(schema)["enum"].([]any)
	for _, v := range values {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// A curlCall is how an operation is called from a shell.
type curlCall struct {
	Path string `yaml:"path"`
	With string `yaml:"with"`
}

//go:embed pages/curl.yaml
var curlYAML []byte

// curlCalls are those of all operations, by their id.
var curlCalls = sync.OnceValue(func() map[string]curlCall {
	var calls map[string]curlCall
	if err := strictyaml.Decode(curlYAML, &calls); err != nil {
		panic(fmt.Sprintf("curl.yaml: %v", err)) // part of the program; a test reads it
	}
	return calls
})

// curlOf is the line that calls an operation of the server at an address.
func curlOf(operation, address string, open bool) string {
	c := curlCalls()[operation]
	line := []string{"curl"}
	if !open {
		line = append(line, `-H "Authorization: Bearer $API_KEY"`)
	}
	if c.With != "" {
		line = append(line, c.With)
	}
	url := address + c.Path
	if strings.ContainsAny(url, "?&[") {
		url = `"` + url + `"`
	}
	return strings.Join(append(line, url), " ")
}

// hostName is what a Host header may be that is shown on a page, to be pasted into a shell.
var hostName = pattern.Later(`^[A-Za-z0-9.-]+(:[0-9]+)?$|^\[[0-9A-Fa-f:.]+\](:[0-9]+)?$`)

// Address is the address by which a client reached this server.
func Address(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	host := r.Host
	if !hostName().MatchString(host) {
		host = "localhost"
	}
	return scheme + "://" + host
}

//go:embed pages/try.js
var tryScript string

// Policy lets the page of the documentation run its own script, and that call this
// server; nothing is loaded.
var Policy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(tryScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})
