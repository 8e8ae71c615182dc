// Command packages makes the packages of other languages out of the validator as a module of
// WebAssembly and of the OpenAPI document (docs/packages.md).
//
//	go run ./cmd/packages -module MODULE -program PROGRAM -out FOLDER
//
// The module is what a program has inside it, the program what a runtime starts (cmd/wasi).
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"einvoice/server"

	"github.com/andybalholm/brotli"
)

// memory is how many pages of 64 KiB the module may have.
const memory = 1 << 30 >> 16

func main() {
	module := flag.String("module", "", "cmd/wasi as a module")
	program := flag.String("program", "", "cmd/wasi as a program")
	out := flag.String("out", "", "the folder of the packages")
	flag.Parse()
	if err := build(*module, *program, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// files are the content of a package by paths.
type files map[string][]byte

func build(module, program, out string) error {
	inside, err := read(module)
	if err != nil {
		return err
	}
	beside, err := read(program)
	if err != nil {
		return err
	}
	all, err := records()
	if err != nil {
		return err
	}
	shared := files{}
	for _, name := range []string{"LICENSE", "cmd/internal/cli/notices.txt"} {
		if shared[path.Base(name)], err = os.ReadFile(name); err != nil {
			return err
		}
	}
	for _, of := range []struct {
		name   string
		add    func(files, []record)
		module []byte
		write  func(folder string, content files) error
	}{
		{"npm", addNPM, inside, writeNPM},
		{"pypi", addPyPI, inside, writeWheel},
		{"maven", addMaven, inside, nil},
		{"php", addPHP, beside, writePHP},
		{"nuget", addNuGet, beside, writeNuGet},
	} {
		content, err := sources(filepath.Join("cmd", "packages", of.name))
		if err != nil {
			return err
		}
		maps.Copy(content, shared)
		content["einvoice.wasm"] = of.module
		of.add(content, all)
		folder := filepath.Join(out, of.name)
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		write := of.write
		if write == nil {
			write = writeFiles
		}
		if err := write(folder, content); err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
	}
	return tellSize(inside)
}

// read is a module with its memory bounded.
func read(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return bounded(data, memory)
}

// sources are the files of a package that are written by hand, with the version in them.
func sources(folder string) (files, error) {
	content := files{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		content[name] = bytes.ReplaceAll(data, []byte("VERSION"), []byte(server.Version))
		return err
	})
	return content, err
}

func addNPM(content files, all []record) {
	content["index.d.ts"] = []byte(typeScript(all, string(content["functions.d.ts"])))
	delete(content, "functions.d.ts")
}

func addPyPI(content files, all []record) {
	content["einvoice/types.py"] = []byte(python(all))
	content["einvoice/py.typed"] = nil
	content["einvoice/einvoice.wasm"] = content["einvoice.wasm"]
	delete(content, "einvoice.wasm")
}

func addMaven(content files, all []record) {
	for name, text := range java(all) {
		content["src/main/java/org/einvoice/types/"+name] = []byte(text)
	}
	for _, name := range []string{"LICENSE", "notices.txt"} {
		content["src/main/resources/META-INF/"+name] = content[name]
	}
}

func addPHP(content files, all []record) { content["src/Types.php"] = []byte(php(all)) }

func addNuGet(content files, all []record) {
	content["contentFiles/cs/any/Einvoice/Types.cs"] = []byte(csharp(all))
	for from, to := range map[string]string{"Validator.cs": "contentFiles/cs/any/Einvoice/Validator.cs", "einvoice.wasm": "contentFiles/any/any/einvoice.wasm"} {
		content[to] = content[from]
		delete(content, from)
	}
	content["_rels/.rels"] = []byte(`<?xml version="1.0" encoding="utf-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/einvoice.nuspec" Id="R1" /></Relationships>`)
	types := `<?xml version="1.0" encoding="utf-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />`
	for _, ending := range []string{"nuspec", "cs", "wasm", "md", "txt"} {
		types += `<Default Extension="` + ending + `" ContentType="application/octet" />`
	}
	content["[Content_Types].xml"] = []byte(types + `<Override PartName="/LICENSE" ContentType="application/octet" /></Types>`)
}

// writeFiles writes a folder, for a tool that makes the package.
func writeFiles(folder string, content files) error {
	for name, data := range content {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // for everyone
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil { //nolint:gosec // for everyone
			return err
		}
	}
	return nil
}

// written is the time of all files, so that the same sources make the same package.
var written = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func writeNPM(folder string, content files) error {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		if err := archive.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(content[name])), ModTime: written}); err != nil {
			return err
		}
		if _, err := archive.Write(content[name]); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return writeFiles(folder, files{"einvoice-" + server.Version + ".tgz": out.Bytes()})
}

func writeWheel(folder string, content files) error {
	info := "einvoice-" + server.Version + ".dist-info/"
	for from, to := range map[string]string{"LICENSE": info + "licenses/LICENSE", "notices.txt": info + "licenses/notices.txt"} {
		content[to] = content[from]
		delete(content, from)
	}
	content[info+"METADATA"] = append(content["METADATA"], content["README.md"]...)
	delete(content, "METADATA")
	delete(content, "README.md")
	content[info+"WHEEL"] = []byte("Wheel-Version: 1.0\nGenerator: make packages\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	var record strings.Builder
	for _, name := range slices.Sorted(maps.Keys(content)) {
		sum := sha256.Sum256(content[name])
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content[name]))
	}
	content[info+"RECORD"] = []byte(record.String() + info + "RECORD,,\n")
	return writeZIP(folder, "einvoice-"+server.Version+"-py3-none-any.whl", content)
}

func writePHP(folder string, content files) error {
	return writeZIP(folder, "einvoice-einvoice-"+server.Version+".zip", content)
}

func writeNuGet(folder string, content files) error {
	return writeZIP(folder, "Einvoice."+server.Version+".nupkg", content)
}

func writeZIP(folder, name string, content files) error {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: written})
		if err != nil {
			return err
		}
		if _, err := w.Write(content[name]); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return writeFiles(folder, files{name: out.Bytes()})
}

// tellSize prints what a browser loads.
func tellSize(module []byte) error {
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, brotli.DefaultCompression)
	if _, err := w.Write(module); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("the module has %.1f MB, by brotli %.1f MB\n", float64(len(module))/1e6, float64(packed.Len())/1e6)
	return nil
}
