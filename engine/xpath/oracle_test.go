package xpath_test

import (
	"bytes"
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
	container, err := ruletest.ReadContainer(rulesets.FS, "base")
	if err != nil {
		t.Fatal(err)
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
		compareOverModel(t, file, doc, overModel)
		compareOverSource(t, file, data, doc, overSource)
	}
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

// shippedContexts compiles the contexts of all shipped rules that are not left to
// antchfx anyway.
func shippedContexts(t *testing.T) (overModel map[string]*xpath.ModelSelection, overSource map[string][]*xpath.SourcePath) {
	t.Helper()
	overModel, overSource = map[string]*xpath.ModelSelection{}, map[string][]*xpath.SourcePath{}
	for text := range contexts(t) {
		u, err := xpath.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if !xpath.SelectsInSource(text) {
			selection, err := xpath.OverModel(u)
			if err != nil {
				t.Fatal(err)
			}
			if selection.Direct() {
				overModel[text] = selection
			}
			continue
		}
		for _, path := range u.Paths {
			p, err := xpath.OverSource(path)
			if err != nil {
				t.Fatal(err)
			}
			overSource[text] = append(overSource[text], p)
		}
	}
	return overModel, overSource
}

// contexts are the contexts of all shipped rules.
func contexts(t *testing.T) map[string]bool {
	t.Helper()
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for family, all := range versions {
		for _, version := range all {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Rules {
				for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
					if form, ok := r.Form(syntax); ok && form.Context.Value != "" {
						out[form.Context.Value] = true
					}
				}
			}
		}
	}
	return out
}

func enough() *budget.Budget { return budget.New(context.Background(), 1_000_000) }

func compareOverModel(t *testing.T, file string, doc *model.Document, contexts map[string]*xpath.ModelSelection) {
	t.Helper()
	for text, selection := range contexts {
		top := selection.Root().Of(doc)
		want, err := xpath.SelectWithAntchfx(text, top, enough())
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got := selection.Select(top, enough(), nil)
		if len(got) != len(want) {
			t.Errorf("%s: %s selects %d groups, XPath %d", file, text, len(got), len(want))
			continue
		}
		for _, o := range got {
			if !slices.Contains(want, o) {
				t.Errorf("%s: %s selects a group that XPath does not", file, text)
			}
		}
	}
}

func compareOverSource(t *testing.T, file string, data []byte, doc *model.Document, contexts map[string][]*xpath.SourcePath) {
	t.Helper()
	root, err := xmlquery.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	d := xpath.NewDispatcher[string]()
	for text, paths := range contexts {
		for _, p := range paths {
			d.Add(p, text)
		}
	}
	selected := map[string]map[source.Ref]bool{}
	err = d.Walk(&xpath.Evaluation{Tree: doc.Source, Budget: enough()}, func(text string, at source.Ref, err error) {
		if err != nil {
			t.Errorf("%s: %s: %v", file, text, err)
		}
		if selected[text] == nil {
			selected[text] = map[source.Ref]bool{}
		}
		selected[text][at] = true
	})
	if err != nil {
		t.Fatal(err)
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
