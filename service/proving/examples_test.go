package proving

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
)

var exampleProofs = flag.String("examples-of", "", "the names of conformance/prove.sh whose examples Saxon decides, by commas")

// The published stylesheets decide the examples of rules as the examples say.
func TestExamplesAsPublished(t *testing.T) {
	if *phiveFolder == "" {
		t.Skip("say where phax/phive-rules is checked out: -phive FOLDER")
	}
	saxon := Saxon{Jars: *saxonFolder}
	if err := saxon.Ready(); err != nil {
		t.Skip(err)
	}
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../conformance/prove.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^run (\S+) \S+ (\S+) (.*)$`).FindAllStringSubmatch(string(script), -1) {
		if *exampleProofs != "" && !strings.Contains(","+*exampleProofs+",", ","+line[1]+",") {
			continue
		}
		set, err := library.Ruleset(line[2])
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range strings.Fields(line[3]) {
			file = strings.ReplaceAll(file, "$s", "src/main/resources/external/schematron")
			for _, one := range braced(file) {
				t.Run(filepath.Base(one), func(t *testing.T) {
					examplesAsPublished(t, library, set, saxon, filepath.Join(*phiveFolder, "phive-rules-"+one))
				})
			}
		}
	}
}

// braced is a word with the texts in braces put in, one at a time.
func braced(word string) []string {
	before, rest, found := strings.Cut(word, "{")
	all, after, _ := strings.Cut(rest, "}")
	if !found {
		return []string{word}
	}
	var out []string
	for _, part := range strings.Split(all, ",") {
		out = append(out, before+part+after)
	}
	return out
}

func examplesAsPublished(t *testing.T, library *engine.Library, set *engine.Ruleset, saxon Saxon, file string) {
	s, err := readSheet(file)
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]bool{}
	for _, a := range s.asserts {
		published[a.ID] = true
	}
	type shown struct {
		rule  *engine.Rule
		fires bool
		data  string
	}
	var all []shown
	var data [][]byte
	for _, r := range set.Rules {
		for i := range r.Examples() {
			e := &r.Examples()[i]
			doc, err := ruletest.Document(library, r, e, func(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) })
			if err != nil {
				t.Fatal(r.ID, err)
			}
			if !published[r.ID] || doc.Source == nil || doc.Syntax != s.syntax() {
				continue
			}
			written := ruletest.DraftOf(doc.Source, doc.Source.Root()).Write()
			all, data = append(all, shown{r, e.Fires, string(written)}), append(data, written)
		}
	}
	theirs, stops, err := saxon.run(t.Context(), file, data)
	if err != nil {
		t.Fatal(err)
	}
	stopped := 0
	for i, e := range all {
		if theirs[i] == nil {
			stopped++
			t.Logf("%s: the stylesheet stops on an example (fires: %v): %s", e.rule.ID, e.fires, stops[i].why)
			continue
		}
		if _, fired := theirs[i][e.rule.ID]; fired != e.fires {
			t.Errorf("%s: the example says %v, the stylesheet %v: %s", e.rule.ID, e.fires, fired, e.data)
		}
	}
	t.Logf("%d examples, the stylesheet stops on %d", len(all), stopped)
}
