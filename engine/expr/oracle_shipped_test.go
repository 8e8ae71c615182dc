package expr_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	re "regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/ruletest"
	"einvoice/engine/xpath"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/model/source"
	"einvoice/rulesets"
)

var suites = flag.String("suites", "", "also compare with cel-go's interpreter on every document below this folder")

// judges are both ways to evaluate, with the code lists of a library.
func judges(t testing.TB, l *engine.Library) (*evaluator, *oracle) {
	t.Helper()
	lists := func(name string) (func(string) bool, error) {
		list, err := l.CodeList(name)
		if err != nil {
			return nil, err
		}
		return list.Contains, nil
	}
	o, err := newOracle(func(name, code string) (bool, error) {
		contains, err := lists(name)
		return err == nil && contains(code), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &evaluator{env: expr.NewEnvironment(expr.Options{CodeLists: lists})}, o
}

func shippedLibrary(t testing.TB) *engine.Library {
	t.Helper()
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func eachRule(t testing.TB, l *engine.Library, yield func(*engine.Rule)) {
	t.Helper()
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*engine.Rule]bool{}                             // versions share what they inherit
	for _, family := range slices.Sorted(maps.Keys(versions)) { // in one order, so that a sample is the same each time
		for _, version := range versions[family] {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Rules {
				if !seen[r] {
					seen[r] = true
					yield(r)
				}
			}
		}
	}
}

// A question is the expressions of rules that share a context.
type question struct {
	selection   *xpath.ModelSelection // nil where it selects in the source
	paths       []*xpath.SourcePath
	expressions map[string]bool
}

var inBraces = re.MustCompile(`\{([^}]+)\}`)

// questions are all assertions, and expressions in messages, by context.
type questions map[string]*question

func (q questions) add(t testing.TB, r *engine.Rule, syntax model.Syntax) {
	t.Helper()
	form, ok := r.Form(syntax)
	if !ok || r.Row != nil || form.Context.Value == "" {
		return
	}
	at := q[form.Context.Value]
	if at == nil {
		at = ask(t, form.Context.Value)
		q[form.Context.Value] = at
	}
	at.expressions[form.Assert.Value] = true
	for _, m := range inBraces.FindAllStringSubmatch(form.Message.Value, -1) {
		at.expressions[m[1]] = true
	}
}

func ask(t testing.TB, context string) *question {
	t.Helper()
	u, err := xpath.Parse(context)
	if err != nil {
		t.Fatal(err)
	}
	at := &question{expressions: map[string]bool{}}
	if !xpath.SelectsInSource(context) {
		at.selection, err = xpath.OverModel(u)
	}
	for _, path := range u.Paths {
		if at.selection == nil && err == nil {
			var p *xpath.SourcePath
			p, err = xpath.OverSource(path)
			at.paths = append(at.paths, p)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// nodes are what a document has for each question to be asked about.
func (q questions) nodes(doc *model.Document, yield func(*question, any)) error {
	d := xpath.NewDispatcher[*question]()
	for _, at := range q {
		if at.selection == nil {
			d.Add(at, at.paths...)
			continue
		}
		if top := at.selection.Root().Of(doc); top.Present() {
			for _, o := range at.selection.Select(&xpath.Evaluation{Budget: unlimited()}, top, nil) {
				yield(at, o)
			}
		}
	}
	if doc.Source == nil {
		return nil
	}
	return d.Walk(&xpath.Evaluation{Tree: doc.Source, Budget: unlimited()}, func(at *question, r source.Ref, _ error) { yield(at, r.Element()) })
}

// compare asks all questions about a document and counts the comparisons.
func (q questions) compare(t *testing.T, v *evaluator, o *oracle, name string, doc *model.Document) (compared int) {
	t.Helper()
	err := q.nodes(doc, func(at *question, this any) {
		for expression := range at.expressions {
			compared++
			if difference := differ(v, o, expression, doc, this); difference != "" {
				t.Errorf("%s: %s", name, difference)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return compared
}

// Every assertion of the shipped rules, and every expression in their messages,
// gives the same value, or none, as in cel-go's own interpreter: on each rule's
// examples, and on the documents that examples begin with.
func TestInterpreterAgreesOnExamples(t *testing.T) {
	l := shippedLibrary(t)
	v, o := judges(t, l)
	all := map[model.Syntax]questions{"": {}, model.UBL: {}, model.CII: {}}
	compared, rules := 0, 0
	eachRule(t, l, func(r *engine.Rule) {
		for syntax, q := range all {
			q.add(t, r, syntax)
		}
		if rules++; !sampled.Takes(rules, 5) {
			return
		}
		for i := range r.Examples() {
			doc, err := ruletest.Document(l, r, &r.Examples()[i], readDocument)
			if err != nil {
				t.Fatal(err)
			}
			own := questions{}
			own.add(t, r, doc.Syntax)
			compared += own.compare(t, v, o, r.ID, doc)
		}
	})
	container, err := ruletest.ReadContainer(rulesets.FS, "base")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"base-ubl.xml", "base-cii.xml"} {
		doc := example(t, name)
		doc.Container = container
		compared += all[doc.Syntax].compare(t, v, o, name, doc)
		doc.Source, doc.Syntax = nil, ""
		compared += all[""].compare(t, v, o, name+" without its document", doc)
	}
	if compared < 4000 || sampled.Whole() && compared < 12_000 {
		t.Errorf("only %d values were compared", compared)
	}
	t.Logf("%d values", compared)
}

func readDocument(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

// The same on every document of the suites; make cel-oracle runs it.
func TestInterpreterAgreesOnSuites(t *testing.T) {
	if *suites == "" {
		t.Skip("make cel-oracle compares on the documents of the suites")
	}
	files := documents(t, *suites)
	l := shippedLibrary(t)
	v, o := judges(t, l)
	all := map[model.Syntax]questions{model.UBL: {}, model.CII: {}}
	eachRule(t, l, func(r *engine.Rule) {
		for syntax, q := range all {
			q.add(t, r, syntax)
		}
	})
	var next, compared, read atomic.Int64
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := next.Add(1); int(i) <= len(files); i = next.Add(1) {
				data, err := os.ReadFile(files[i-1])
				if err != nil {
					t.Error(err)
					continue
				}
				doc, err := readDocument(data)
				if err != nil || all[doc.Syntax] == nil {
					continue // the suites hold a few documents in no syntax that has rules
				}
				read.Add(1)
				compared.Add(int64(all[doc.Syntax].compare(t, v, o, files[i-1], doc)))
			}
		})
	}
	wait.Wait()
	if read.Load() < 1000 {
		t.Errorf("only %d documents of %d were compared", read.Load(), len(files))
	}
	t.Logf("%d values on %d documents", compared.Load(), read.Load())
}

func documents(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".xml") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
