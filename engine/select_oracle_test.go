package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/source"
	"einvoice/rulesets"

	"github.com/antchfx/xmlquery"
	antchfx "github.com/antchfx/xpath"
)

// The contexts of the shipped rules select the same nodes whichever way they are
// run: over the invoice by direct accessors and by antchfx/xpath, over the source
// document by the dispatcher and by antchfx/xpath on xmlquery's own tree.
func TestContextsSelectWhatXPathSelects(t *testing.T) {
	overModel, overSource := shippedContexts(t)
	if len(overModel) < 50 || len(overSource) < 50 {
		t.Fatalf("%d contexts over the invoice and %d over the source are too few", len(overModel), len(overSource))
	}
	container := baseContainer(t)
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
		compareOverModel(t, file, doc, overModel)
		compareOverSource(t, file, data, doc, overSource)
	}
}

func oracleDocuments(t *testing.T) []string {
	files, err := filepath.Glob("../rulesets/examples/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	suites, err := filepath.Glob("../../shared/suites/xrechnung-testsuite/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) == 0 {
		t.Log("../shared/suites is not there: only the project's own documents are compared")
	}
	return append(files, suites...)
}

func shippedContexts(t *testing.T) (overModel map[string]*modelSelector, overSource map[string][]*sourcePath) {
	t.Helper()
	l, err := Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	overModel, overSource = map[string]*modelSelector{}, map[string][]*sourcePath{}
	for family, all := range versions {
		for _, version := range all {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Rules {
				for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
					form, ok := r.in(syntax)
					if !ok || form.context == "" {
						continue
					}
					g, err := compileContext(form.context)
					if err != nil {
						t.Fatal(err)
					}
					if g.onSource() {
						overSource[form.context] = g.paths
					} else if g.selector.foreign == nil {
						overModel[form.context] = g.selector
					}
				}
			}
		}
	}
	return overModel, overSource
}

func compareOverModel(t *testing.T, file string, doc *model.Document, contexts map[string]*modelSelector) {
	t.Helper()
	for text, selector := range contexts {
		compiled, err := antchfx.Compile(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		top := selector.root.of(doc)
		want := evaluateOnModel(compiled, top, nil)
		got := selector.selectFrom(top, nil)
		if len(got) != len(want) {
			t.Errorf("%s: %s selects %d groups, XPath %d", file, text, len(got), len(want))
			continue
		}
		for _, o := range got {
			if !containsObject(want, o) {
				t.Errorf("%s: %s selects a group that XPath does not", file, text)
			}
		}
	}
}

func containsObject(list []model.Object, o model.Object) bool {
	for _, have := range list {
		if have == o {
			return true
		}
	}
	return false
}

func compareOverSource(t *testing.T, file string, data []byte, doc *model.Document, contexts map[string][]*sourcePath) {
	t.Helper()
	root, err := xmlquery.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	d := newDispatcher()
	groups := map[string]*contextGroup{}
	for text, paths := range contexts {
		groups[text] = &contextGroup{text: text, paths: paths}
		for _, p := range paths {
			d.add(&pattern{path: p, group: groups[text]})
		}
	}
	selected := map[string]map[source.Node]bool{}
	for n := doc.Source.Root(); int(n) < len(doc.Source.Elements); n++ {
		d.element(doc.Source, n, func(p *pattern) {
			if selected[p.group.text] == nil {
				selected[p.group.text] = map[source.Node]bool{}
			}
			selected[p.group.text][n] = true
		})
	}
	for text := range contexts {
		if strings.Contains(text, "upper-case") || strings.Contains(text, "name()") || strings.Contains(text, "true()") || strings.Contains(text, "false()") {
			continue // XPath 2.0's, or names with the prefixes of the document
		}
		compiled, err := antchfx.CompileWithNS(text, source.Prefixes)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if want := len(xmlquery.QuerySelectorAll(root, compiled)); want != len(selected[text]) {
			t.Errorf("%s: %s selects %d elements, XPath %d", file, text, len(selected[text]), want)
		}
	}
}
