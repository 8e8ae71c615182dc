// Command pack compresses what a program embeds, for one that is built with the tag packed:
// the recorded verdicts, long texts, and the large files of modules, fonts and PDFium. It stores the
// nodes of YAML files that a start needs. What is packed already is left as it is. Command rules
// beside it packs the rules: it has these files in it.
//
//	go run ./cmd/pack && go run -tags packed ./cmd/pack/rules && go build -tags packed ./cmd/einvoice
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"einvoice/formats/pdf/page/language/country/cldr"
	"einvoice/model/packed"
	"einvoice/model/tongue"
	"einvoice/rulesets/archive"
)

// folders are where the files of packages go, which nothing compiles here.
var folders = map[string]string{
	"github.com/go-fonts/dejavu/dejavusans":       "formats/pdf/font/packed",
	"github.com/go-fonts/dejavu/dejavusansbold":   "formats/pdf/font/packed",
	"github.com/go-fonts/liberation/...":          "formats/pdf/font/packed",
	"github.com/klippa-app/go-pdfium/webassembly": "formats/pdf/raster/packed",
}

// texts are long texts that few commands need, as patterns, and where they go.
var texts = map[string]string{
	"cmd/internal/cli/notices.txt":               "cmd/internal/cli/packed",
	"engine/files/files.yaml":                    "engine/files/packed",
	"formats/parse/lexicon/lexicon.yaml":         "formats/parse/lexicon/packed",
	"formats/parse/ranker/model.yaml":            "formats/parse/ranker/packed",
	"formats/pdf/font/names.yaml":                "formats/pdf/font/packed",
	"formats/pdf/page/language/languages/*.yaml": "formats/pdf/page/language/packed",
	"formats/pdf/page/law/countries/*.yaml":      "formats/pdf/page/law/packed",
	"formats/pdf/page/layout/layout.yaml":        "formats/pdf/page/layout/packed",
	"server/docs/openapi.yaml":                   "server/docs/packed",
	"service/authoring/definitions.yaml":         "service/authoring/packed",
}

func main() {
	for packages, folder := range folders {
		if err := pack(packages, folder); err != nil {
			fmt.Fprintln(os.Stderr, "pack "+packages+":", err)
			os.Exit(1)
		}
	}
	for pattern, folder := range texts {
		if err := packFiles(pattern, folder); err != nil {
			fmt.Fprintln(os.Stderr, "pack "+pattern+":", err)
			os.Exit(1)
		}
	}
	for _, tag := range tongue.Tags() {
		if err := packData(cldr.List(tag), "formats/pdf/page/language/country/packed/"+tag+packed.Ending); err != nil {
			fmt.Fprintln(os.Stderr, "pack the names of countries:", err)
			os.Exit(1)
		}
	}
	if err := packFolder("conformance/verdicts", "conformance/packed/verdicts.archive"); err != nil {
		fmt.Fprintln(os.Stderr, "pack the recorded verdicts:", err)
		os.Exit(1)
	}
	if err := packNodes("model/embedded/packed"); err != nil {
		fmt.Fprintln(os.Stderr, "pack the nodes:", err)
		os.Exit(1)
	}
}

// pack compresses the files that packages embed into a folder.
func pack(packages, folder string) error {
	list := exec.Command("go", "list", "-f", `{{$dir := .Dir}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`, packages)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return err
	}
	for file := range strings.FieldsFuncSeq(string(out), func(r rune) bool { return r == '\n' }) {
		if err := packFile(file, folder); err != nil {
			return err
		}
	}
	return nil
}

// packFiles compresses the files of a pattern into a folder.
func packFiles(pattern, folder string) error {
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no such file")
	}
	for _, file := range files {
		if err == nil {
			err = packFile(file, folder)
		}
	}
	return err
}

func packFile(file, folder string) error {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".ttf"), "-Regular") + packed.Ending
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return packData(data, filepath.Join(folder, name))
}

// packData compresses data into a file, which is left as it is if it has them already.
func packData(data []byte, target string) error {
	if made, err := os.ReadFile(target); err == nil {
		if unpacked, err := packed.Unpack(made); err == nil && bytes.Equal(unpacked, data) {
			return nil
		}
	}
	data, err := packed.Pack(data)
	if err != nil {
		return err
	}
	return packed.WriteNew(target, data)
}

// packFolder writes the files of a folder into an archive.
func packFolder(folder, target string) error {
	files := os.DirFS(folder)
	names, err := archive.Names(files, ".")
	if err != nil {
		return err
	}
	text, err := archive.Write(files, names, func(string) bool { return false })
	if err != nil {
		return err
	}
	return packed.WriteNew(target, text)
}
