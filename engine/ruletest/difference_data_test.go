package ruletest_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/ruletest"
)

// A dataChange is data that rules ask, before and after a change of nothing else.
type dataChange struct {
	before, after map[string]string // files
	asks          map[string]string // rules that ask it, by how
	told          string
}

var changedData = map[string]dataChange{
	"code list": {
		map[string]string{"codelists/sites.yaml": "list: sites\ntitle: Sites\ncodes: A B\n"},
		map[string]string{"codelists/sites.yaml": "list: sites\ntitle: Sites\ncodes: A\n"},
		listAsked, "code list sites",
	},
	"extended code list": {
		map[string]string{"codelists/sites.yaml": "list: sites\ntitle: Sites\nextends: [more]\n", "codelists/more.yaml": "list: more\ntitle: More\ncodes: A B\n"},
		map[string]string{"codelists/sites.yaml": "list: sites\ntitle: Sites\nextends: [more]\n", "codelists/more.yaml": "list: more\ntitle: More\ncodes: A\n"},
		listAsked, "code list sites",
	},
	"cell":     tableData("k,limit\nA,1\nB,2\n", "k,limit\nA,1\nB,3\n"),
	"row gone": tableData("k,limit\nA,1\nB,2\n", "k,limit\nA,1\n"),
	"row come": tableData("k,limit\nA,1\n", "k,limit\nA,1\nB,2\n"),
}

var listAsked = map[string]string{
	"assertion":   `- {id: R, level: fatal, context: /invoice, assert: 'this.number.isInCodeList("sites")', btCodes: [BT-1], message: m, text: t}`,
	"conjunction": `- {id: R, level: fatal, context: /invoice, assert: 'has(this.number) && this.number.isInCodeList("sites")', btCodes: [BT-1], message: m, text: t}`,
	"variant":     `- {id: R, level: fatal, context: /invoice, assert: has(this.number), btCodes: [BT-1], message: m, text: t, variants: {cii: {assert: 'this.number.isInCodeList("sites")', reason: why}}}`,
}

func tableData(before, after string) dataChange {
	declared := "table: limits\ntitle: Limits\nowner: Us\nkey: k\ncolumns: {k: text, limit: decimal}\n"
	return dataChange{
		map[string]string{"tables/limits.yaml": declared, "tables/limits.csv": before},
		map[string]string{"tables/limits.yaml": declared, "tables/limits.csv": after},
		map[string]string{
			"has":     `- {id: R, level: fatal, context: /invoice, assert: 'has(lookup("limits", this.number).limit)', btCodes: [BT-1], message: m, text: t}`,
			"value":   `- {id: R, level: fatal, context: /invoice, assert: 'orElse(lookup("limits", this.number).limit, 0) > 2', btCodes: [BT-1], message: m, text: t}`,
			"variant": `- {id: R, level: fatal, context: /invoice, assert: has(this.number), btCodes: [BT-1], message: m, text: t, variants: {cii: {assert: 'has(lookup("limits", this.number).limit)', reason: why}}}`,
		},
		"table limits",
	}
}

// Whatever data a rule asks, and wherever the rule is written: where the data changes, and
// nothing else does, its digest is another one, and the comparison of rules tells it.
func TestChangedData(t *testing.T) {
	homes := map[string]string{ // of the rule
		"own/1/own.yaml":    "ruleset: own\nversion: 1\nlayer: cius\nrules:\n  %s\n",
		"overlays/own.yaml": "overlay: own\ntitle: Own\nowner: Us\non: {rulesets: [base]}\nrules:\n  %s\n",
	}
	base := "ruleset: base\nversion: 1\nlayer: cius\nrules:\n  - {id: B, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], message: m, text: t}\n"
	for what, data := range changedData {
		for how, rule := range data.asks {
			for home, form := range homes {
				t.Run(fmt.Sprintf("%s in %s of %s", what, how, home), func(t *testing.T) {
					var libraries [2]*engine.Library
					var sets [2]*engine.Ruleset
					for i, files := range []map[string]string{data.before, data.after} {
						folder := fstest.MapFS{home: {Data: fmt.Appendf(nil, form, rule)}, "base/1/base.yaml": {Data: []byte(base)}}
						for name, text := range files {
							folder[name] = &fstest.MapFile{Data: []byte(text)}
						}
						libraries[i], sets[i] = rulesOf(t, folder, home)
					}
					if sets[0].SHA256 == sets[1].SHA256 {
						t.Error("the digest is the same")
					}
					changes, err := ruletest.CompareData(libraries[0], libraries[1], sets[0], sets[1])
					if err != nil || len(changes) != 1 || changes[0].Rule != data.told || len(changes[0].Parts) == 0 {
						t.Errorf("told: %v, %v", changes, err)
					}
					was, err := ruletest.Decisions(libraries[0], sets[0])
					if err != nil {
						t.Fatal(err)
					}
					is, err := ruletest.Decisions(libraries[1], sets[1])
					if err != nil || was["R"] == is["R"] {
						t.Errorf("the rule decides the same: %v", err)
					}
					if same, err := ruletest.CompareData(libraries[0], libraries[0], sets[0], sets[0]); err != nil || len(same) != 0 {
						t.Errorf("data differs from itself: %v, %v", same, err)
					}
				})
			}
		}
	}
}

func rulesOf(t *testing.T, folder fstest.MapFS, home string) (*engine.Library, *engine.Ruleset) {
	t.Helper()
	library, err := engine.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(home, "overlays/") {
		set, err := library.Ruleset("own")
		if err != nil {
			t.Fatal(err)
		}
		return library, set
	}
	o, err := library.Overlay("own")
	if err != nil {
		t.Fatal(err)
	}
	return library, o.Rules()
}
