package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"

	"einvoice/formats/schema"
	"einvoice/formats/xmlparse"
	"einvoice/model/sampled"
	"einvoice/model/source"
)

// shared is where the published schemas and the suites are.
var shared = filepath.Join("..", "..", "..", "shared")

// published are the schemas with the schema documents that they were published as.
var published = map[string]string{
	"ubl-2.1-invoice":        "ubl-2.1/maindoc/UBL-Invoice-2.1.xsd",
	"ubl-2.1-creditnote":     "ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd",
	"cii-d16b":               "cii-d16b/CII/uncefact/data/standard/CrossIndustryInvoice_100pD16B.xsd",
	"factur-x-1.09-minimum":  "factur-x-1.09/MINIMUM/FACTUR-X_MINIMUM.xsd",
	"factur-x-1.09-basicwl":  "factur-x-1.09/BASIC-WL/FACTUR-X_BASICWL.xsd",
	"factur-x-1.09-basic":    "factur-x-1.09/BASIC/FACTUR-X_BASIC.xsd",
	"factur-x-1.09-en16931":  "factur-x-1.09/EN16931/FACTUR-X_EN16931.xsd",
	"factur-x-1.09-extended": "factur-x-1.09/EXTENDED/FACTUR-X_EXTENDED.xsd",
}

var library = schema.NewLibrary(os.DirFS(filepath.Join("..", "..", "rulesets")), "schemas")

func load(tb testing.TB, name string) *schema.Schema {
	tb.Helper()
	s, err := library.Schema(name)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func parse(tb testing.TB, data []byte) *source.Tree {
	tb.Helper()
	tree, err := xmlparse.Parse(data, xmlparse.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	return tree
}

// byRoot are the schemas by the root element of their documents.
var byRoot = map[string]string{"ubl:Invoice": "ubl-2.1-invoice", "cn:CreditNote": "ubl-2.1-creditnote", "rsm:CrossIndustryInvoice": "cii-d16b"}

func schemaFor(t *source.Tree) string { return byRoot[t.NameOf(t.Name(t.Root())).String()] }

// An oracle is github.com/jacoelho/xsd with a published schema.
type oracle struct{ engine *xsd.Engine }

var oracles sync.Map // by name, of func() (*xsd.Engine, error)

func newOracle(tb testing.TB, name string) oracle {
	tb.Helper()
	path := filepath.Join(shared, "schemas", filepath.FromSlash(published[name]))
	if _, err := os.Stat(path); err != nil {
		tb.Skip("the published schemas are not at ../shared/schemas")
	}
	compile, _ := oracles.LoadOrStore(name, sync.OnceValues(func() (*xsd.Engine, error) {
		return xsd.Compile(context.Background(), schemaSource(path))
	}))
	engine, err := compile.(func() (*xsd.Engine, error))()
	if err != nil {
		tb.Fatal(err)
	}
	return oracle{engine}
}

// schemaSource reads a schema document without its document type declaration. One of
// them has such a declaration, which the oracle refuses.
func schemaSource(path string) xsd.SchemaSource {
	data, err := os.ReadFile(path)
	if start := bytes.Index(data, []byte("<!DOCTYPE")); err == nil && start >= 0 {
		end := start + bytes.Index(data[start:], []byte("]>")) + len("]>")
		data = append(data[:start:start], data[end:]...)
	}
	return xsd.Bytes(path, data).WithResolver(xsd.ResolverFunc(func(_ context.Context, base, location string) (xsd.SchemaSource, error) {
		return schemaSource(filepath.Join(filepath.Dir(base), filepath.FromSlash(location))), nil
	}))
}

// refuses is the oracle's first objection to a document; nil if it has none.
// Objections to xsi:schemaLocation are ignored, because the attribute is not part of
// the document's content and libxml2 accepts any value.
func (o oracle) refuses(doc string) error {
	err := o.engine.ValidateWithOptions(context.Background(), strings.NewReader(doc), xsd.ValidateOptions{
		MaxErrors: 10, MaxInstanceTextBytes: 64 << 20, MaxInstanceTokenBytes: 64 << 20,
	})
	list := xsderrors.Errors{err}
	if several, ok := errors.AsType[xsderrors.Errors](err); ok {
		list = several
	}
	for _, one := range list {
		if one != nil && !strings.Contains(one.Error(), "chemaLocation") {
			return one
		}
	}
	return nil
}

// documents are the XML documents below a folder of the suites.
func documents(tb testing.TB, suite string) map[string][]byte {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(shared, "suites", filepath.FromSlash(suite), "*.xml"))
	if err != nil || len(files) == 0 {
		tb.Skipf("the suite %s is not at ../shared/suites", suite)
	}
	docs := map[string][]byte{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		docs[filepath.Base(f)] = data
	}
	return docs
}

var suites = []string{"cen-unit", "cen-examples", "xrechnung-schematron", "xrechnung-testsuite", "xrechnung-history", "zugferd-corpus/xml"}

// The verdict on each document of the suites is the same as the oracle's, and the same
// as the recorded one, which is libxml2's. CII documents are also checked with the
// schemas of all Factur-X profiles.
func TestSuites(t *testing.T) {
	for _, suite := range suites {
		t.Run(suite, func(t *testing.T) {
			docs := documents(t, suite)
			recorded := verdicts(t, suite)
			checks, invalid := 0, 0
			for i, file := range slices.Sorted(maps.Keys(docs)) {
				if !sampled.Takes(i, 4) {
					continue
				}
				tree := parse(t, docs[file])
				main := schemaFor(tree)
				if main == "" {
					continue
				}
				for name := range published {
					if name != main && (main != "cii-d16b" || !strings.HasPrefix(name, "factur-x")) {
						continue
					}
					faults := load(t, name).Check(tree, 100)
					checks++
					if len(faults) > 0 {
						invalid++
					}
					if objection := newOracle(t, name).refuses(tree.Data); (objection == nil) != (len(faults) == 0) {
						t.Errorf("%s, %s: the oracle says %v\nwe say %v", file, name, objection, messages(tree, faults))
					}
					if want, ok := recorded[file]; ok && name == main && want != (len(faults) == 0) {
						t.Errorf("%s: recorded as valid: %v\nwe say %v", file, want, messages(tree, faults))
					}
				}
			}
			t.Logf("%d documents, %d verdicts, %d of them invalid; %d are recorded", len(docs), checks, invalid, len(recorded))
		})
	}
}

func messages(t *source.Tree, faults []schema.Fault) string {
	var b strings.Builder
	for _, f := range faults {
		b.WriteString("\n\t" + f.Rule + " " + t.Path(f.Ref) + ": " + f.Message)
	}
	return b.String()
}

// verdicts are the recorded ones of a suite: whether a file is schema-valid.
func verdicts(tb testing.TB, suite string) map[string]bool {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(shared, "suites", filepath.FromSlash(suite), "verdicts.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string]bool{}
	for line := range bytes.Lines(data) {
		var v struct {
			File   string
			Schema *bool
		}
		if err := json.Unmarshal(line, &v); err != nil {
			tb.Fatal(err)
		}
		if v.Schema != nil {
			out[v.File] = *v.Schema
		}
	}
	return out
}
