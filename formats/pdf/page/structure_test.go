package page_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	pdfmodel "github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// structure is the content of the structure tree of a PDF.
type structure struct {
	*testing.T
	ctx    *pdfmodel.Context
	tags   map[string]int
	scopes map[string]int
	mcids  int // marked-content sequences
	alts   int
}

// Headings, tables, header cells and figures are structure elements, and each
// marked-content sequence of a page is in the tree.
func TestStructure(t *testing.T) {
	r := printed(t, small(t, 120), page.Options{Language: "de"})
	conf := &pdfmodel.Configuration{
		Reader15: true, ValidationMode: pdfmodel.ValidationRelaxed, Offline: true, Limits: pdfmodel.DefaultResourceLimits(),
	}
	ctx, err := pdfcpu.ReadWithContext(context.Background(), bytes.NewReader(r.Data), conf)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := ctx.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	if lang := catalog.StringEntry("Lang"); lang == nil || *lang != "de" {
		t.Error("the language is not said")
	}
	if marked := catalog.DictEntry("MarkInfo").BooleanEntry("Marked"); marked == nil || !*marked {
		t.Error("the document does not say that it is tagged")
	}
	if shown := catalog.DictEntry("ViewerPreferences").BooleanEntry("DisplayDocTitle"); shown == nil || !*shown {
		t.Error("the title is not shown")
	}
	o := &structure{T: t, ctx: ctx, tags: map[string]int{}, scopes: map[string]int{}}
	root := o.dict(catalog["StructTreeRoot"])
	o.element(root["K"])
	for tag, least := range map[string]int{
		"Document": 1, "H1": 1, "H2": 3, "Table": 3, "THead": 2, "TR": 124, "TH": 10, "TD": 720, "P": 5, "Figure": 1,
	} {
		if o.tags[tag] < least {
			t.Errorf("there are %d %s, want %d", o.tags[tag], tag, least)
		}
	}
	if o.tags["H1"] != 1 || o.scopes["Column"]+o.scopes["Row"] != o.tags["TH"] || o.scopes["Row"] == 0 || o.alts != o.tags["Figure"] {
		t.Errorf("tags %v, scopes %v, %d figures described", o.tags, o.scopes, o.alts)
	}
	parents := 0
	numbers := o.array(o.dict(root["ParentTree"])["Nums"])
	for i := 1; i < len(numbers); i += 2 {
		for _, parent := range o.array(numbers[i]) {
			if parent == nil {
				t.Fatal("a marked-content sequence has no parent")
			}
			parents++
		}
	}
	if len(numbers) != 2*r.Pages || parents != o.mcids {
		t.Errorf("%d pages with %d sequences are in the parent tree, want %d with %d", len(numbers)/2, parents, r.Pages, o.mcids)
	}
}

func (o *structure) dict(of types.Object) types.Dict {
	o.Helper()
	d, err := o.ctx.DereferenceDict(of)
	if err != nil {
		o.Fatal(err)
	}
	return d
}

func (o *structure) array(of types.Object) types.Array {
	o.Helper()
	a, err := o.ctx.DereferenceArray(of)
	if err != nil {
		o.Fatal(err)
	}
	return a
}

func (o *structure) element(of types.Object) {
	switch k := of.(type) {
	case types.Integer:
		o.mcids++
		return
	case types.Array:
		for _, kid := range k {
			o.element(kid)
		}
		return
	case nil:
		return
	}
	d := o.dict(of)
	if d["MCID"] != nil { // a marked-content reference: the sequence is on another page
		o.mcids++
		return
	}
	o.tags[*d.NameEntry("S")]++
	if a := d.DictEntry("A"); a != nil && a["Scope"] != nil {
		o.scopes[*a.NameEntry("Scope")]++
	}
	if d["Alt"] != nil {
		o.alts++
	}
	o.element(d["K"])
}

// Each test that the decision on pages names as the one that holds a promise exists.
func TestPromisesHaveTests(t *testing.T) {
	const root = "../../.."
	promises, err := os.ReadFile(filepath.Join(root, "docs/adr/0023-pages.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, folder := range []string{"formats/pdf", "conformance", "engine", "service/embed", "service/create", "cmd/internal/cli"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			tests.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	named := regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllSubmatch(promises, -1)
	for _, m := range named {
		if !strings.Contains(tests.String(), "func "+string(m[1])+"(") {
			t.Errorf("there is no %s", m[1])
		}
	}
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
}
