package xpath_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/budget"
	"einvoice/engine/ruletest"
	"einvoice/engine/xpath"
	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/source"
	"einvoice/rulesets"

	"github.com/antchfx/xmlquery"
	antchfx "github.com/antchfx/xpath"
)

// antchfx/xpath is the oracle: over the invoice with the navigator over the
// model, over the source document with xmlquery's own parser, tree and navigator.
// It is not asked where it is known to be wrong.

// notCompared says why a context is not compared with antchfx/xpath; "" if it is.
func notCompared(t testing.TB, context string) string {
	t.Helper()
	x, err := xpath.ParseExpression(context)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	if err := x.Misread(); err != nil {
		return err.Error() // misread_test.go has the list, each with its reason
	}
	switch {
	case strings.Contains(context, "name("):
		return "xmlquery has the prefixes of the document in names"
	case strings.Contains(context, "@*"):
		return "xmlquery takes declarations of namespaces for attributes"
	}
	return ""
}

// A document is an XML document in both forms.
type document struct {
	tree  *source.Tree
	other *xmlquery.Node
	refs  map[*xmlquery.Node]source.Ref
}

func newDocument(t testing.TB, tree *source.Tree) *document {
	t.Helper()
	other, err := xmlquery.Parse(strings.NewReader(tree.Data))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{tree: tree, other: other, refs: map[*xmlquery.Node]source.Ref{}}
	var number func(n *xmlquery.Node)
	number = func(n *xmlquery.Node) {
		if n.Type == xmlquery.ElementNode {
			d.refs[n] = source.Ref(len(d.refs) + 1)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			number(c)
		}
	}
	number(other)
	return d
}

func parseDocument(t testing.TB, text string) *document {
	t.Helper()
	tree, err := xmlparse.Parse([]byte(text), xmlparse.DefaultLimits())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return newDocument(t, tree)
}

// byAntchfx is what antchfx/xpath and xmlquery select, in document order.
func (d *document) byAntchfx(t testing.TB, context string) []source.Ref {
	t.Helper()
	x, err := antchfx.CompileWithNS(context, source.Prefixes)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	var out []source.Ref
	for _, n := range xmlquery.QuerySelectorAll(d.other, x) {
		out = append(out, d.refs[n])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// walked is what a dispatcher finds of a context, in its order.
func (d *document) walked(t testing.TB, context string) []source.Ref {
	t.Helper()
	dispatcher := xpath.NewDispatcher[int]()
	dispatcher.Add(0, contextPaths(t, context)...)
	return d.walk(t, dispatcher)[0]
}

func contextPaths(t testing.TB, context string) (out []*xpath.SourcePath) {
	t.Helper()
	u, err := xpath.Parse(context)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	for _, path := range u.Paths {
		p, err := xpath.ContextOverSource(path)
		if err != nil {
			t.Fatalf("%s: %v", context, err)
		}
		out = append(out, p)
	}
	return out
}

func (d *document) walk(t testing.TB, dispatcher *xpath.Dispatcher[int]) map[int][]source.Ref {
	t.Helper()
	out := map[int][]source.Ref{}
	err := dispatcher.Walk(d.evaluation(), func(to int, at source.Ref, err error) {
		if err != nil {
			t.Errorf("context %d: %v", to, err)
		}
		out[to] = append(out[to], at)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// followed is what the paths of a context lead to from the root.
func (d *document) followed(t testing.TB, context string) (out []source.Ref) {
	t.Helper()
	x, err := xpath.ParseExpression(context)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.OverSourceFrom(d.evaluation(), 0)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	for _, n := range found.Nodes {
		out = append(out, n.At)
	}
	return out
}

func (d *document) evaluation() *xpath.Evaluation {
	e := &xpath.Evaluation{}
	e.Begin(d.tree, enough())
	return e
}

func enough() *budget.Budget { return budget.New(context.Background(), 10_000_000) }

// selected is what a context over the invoice selects.
func selected(t testing.TB, selection *xpath.ModelSelection, top model.Object) []model.Object {
	t.Helper()
	e := &xpath.Evaluation{}
	e.Begin(nil, enough())
	out := selection.Select(e, top, nil)
	if err := e.Budget.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func groupsByAntchfx(t testing.TB, context string, top model.Object) []model.Object {
	t.Helper()
	e := &xpath.Evaluation{}
	e.Begin(nil, enough())
	out, err := xpath.GroupsByAntchfx(context, e, top)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	return out
}

// The contexts of the shipped rules select the same nodes, in the same order,
// whichever way they are evaluated.
func TestShippedContextsSelectWhatXPathSelects(t *testing.T) {
	container, err := ruletest.ReadContainer(rulesets.FS, "base")
	if err != nil {
		t.Fatal(err)
	}
	overModel, overSource := map[string]*xpath.ModelSelection{}, []string{}
	dispatcher := xpath.NewDispatcher[int]()
	for _, text := range shippedContexts(t) {
		if notCompared(t, text) != "" {
			continue
		}
		if !xpath.SelectsInSource(text) {
			overModel[text] = overTheModel(t, text)
			continue
		}
		dispatcher.Add(len(overSource), contextPaths(t, text)...)
		overSource = append(overSource, text)
	}
	if len(overModel) < 50 || len(overSource) < 50 {
		t.Fatalf("%d contexts over the invoice and %d over the source are too few", len(overModel), len(overSource))
	}
	for _, file := range oracleDocuments(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			continue // the suites hold a few documents in no known syntax
		}
		doc.Container = container
		for text, selection := range overModel {
			top := selection.Root().Of(doc)
			if got, want := selected(t, selection, top), groupsByAntchfx(t, text, top); !slices.Equal(got, want) {
				t.Errorf("%s: %s selects %d groups, XPath %d", file, text, len(got), len(want))
			}
		}
		d := newDocument(t, doc.Source)
		found := d.walk(t, dispatcher)
		for i, text := range overSource {
			if want := d.byAntchfx(t, text); !slices.Equal(found[i], want) {
				t.Errorf("%s: %s selects %v, XPath %v", file, text, found[i], want)
			}
		}
	}
}

func overTheModel(t testing.TB, context string) *xpath.ModelSelection {
	t.Helper()
	u, err := xpath.Parse(context)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	selection, err := xpath.OverModel(u)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	return selection
}

func oracleDocuments(t *testing.T) []string {
	files, err := filepath.Glob("../../rulesets/examples/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	suites, err := filepath.Glob("../../../shared/suites/xrechnung-testsuite/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) == 0 {
		t.Log("../shared/suites is not there: only the project's own documents are compared")
	}
	return append(files, suites...)
}

// shippedContexts are the contexts of all shipped rules, each once.
func shippedContexts(t *testing.T) []string {
	t.Helper()
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for family, all := range versions {
		for _, version := range all {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Rules {
				for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
					if form, ok := r.Form(syntax); ok && form.Context.Value != "" {
						out = append(out, form.Context.Value)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Contexts generated from the grammar select the same nodes over generated
// documents and invoices, in the same order, whichever way they are evaluated:
// walked upwards, followed downwards, by direct accessors, by antchfx/xpath, and
// over the invoice written as XML.
func FuzzContexts(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compareGenerated(t, newGenerator(seed), &tally{}) })
}

func TestGeneratedContexts(t *testing.T) {
	var all tally
	for seed := range uint64(300) {
		compareGenerated(t, newGenerator(seed), &all)
	}
	if all.source < 400 || all.model < 1000 { // of 3,000 each, many of which select nothing
		t.Errorf("of contexts that select something, antchfx/xpath was asked about %d over the source and %d over the invoice: too few", all.source, all.model)
	}
}

// A tally counts the contexts that selected something and were compared with
// antchfx/xpath.
type tally struct{ source, model int }

func compareGenerated(t *testing.T, g *generator, all *tally) {
	t.Helper()
	d := parseDocument(t, g.document())
	for range 10 {
		all.source += compareOverSource(t, d, g.context())
	}
	inv := g.invoice()
	written := newXMLInvoice(inv)
	asXML := parseDocument(t, written.text.String())
	for range 10 {
		all.model += compareOverModel(t, inv, written.groups, asXML, g.modelContext())
	}
}

func compareOverSource(t *testing.T, d *document, context string) int {
	t.Helper()
	got := d.walked(t, context)
	if other := d.followed(t, context); !slices.Equal(got, other) {
		t.Errorf("%s selects %v walking up, %v going down\n%s", context, got, other, d.tree.Data)
	}
	if notCompared(t, context) != "" {
		return 0
	}
	if want := d.byAntchfx(t, context); !slices.Equal(got, want) {
		t.Errorf("%s selects %v, XPath %v\n%s", context, got, want, d.tree.Data)
	}
	return min(1, len(got))
}

func compareOverModel(t *testing.T, inv *model.Invoice, groups map[source.Ref]model.Object, asXML *document, context string) int {
	t.Helper()
	u, err := xpath.Parse(context)
	if err != nil {
		t.Fatalf("%s: %v", context, err)
	}
	selection, err := xpath.OverModel(u)
	if err != nil {
		return 0 // it can lead nowhere, or asks what antchfx/xpath is not trusted with
	}
	top := model.ObjectOf(inv)
	got := selected(t, selection, top)
	var other []model.Object
	for _, r := range asXML.walked(t, overXML(context)) {
		other = append(other, groups[r])
	}
	if !slices.Equal(got, other) {
		t.Errorf("%s selects %d groups, and %d of the invoice as XML\n%s", context, len(got), len(other), asXML.tree.Data)
	}
	if notCompared(t, context) != "" {
		return 0
	}
	if want := groupsByAntchfx(t, context, top); !slices.Equal(got, want) {
		t.Errorf("%s selects %d groups, XPath %d\n%s", context, len(got), len(want), asXML.tree.Data)
	}
	return min(1, len(got))
}
