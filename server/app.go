package server

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"einvoice/server/encoding"
	"einvoice/server/refusal"
	"einvoice/service/workbench"
)

// appFolders are the page /app as make app built it from server/app/src, and the program for
// browsers where make wasm built it.
//
//go:embed app/dist app/wasm
var appFolders embed.FS

// appPolicy lets the page run its own script, style and WebAssembly, and call this server;
// nothing else is loaded, and nothing that a document or rule says can run.
const appPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// appProgram is the program for browsers.
const appProgram = "einvoice.wasm"

// packed is the ending of files that are compressed with brotli.
const packed = ".br"

// An appFile is a file of the page.
type appFile struct {
	data     []byte
	tag      string // of HTTP, for its content
	encoding string // br, or ""
}

// appFiles are the files of the page by name.
var appFiles = sync.OnceValue(func() map[string]appFile {
	files := map[string]appFile{}
	add := func(name string, data []byte) {
		sum := sha256.Sum256(data)
		f := appFile{data: data, tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
		if plain, ok := strings.CutSuffix(name, packed); ok {
			name, f.encoding = plain, "br"
		}
		files[name] = f
	}
	for _, folder := range []string{"app/dist", "app/wasm"} {
		entries, err := fs.ReadDir(appFolders, folder)
		if err != nil {
			panic(err) // part of the program
		}
		for _, e := range entries {
			data, err := fs.ReadFile(appFolders, folder+"/"+e.Name())
			if err != nil {
				panic(err)
			}
			if contentTypeOf(strings.TrimSuffix(e.Name(), packed)) != "" {
				add(e.Name(), data)
			}
		}
	}
	add("sample.xml", workbench.Sample)
	if _, ok := files[appProgram]; ok { // the page asks for the program only where there is one
		add("index.html", bytes.Replace(files["index.html"].data, []byte("<html "), []byte("<html data-program "), 1))
	}
	return files
})

// getApp is GET /app, the page itself.
func (s *Server) getApp(x *exchange) error { return s.sendAppFile(x, "index.html") }

// getAppFile is GET /app/{name}, what the page consists of.
func (s *Server) getAppFile(x *exchange) error { return s.sendAppFile(x, x.params.ByName("name")) }

func (s *Server) sendAppFile(x *exchange, name string) error {
	f, ok := appFiles()[name]
	plain := f.encoding != "" && !strings.Contains(x.request.Header.Get("Accept-Encoding"), f.encoding)
	// A client that takes no brotli is not sent the tens of megabytes of the program: the
	// page then calls the service.
	if !ok || plain && name == appProgram {
		return newProblem(refusal.RouteUnknown, "The page /app has no file %.60q.", name)
	}
	if plain {
		read, _ := encoding.Reader(f.encoding, bytes.NewReader(f.data))
		unpacked, err := read()
		if err != nil {
			return err
		}
		if f.data, err = io.ReadAll(unpacked); err != nil {
			return err
		}
		f.tag = strings.TrimSuffix(f.tag, `"`) + `-plain"` // other bytes have another tag
	}
	h := x.Header()
	h.Set("Content-Security-Policy", appPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Service-Worker-Allowed", "/app")
	h.Set("ETag", f.tag)
	h.Set("Cache-Control", "no-cache") // kept, and asked for again: a new program has a new page
	if strings.Contains(x.request.Header.Get("If-None-Match"), f.tag) {
		x.WriteHeader(http.StatusNotModified) // without a length, which the client would take for that of the file
		return nil
	}
	if name == appProgram && s.rules.Current().Desk.HasOwn() {
		h.Set("Own-Rules", "yes") // which the page then asks for, with a key where there are keys
	}
	if f.encoding != "" {
		h.Add("Vary", "Accept-Encoding")
		if !plain {
			h.Set("Content-Encoding", f.encoding)
		}
	}
	return x.send(http.StatusOK, contentTypeOf(name), f.data)
}

// contentTypeOf is the media type of a file of the page; "" for what is not served.
func contentTypeOf(name string) string {
	switch path.Ext(name) {
	case ".html", ".css", ".svg":
		return mime.TypeByExtension(path.Ext(name))
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".xml":
		return "application/xml"
	}
	return ""
}
