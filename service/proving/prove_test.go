package proving

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/importer"
	"einvoice/service/validate"
)

const sample = "../importer/testdata/sample.sch"

// translated is the sample of the importer as rules.
func translated(t *testing.T) *engine.Library {
	t.Helper()
	structure, err := validate.Structure()
	if err != nil {
		t.Fatal(err)
	}
	out, err := importer.Import(os.DirFS(filepath.Dir(sample)), filepath.Base(sample), importer.Options{Structure: structure})
	if err != nil {
		t.Fatal(err)
	}
	l, err := importer.Try(importer.Header{Ruleset: "sample", Version: "1", Layer: "cius"}, out.Rules, out.CodeLists, rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Documents are made from what an assert says alone, and have each of them fire and pass. None
// is made for a context that names no element, and S-23 holds for every node of its context.
func TestDocumentsFireAndPass(t *testing.T) {
	l := translated(t)
	p, err := newProving(l, Options{Rulesets: []string{"sample"}})
	if err != nil {
		t.Fatal(err)
	}
	if p.bases, err = bases(l, ""); err != nil {
		t.Fatal(err)
	}
	s, err := readSheet(sample)
	if err != nil {
		t.Fatal(err)
	}
	fit := 0
	seen := map[string][2]bool{} // passed, fired
	for _, a := range s.asserts {
		if !p.has[model.UBL][a.ID] {
			continue
		}
		made, again := a.documents(p.bases, 90, 0), a.documents(p.bases, 90, 0)
		for i, m := range made {
			m.data = m.write()
			if !bytes.Equal(m.data, again[i].write()) {
				t.Fatalf("%s: made another time it is another document", m)
			}
			verdict, err := p.decideOne(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if verdict == nil {
				continue
			}
			fit++
			both := seen[a.ID]
			both[0], both[1] = both[0] || verdict[a.ID] == "", both[1] || verdict[a.ID] != ""
			seen[a.ID] = both
		}
	}
	unmade := map[string][2]bool{"N-01": {true, false}, "N-02": {true, false}, "S-23": {false, false}}
	for id := range p.has[model.UBL] {
		want, known := unmade[id]
		if !known {
			want = [2]bool{true, true}
		}
		if both := seen[id]; both != want {
			t.Errorf("%s: passed %t, fired %t", id, both[0], both[1])
		}
	}
	if fit < 200 {
		t.Errorf("only %d documents fit their schema", fit)
	}
}

// What a stylesheet says before it stops is not a verdict.
func TestReadingSaxon(t *testing.T) {
	const said = "Type error at char 44 in expression in xsl:when/@test on line 1496 column 82 of ro-ubl.xslt:\n  XPTY0004  A sequence\n" +
		"While processing 000007.xml: A sequence of more than one item is not allowed (\"NOTE1\", \"NOTE1\") \n"
	if got := stopsIn(said)[7]; got != (stop{"A sequence of more than one item is not allowed", 1496}) {
		t.Errorf("%+v", got)
	}
	got := readSVRL([]byte(`<o><failed-assert id="A" flag="warning"/><failed-assert id="A" flag="fatal"/><successful-report id="B" role="info"/></o>`))
	if len(got) != 2 || got["A"] != engine.Fatal || got["B"] != engine.Information {
		t.Errorf("%v", got)
	}
	if readSVRL([]byte(`<o><failed-assert id="A"/>`)) != nil {
		t.Error("a report that ends early is taken for a verdict")
	}
}

// Recorded verdicts are compared rule by rule, and one that is wrong is found.
func TestRecorded(t *testing.T) {
	l := translated(t)
	folder := t.TempDir()
	data, err := os.ReadFile("../../rulesets/examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.xml"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("sample")
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := levelsOf(t.Context(), v, doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule    string
		differs int
	}{{"", 0}, {"S-01", 1}} {
		recorded := map[string]engine.Level{}
		for id, level := range verdict {
			recorded[id] = level
		}
		if c.rule != "" {
			recorded[c.rule] = engine.Fatal
		}
		p, err := Recorded(t.Context(), l, []string{"sample"}, folder, map[string]map[string]engine.Level{"a.xml": recorded})
		if err != nil {
			t.Fatal(err)
		}
		if p.Differs() != c.differs || p.Documents != 1 {
			t.Errorf("%q: %d differ, %d documents", c.rule, p.Differs(), p.Documents)
		}
	}
	if _, err := Recorded(t.Context(), l, []string{"sample"}, folder, nil); err == nil {
		t.Error("without verdicts nothing was compared")
	}
	if err := (Saxon{Jars: folder}).Ready(); err == nil {
		t.Error("a folder without libraries is taken for Saxon")
	}
}
