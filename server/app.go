package server

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"einvoice/service/workbench"
)

// appFiles are the page /app as make app built it from server/app/src.
//
//go:embed app/dist
var appFiles embed.FS

// appPolicy lets the page run its own script, style and WebAssembly, and call this server;
// nothing else is loaded, and nothing that a document or rule says can run.
const appPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// getApp is GET /app, the page itself.
func (s *Server) getApp(x *exchange) error { return s.sendAppFile(x, "index.html") }

// getAppFile is GET /app/{name}, what the page consists of.
func (s *Server) getAppFile(x *exchange) error { return s.sendAppFile(x, x.params.ByName("name")) }

func (s *Server) sendAppFile(x *exchange, name string) error {
	data, err := fs.ReadFile(appFiles, "app/dist/"+name)
	if name == "sample.xml" {
		data, err = workbench.Sample, nil
	}
	if err != nil || !fs.ValidPath(name) {
		return newProblem(codeRouteUnknown, "The page /app has no file %.60q.", name)
	}
	h := x.Header()
	h.Set("Content-Security-Policy", appPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	sum := sha256.Sum256(data)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-cache") // kept, and asked for again: a new program has a new page
	if strings.Contains(x.request.Header.Get("If-None-Match"), tag) {
		return x.send(http.StatusNotModified, contentTypeOf(name), nil)
	}
	return x.send(http.StatusOK, contentTypeOf(name), data)
}

func contentTypeOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return mime.TypeByExtension(path.Ext(name))
}
