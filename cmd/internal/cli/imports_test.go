package cli

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed is who may import whom within the module: the first row counts whose folder
// the package is in. A use is a folder with all below it; with =, it is one package
// alone. Imports go in one direction only, and engine and formats do not import each
// other: service imports both.
var allowed = []struct {
	pkg  string
	uses []string
}{
	{"model/syntax", nil},
	{"model/quote", nil},
	{"model/filename", nil},
	{"model/nearest", nil},
	{"model/source", []string{"model/quote", "model/syntax"}},
	{"model/problem", []string{"model/source"}},
	{"model/strictyaml", nil},
	{"model/numeral", nil},
	{"model/reuse", nil},
	{"model/template", nil},
	{"model/compute", []string{"model"}},
	{"model", []string{"model/nearest", "model/reuse", "model/source", "model/syntax"}},
	{"rulesets", nil},
	{"engine/budget", nil},
	{"engine/files", []string{"model"}},
	{"engine/xpath/query", []string{"engine/xpath", "model"}},
	{"engine/xpath", []string{"engine/budget", "model"}},
	{"engine/expr", []string{"engine/budget", "engine/xpath", "model"}},
	{"engine/ruletest", []string{"engine", "model"}},
	{"engine/words", []string{"model"}},
	{"engine", []string{"engine/budget", "engine/expr", "engine/files", "engine/words", "engine/xpath", "model"}},
	{"formats/schema/gen", []string{"formats", "model"}},
	{"formats/pdf/content", nil},
	{"formats/pdf/packed", nil},
	{"formats/pdf/font", []string{"formats/pdf/packed"}},
	{"formats/pdf/fontfiles", nil},
	{"formats/pdf/pdftest", nil},
	{"formats/program", nil},
	{"formats/pdf/verapdf", []string{"formats/program"}},
	{"formats/pdf/raster", []string{"formats/pdf/packed"}},
	{"formats/pdf/cmap", []string{"formats/pdf/content"}},
	{"formats/pdf/text", []string{"=formats/pdf", "formats/pdf/content", "formats/pdf/font", "formats/pdf/cmap", "model/problem"}},
	{"formats/pdf/inspect", []string{"=formats/pdf", "formats/pdf/text", "model"}},
	{"formats/pdf/archive", []string{"=formats/pdf", "formats/pdf/content", "formats/pdf/font", "formats/pdf/fontfiles", "formats/pdf/cmap", "model/filename", "model/problem"}},
	{"formats/pdf/page", []string{"=formats/pdf", "formats/pdf/archive", "formats/pdf/content", "formats/pdf/font", "formats/pdf/fontfiles", "formats/pdf/inspect", "model"}},
	{"formats/pdf", []string{"model/problem", "model/quote"}},
	{"formats/parse/ocr", []string{"formats/pdf/text", "formats/program", "model/strictyaml"}},
	{"formats/parse/picture", nil},
	{"formats/parse/paycode", nil},
	{"formats/parse/llm", []string{"=formats/parse"}},
	{"formats/parse/drawn", []string{"formats/pdf/text"}},
	{"formats/parse/lexicon", []string{"model/strictyaml"}},
	{"formats/parse/layout", []string{"formats/parse/lexicon", "formats/pdf/text"}},
	{"formats/parse/candidate", []string{"formats/parse/layout", "formats/parse/lexicon", "formats/pdf/text"}},
	{"formats/parse/lines", []string{"formats/parse/candidate", "formats/parse/layout", "formats/parse/lexicon"}},
	{"formats/parse/header", []string{"formats/parse/candidate", "formats/parse/layout", "formats/parse/lexicon", "formats/parse/lines"}},
	{"formats/parse/totals", []string{"formats/parse/candidate", "formats/parse/header", "formats/parse/layout", "formats/parse/lexicon", "formats/parse/lines"}},
	{"formats/parse/parties", []string{"formats/parse/candidate", "formats/parse/header", "formats/parse/layout", "formats/parse/lexicon"}},
	{"formats/parse", []string{"=formats/pdf", "formats/parse/candidate", "formats/parse/header", "formats/parse/layout", "formats/parse/lexicon", "formats/parse/lines", "formats/parse/parties", "formats/parse/totals", "formats/parse/paycode", "formats/parse/picture", "formats/pdf/raster", "formats/pdf/text", "model"}},
	{"formats", []string{"formats", "model"}},
	{"service/report/junit", nil},
	{"service/report", []string{"engine", "formats", "model", "service/report/junit"}},
	{"service/authoring/lsp/lsptest", nil},
	{"service/authoring/lsp", []string{"service/authoring"}},
	{"service/authoring", []string{"=service", "engine", "formats", "model", "rulesets"}},
	{"service/bulk/parquet", []string{"=service/bulk"}},
	{"service/bulk/nats", []string{"model/problem", "=service/bulk"}},
	{"service/bulk/s3", []string{"model/problem", "=service/bulk"}},
	{"service/bulk", []string{"engine", "formats", "model", "=service", "service/report"}},
	{"service/workbench", []string{"engine", "formats", "model", "=service", "service/authoring", "service/report"}},
	{"service/kosit", []string{"engine", "formats", "model", "=service"}},
	{"service", []string{"engine", "formats", "model", "rulesets"}},
	{"conformance", []string{"conformance", "engine", "formats", "model", "rulesets", "service"}},
	{"server/otlp", nil},
	{"server", []string{"server", "engine", "formats", "model", "rulesets", "service"}},
	{"deploy/image", nil}, // a module of its own
	{"deploy/manifests", nil},
	{"cmd", []string{"conformance", "engine", "formats", "model", "rulesets", "server", "service", "cmd"}},
}

func TestImportGraph(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path == filepath.Join(root, "bin") {
			return filepath.SkipDir // what was built and generated
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		rule := slices.IndexFunc(allowed, func(a struct {
			pkg  string
			uses []string
		}) bool {
			return within(pkg, a.pkg)
		})
		if rule < 0 {
			t.Errorf("%s is in no folder of the design", path)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			used, own := strings.CutPrefix(name, "einvoice/")
			if !own {
				continue
			}
			seen++
			if !slices.ContainsFunc(allowed[rule].uses, func(u string) bool { return "="+used == u || within(used, u) }) {
				t.Errorf("%s imports %s, which the design does not allow", path, used)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Errorf("only %d imports were looked at", seen)
	}
}

func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
