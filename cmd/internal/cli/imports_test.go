package cli

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed is who may import whom within the module, each package in a row of its own. A
// name that ends in /... is a folder with all below it. Imports go in one direction only,
// and engine and formats do not import each other: service imports both.
var allowed = map[string]string{
	"model":            "model/nearest model/reuse model/source model/syntax",
	"model/compute":    "model",
	"model/currency":   "model/strictyaml",
	"model/filename":   "",
	"model/nearest":    "",
	"model/numeral":    "",
	"model/problem":    "model/source",
	"model/quote":      "",
	"model/packed":     "",
	"model/reserve":    "",
	"model/reuse":      "",
	"model/source":     "model/quote model/syntax",
	"model/strictyaml": "model/deadline model/pattern",
	"model/syntax":     "model/embedded",
	"model/template":   "",
	"model/tongue":     "model model/problem model/quote",
	"rulesets/archive": "",
	"model/embedded":   "model/strictyaml",
	"model/pattern":    "",
	"rulesets":         "rulesets/archive",

	"engine":             "engine/budget engine/cases engine/count engine/expr engine/files engine/lookup engine/words engine/xpath model/...",
	"engine/budget":      "",
	"engine/cases":       "model",
	"engine/count":       "",
	"engine/expr":        "engine/budget engine/cases engine/lookup engine/xpath model/...",
	"engine/files":       "model/...",
	"engine/lookup":      "model/...",
	"engine/shipped":     "engine rulesets",
	"engine/lint":        "engine engine/expr engine/words engine/xpath model/...",
	"engine/ruletest":    "engine/... model/...",
	"engine/words":       "model/...",
	"engine/xpath":       "engine/budget engine/count model/...",
	"engine/xpath/query": "engine/xpath model/...",

	"formats":                   "formats/binding formats/filekind formats/xmlparse model/...",
	"formats/binding":           "model/...",
	"formats/bundle":            "formats formats/filekind formats/pdf model/...",
	"formats/cii":               "",
	"formats/filekind":          "",
	"formats/hybrid":            "formats formats/pdf formats/pdf/inspect model/...",
	"formats/internal/readtest": "formats/binding formats/xmlparse model/...",
	"formats/jsoninvoice":       "model/...",
	"formats/pixels":            "",
	"formats/program":           "",
	"formats/schema":            "formats/xmlparse model/...",
	"formats/schema/gen":        "formats/xmlparse model/...",
	"formats/ubl":               "",
	"formats/xmlparse":          "model/...",
	"formats/xmlfile":           "formats/xmlparse",
	"formats/zugferd1":          "",

	"formats/pdf":                            "formats/filekind model/pattern model/problem model/quote",
	"formats/pdf/archive":                    "formats/pdf formats/pdf/cmap formats/pdf/content formats/pdf/font formats/pdf/fontfiles model/filename model/pattern model/problem",
	"formats/pdf/cmap":                       "formats/pdf/content",
	"formats/pdf/content":                    "",
	"formats/pdf/font":                       "model/packed model/pattern",
	"formats/pdf/fontfiles":                  "",
	"formats/pdf/inspect":                    "formats/pdf formats/pdf/text model/...",
	"formats/pdf/page":                       "formats/pdf formats/pdf/archive formats/pdf/content formats/pdf/inspect formats/pdf/page/compose formats/pdf/page/html formats/pdf/page/language formats/pdf/page/law formats/pdf/page/look formats/pdf/page/pdfa formats/pdf/page/svg formats/pdf/page/typeset formats/pdf/text model/...",
	"formats/pdf/page/compose":               "formats/pdf/page/language formats/pdf/page/law formats/pdf/page/layout formats/pdf/page/logo formats/pdf/page/look formats/pdf/page/tagged formats/pdf/page/typeset model/...",
	"formats/pdf/page/html":                  "formats/pdf/page/compose formats/pdf/page/markup formats/pdf/page/tagged formats/pdf/page/typeset",
	"formats/pdf/page/language":              "formats/pdf/page/language/country formats/pdf/page/typeset model/...",
	"formats/pdf/page/language/country":      "formats/pdf/page/language/country/cldr model/packed",
	"formats/pdf/page/language/country/cldr": "",
	"formats/pdf/page/law":                   "model/...",
	"formats/pdf/page/layout":                "formats/pdf/page/typeset model/...",
	"formats/pdf/page/logo":                  "formats/pdf/page/typeset formats/pixels model/pattern",
	"formats/pdf/page/look":                  "formats/pdf formats/pdf/archive formats/pdf/content formats/pdf/font formats/pdf/page/language formats/pdf/page/layout formats/pdf/page/logo formats/pdf/page/typeset model/...",
	"formats/pdf/page/markup":                "formats/pdf/page/compose formats/pdf/page/look formats/pdf/page/typeset model/...",
	"formats/pdf/page/pdfa":                  "formats/pdf formats/pdf/page/compose formats/pdf/page/logo formats/pdf/page/look formats/pdf/page/tagged formats/pdf/page/typeset",
	"formats/pdf/page/svg":                   "formats/pdf/page/compose formats/pdf/page/markup formats/pdf/page/tagged formats/pdf/page/typeset",
	"formats/pdf/page/tagged":                "formats/pdf/page/logo formats/pdf/page/typeset",
	"formats/pdf/page/typeset":               "formats/pdf/font formats/pdf/fontfiles",
	"formats/pdf/pdftest":                    "",
	"formats/pdf/raster":                     "model/packed model/reserve",
	"formats/pdf/text":                       "formats/pdf formats/pdf/cmap formats/pdf/content formats/pdf/font model/pattern model/problem",
	"formats/pdf/verapdf":                    "formats/program",

	"formats/parse":           "formats/filekind formats/parse/candidate formats/parse/header formats/parse/layout formats/parse/lexicon formats/parse/lines formats/parse/parties formats/parse/paycode formats/parse/picture formats/parse/ranker formats/parse/totals formats/pdf formats/pdf/raster formats/pdf/text model/...",
	"formats/parse/candidate": "formats/parse/layout formats/parse/lexicon formats/pdf/text model model/currency",
	"formats/parse/drawn":     "formats/pdf/text",
	"formats/parse/header":    "formats/parse/candidate formats/parse/layout formats/parse/lexicon formats/parse/lines",
	"formats/parse/layout":    "formats/parse/lexicon formats/pdf/text",
	"formats/parse/lexicon":   "model/packed model/strictyaml",
	"formats/parse/lines":     "formats/parse/candidate formats/parse/layout formats/parse/lexicon",
	"formats/parse/ranker":    "formats/parse/candidate formats/parse/layout formats/parse/lexicon model/...",
	"formats/parse/parties":   "formats/parse/candidate formats/parse/header formats/parse/layout formats/parse/lexicon formats/parse/ranker",
	"formats/parse/totals":    "formats/parse/candidate formats/parse/header formats/parse/layout formats/parse/lexicon formats/parse/lines",
	"formats/parse/llm":       "formats/parse model/numeral",
	"formats/parse/ocr":       "formats/pdf/text formats/program model/pattern model/strictyaml",
	"formats/parse/paycode":   "model/pattern",
	"formats/parse/picture":   "formats/pixels model/reserve",

	"service/catalogue":        "model/...",
	"service/validate":         "engine/... formats formats/binding formats/schema formats/xmlparse model/... rulesets service/catalogue service/validate/printed",
	"service/validate/printed": "model",
	"service/internal/kittest": "engine engine/shipped service/operation",
	"service/write":            "engine formats formats/binding model/... service/catalogue service/validate",
	"service/convert":          "engine engine/words formats model/... service/validate service/write",
	"service/render":           "engine formats formats/pdf/page formats/pdf/page/compose formats/pdf/page/law formats/pdf/page/look formats/pdf/page/typeset model/... service/embed service/validate service/verdict service/write",
	"service/embed":            "engine formats formats/bundle formats/hybrid formats/pdf formats/pdf/archive model/... service/catalogue service/validate service/write",
	"service/create":           "engine formats/jsoninvoice model/... service/catalogue service/validate service/write",
	"service/transform":        "engine formats formats/binding formats/jsoninvoice model/... service/catalogue service/create service/render service/write",
	"service/extract":          "formats formats/bundle model/deadline service/validate service/write",
	"service/parse":            "engine engine/words formats/jsoninvoice formats/parse model/... service/validate service/write",
	"service/compare":          "engine formats formats/parse formats/pdf model/... service/parse service/validate",
	"service/verapdf":          "engine formats formats/pdf/verapdf model/numeral service/validate",
	"service/operation":        "engine engine/shipped formats formats/hybrid formats/parse formats/pdf formats/pdf/page formats/pdf/page/compose formats/pdf/page/typeset formats/pdf/verapdf model/... service/catalogue service/compare service/convert service/create service/extract service/parse service/render service/transform service/validate service/verapdf service/verdict service/write",
	"service/report":           "engine/... formats/filekind formats/jsoninvoice formats/parse model/... service/report/junit service/verdict",
	"service/report/junit":     "",
	"service/verdict":          "engine engine/words model model/numeral",
	"service/answer":           "engine engine/words formats formats/jsoninvoice model/numeral model/problem service/verdict service/write",
	"service/guest":            "engine engine/budget engine/words formats/jsoninvoice model/... service/answer service/catalogue service/convert service/create service/validate service/verdict service/write",

	"service/authoring":             "engine/... formats model/... service/validate",
	"service/authoring/lsp":         "model/pattern service/authoring",
	"service/authoring/lsp/lsptest": "",
	"service/bulk":                  "engine/... formats formats/xmlparse model/... service/create service/inputfile service/operation service/report service/validate",
	"service/audit":                 "model/pattern model/problem model/quote service/bulk service/inputfile",
	"service/watch":                 "model/problem service/audit service/bulk service/inputfile",
	"service/watch/watchtest":       "service/bulk",
	"service/bulk/nats":             "formats/filekind model/problem model/quote service/bulk service/inputfile service/watch",
	"service/bulk/parquet":          "service/bulk",
	"service/bulk/s3":               "model/problem service/bulk service/inputfile service/watch",
	"service/importer":              "engine engine/ruletest engine/xpath formats model/... service/importer/...",
	"service/importer/schematron":   "formats/xmlfile",
	"service/importer/xpath2":       "",
	"service/proving":               "engine engine/ruletest formats formats/hybrid formats/schema model/... rulesets service/importer service/importer/schematron service/importer/xpath2 service/validate",
	"service/kosit":                 "engine/... formats/xmlfile model/... service/validate",
	"service/inputfile":             "formats/xmlparse model/problem model/quote",
	"service/workbench":             "engine/... formats/... model/... service/authoring service/catalogue service/convert service/create service/extract service/operation service/render service/report service/transform service/validate service/verdict service/write",

	"conformance/...":   "conformance rulesets/archive engine/... formats/... model/... service/...",
	"server":            "engine/... formats/... model/... rulesets server/... service/...",
	"server/admission":  "server/confine server/refusal",
	"server/changed":    "",
	"server/confine":    "",
	"server/bulkwork":   "model/deadline server/confine service/bulk",
	"server/encoding":   "",
	"server/docs":       "formats/jsoninvoice model/... rulesets server/option server/refusal service/catalogue service/create service/operation service/render service/report service/validate service/write",
	"server/jobs":       "engine engine/ruletest engine/words model/... server/held server/option server/publishing server/refusal server/webhook service/bulk service/inputfile service/operation service/validate service/verdict",
	"server/held":       "service/bulk",
	"server/keys":       "server/changed",
	"server/tenants":    "model/... server/changed",
	"server/option":     "engine model server/refusal service/operation service/transform",
	"server/otlp":       "model/quote",
	"server/publishing": "engine engine/shipped engine/ruletest formats model/... rulesets server/held server/refusal service/catalogue service/inputfile service/operation service/transform service/validate service/workbench",
	"server/webhook":    "model/quote server/changed server/held",
	"server/refusal":    "engine formats formats/parse formats/pdf formats/pdf/page/compose formats/xmlparse model/problem service/answer service/embed service/validate",

	"cmd/...": "cmd/... conformance engine/... formats/... model/... rulesets/... server/... service/...",
}

// thirdParty is who may import which module of others; the longest name of a module
// counts. Whoever is not listed may import none.
var thirdParty = map[string]string{
	"github.com/andybalholm/brotli":    "cmd/packages cmd/wasm/pack server/encoding",
	"github.com/antchfx/xmlquery":      "formats/pdf/page/logo service/kosit",
	"github.com/antchfx/xpath":         "engine/xpath/query service/kosit",
	"github.com/google/cel-go":         "engine/expr",
	"github.com/go-fonts":              "formats/pdf/font",
	"github.com/go-text/typesetting":   "formats/pdf/page/typeset",
	"github.com/julienschmidt":         "server",
	"github.com/klauspost/compress":    "formats/pdf/archive model/packed rulesets/archive server/encoding service/bulk",
	"github.com/klippa-app/go-pdfium":  "formats/pdf/raster",
	"github.com/makiuchi-d/gozxing":    "formats/parse/paycode",
	"github.com/minio/minio-go":        "service/bulk/s3",
	"github.com/nats-io/nats.go":       "service/bulk/nats",
	"github.com/parquet-go/parquet-go": "service/bulk/parquet",
	"github.com/pdfcpu/pdfcpu":         "formats/pdf formats/pdf/archive formats/pdf/inspect formats/pdf/page formats/pdf/page/look formats/pdf/page/pdfa formats/pdf/page/tagged formats/pdf/text",
	"github.com/prometheus":            "cmd/internal/cli server",
	"github.com/rs/cors":               "server",
	"github.com/schollz/progressbar":   "cmd/internal/cli",
	"github.com/spf13":                 "cmd/internal/cli",
	"github.com/srwiley":               "formats/pdf/page/logo formats/pdf/page/pdfa",
	"github.com/tetratelabs/wazero":    "formats/pdf/raster",
	"go.opentelemetry.io":              "server server/otlp",
	"golang.org/x/image":               "formats/parse/picture formats/pdf/page/logo formats/pdf/page/typeset",
	"golang.org/x/net":                 "formats/pdf/page/logo",
	"golang.org/x/sync":                "cmd/internal/cli conformance service/bulk/...",
	"golang.org/x/sys":                 "service/bulk service/inputfile",
	"golang.org/x/term":                "cmd/internal/cli",
	"golang.org/x/text":                "engine/... formats/... model/tongue service/report",
	"golang.org/x/time":                "server server/admission server/keys",
	"gopkg.in/yaml.v3":                 "cmd/pack conformance engine/... formats/... model/... server/docs server/tenants service/authoring service/catalogue service/importer service/proving service/workbench",
	"rsc.io/qr":                        "formats/pdf/page/compose formats/pdf/page/tagged",
}

func TestImportGraph(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || path == filepath.Join(root, "bin") {
				return filepath.SkipDir // a module of its own, or what was built
			}
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			seen++
			if err := mayImport(filepath.ToSlash(folder), name); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 1000 {
		t.Errorf("only %d imports were looked at", seen)
	}
}

// mayImport holds one import against the two tables.
func mayImport(pkg, name string) error {
	used, own := strings.CutPrefix(name, "einvoice/")
	domain, _, _ := strings.Cut(name, "/")
	switch {
	case own:
		row, ok := rowOf(allowed, pkg)
		if !ok {
			return fmt.Errorf("%s has no row in the table of imports", pkg)
		}
		if !listed(row, used) {
			return fmt.Errorf("%s imports %s, which the design does not allow", pkg, used)
		}
	case strings.Contains(domain, "."):
		module := name
		for thirdParty[module] == "" && module != "." {
			module = filepath.ToSlash(filepath.Dir(module))
		}
		if !listed(thirdParty[module], pkg) {
			return fmt.Errorf("%s imports %s, which the table of modules does not allow", pkg, name)
		}
	}
	return nil
}

// rowOf is the row of a package: its own, or that of a folder around it.
func rowOf(table map[string]string, pkg string) (string, bool) {
	if row, ok := table[pkg]; ok {
		return row, true
	}
	for folder := pkg; folder != "."; folder = filepath.ToSlash(filepath.Dir(folder)) {
		if row, ok := table[folder+"/..."]; ok {
			return row, true
		}
	}
	return "", false
}

// listed reports whether a row names a package, or a folder around it.
func listed(row, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(row), func(name string) bool {
		folder, all := strings.CutSuffix(name, "/...")
		return name == pkg || all && (pkg == folder || strings.HasPrefix(pkg, folder+"/"))
	})
}

// TestImportsAreFound: imports that the tables do not allow are told, of packages and of
// modules.
func TestImportsAreFound(t *testing.T) {
	for name, wrong := range map[string][2]string{
		"a package of another room":  {"formats/xmlparse", "einvoice/formats/jsoninvoice"},
		"a package above":            {"engine", "einvoice/formats"},
		"a package without a row":    {"formats/made-up", "einvoice/model"},
		"a module of another":        {"model/reuse", "github.com/nats-io/nats-server/v2/server"},
		"a module that nobody names": {"service/validate", "example.com/made-up"},
		"a client of brokers":        {"service/bulk", "github.com/nats-io/nats.go"},
		"a reader of PDFs":           {"formats", "github.com/pdfcpu/pdfcpu/pkg/pdfcpu"},
	} {
		if mayImport(wrong[0], wrong[1]) == nil {
			t.Errorf("%s: %s may import %s", name, wrong[0], wrong[1])
		}
	}
	for _, right := range [][2]string{{"engine", "einvoice/model/source"}, {"engine", "strings"}, {"formats/pdf", "github.com/pdfcpu/pdfcpu/pkg/filter"}, {"cmd/wasm", "einvoice/service/workbench"}} {
		if err := mayImport(right[0], right[1]); err != nil {
			t.Error(err)
		}
	}
}

// notLinked are what a program that validates XML does not carry.
var notLinked = []string{
	"github.com/nats-io", "github.com/minio", "github.com/parquet-go", "google.golang.org/grpc", "go.opentelemetry.io",
	"github.com/pdfcpu", "github.com/klippa-app", "github.com/tetratelabs/wazero", "github.com/makiuchi-d/gozxing", "github.com/go-fonts",
	"github.com/chromedp", "github.com/go-text", "github.com/prometheus", "einvoice/formats/pdf", "einvoice/formats/parse", "einvoice/server", "net/http",
}

// mostLinked is how many packages such a program has, those of the standard library and
// of the rule language included: two screens in two columns.
const mostLinked = 247

func TestValidateLinksLittle(t *testing.T) {
	for _, of := range []string{"einvoice/service/validate", "einvoice/service/create", "einvoice/service/guest"} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", of).Output()
		if err != nil {
			t.Fatal(err)
		}
		packages := strings.Fields(string(out))
		if len(packages) > mostLinked {
			t.Errorf("%s links %d packages, more than %d", of, len(packages), mostLinked)
		}
		for _, pkg := range packages {
			for _, not := range notLinked {
				if listed(not+"/...", pkg) {
					t.Errorf("%s links %s", of, pkg)
				}
			}
		}
	}
}
