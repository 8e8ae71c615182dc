package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model/strictyaml"
	"einvoice/rulesets"
	"einvoice/service/proving"
)

var updatePages = flag.Bool("update-pages", false, "write the pages about proofs anew")

// proofs are the records in proofs, by name.
func proofs(t *testing.T) map[string]*proving.Record {
	t.Helper()
	files, err := filepath.Glob("proofs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no proofs: %v", err)
	}
	all := map[string]*proving.Record{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := &proving.Record{}
		if err := strictyaml.Decode(data, r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yaml")] = r
	}
	return all
}

// The table of proofs, the page of published faults and the pages of countries say what the records say.
func TestProofPages(t *testing.T) {
	all := proofs(t)
	page(t, "../docs/conformance.md", "<!-- proofs -->", "<!-- end of proofs -->", proofTable(all))
	page(t, "../docs/published-faults.md", "<!-- faults -->", "<!-- end of faults -->", faultTables(all, rulesThatFire(t)))
	for country, names := range countryRules {
		page(t, "../docs/countries/"+country+".md", "<!-- facts -->", "<!-- end of facts -->", countryFacts(t, all, country, names))
	}
}

// countryRules are the rulesets of each country that has a page.
var countryRules = map[string][]string{
	"nl": {"nlcius", "nlcius-gaccount"}, "ro": {"cius-ro"}, "hr": {"hr-eracun"}, "pt": {"cius-pt"},
	"be": {"ubl-be"}, "fr": {"fr-ctc", "fr-ctc-extended"},
}

// countryFacts are what the page of a country says of its rulesets, their proofs and their parity.
func countryFacts(t *testing.T, all map[string]*proving.Record, country string, names []string) string {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| ruleset | artefact | rules of its own | messages in |\n| --- | --- | --- | --- |\n")
	own := map[string]*proving.Record{}
	for _, name := range names {
		set, err := library.Ruleset(name)
		if err != nil {
			t.Fatal(err)
		}
		rules, source := library.OwnRules(set), set.Info()
		if all[name] == nil || source.Artefact == "" || len(set.Languages) == 0 {
			t.Fatalf("%s: no proof, artefact or language", name)
		}
		own[name] = all[name]
		fmt.Fprintf(&b, "| `%s/%s` | %s, %s | %d | en, %s |\n", name, set.Version, source.Artefact, source.ArtefactVersion, len(rules), strings.Join(set.Languages, ", "))
	}
	b.WriteString("\nOn documents that `einvoice rules prove` made, decided by the published files:\n")
	b.WriteString(proofTable(own))
	script, err := os.ReadFile("countries.sh")
	if err != nil {
		t.Fatal(err)
	}
	parity := regexp.MustCompile(country + `\) echo "country (\d+)/(\d+);`).FindSubmatch(script)
	if parity == nil {
		t.Fatalf("countries.sh expects nothing of %s", country)
	}
	fmt.Fprintf(&b, "On the documents of `../shared/countries/%s`, the verdicts of %s of %s are those of the published files (`make parity`).\n\n", country, parity[1], parity[2])
	return b.String()
}

// page holds a part of a page against what it is to be, or writes it.
func page(t *testing.T, file, from, to, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := bytes.Cut(data, []byte(from+"\n"))
	have, after, ended := bytes.Cut(rest, []byte(to))
	if !found || !ended {
		t.Fatalf("%s has no place for what is made: %s ... %s", file, from, to)
	}
	if string(have) == want {
		return
	}
	if !*updatePages {
		t.Fatalf("%s is not what conformance/proofs says: run make proof-pages", file)
	}
	out := slices.Concat(before, []byte(from+"\n"+want+to), after)
	if err := os.WriteFile(file, out, 0o644); err != nil {
		t.Fatal(err)
	}
}

func proofTable(all map[string]*proving.Record) string {
	var b strings.Builder
	b.WriteString("\n| rules | documents made | rules compared | fired and passed | did not fire | differ |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := all[name]
		var both, silent, compared int
		var differ []string
		for _, id := range slices.Sorted(maps.Keys(r.Rules)) {
			equal, fired, differs := r.Rules[id][0], r.Rules[id][1], r.Rules[id][2]
			if equal+differs == 0 {
				continue
			}
			compared++
			switch {
			case differs > 0:
				differ = append(differ, fmt.Sprintf("%s (%d of %d)", id, differs, equal+differs))
			case fired > 0 && equal > fired:
				both++
			case fired == 0:
				silent++
			}
		}
		if len(differ) == 0 {
			differ = []string{"none"}
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d of %d | %d | %d | %s |\n", name, r.Documents, compared, len(r.Rules), both, silent, strings.Join(differ, ", "))
	}
	return b.String() + "\n"
}

// remedies are what an expression should say in place of what is wrong.
var remedies = map[proving.FaultKind]string{
	proving.FaultMany:    "ask each of several (`every $x in ... satisfies ...`), or name the one that is meant (`...[1]`)",
	proving.FaultType:    "ask `castable as` before the value is taken for a number or a day",
	proving.FaultHidden:  "stand before the rule that takes its nodes, stand in a pattern of its own, or name elements that documents have",
	proving.FaultNothing: "say what document it is meant to refuse",
}

// rulesThatFire are the rules, as FAMILY/ID, that fire on one of their examples: that no made
// document fired them is then no fault of theirs.
func rulesThatFire(t *testing.T) map[string]bool {
	t.Helper()
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := library.Versions()
	if err != nil {
		t.Fatal(err)
	}
	fire := map[string]bool{}
	for family, all := range versions {
		for _, version := range all {
			set, err := library.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range set.Rules {
				for _, e := range r.Examples() {
					fire[family+"/"+r.ID] = fire[family+"/"+r.ID] || e.Fires
				}
			}
		}
	}
	return fire
}

func faultTables(all map[string]*proving.Record, fire map[string]bool) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		hidden := map[string]bool{} // that nothing fires these is said already
		for _, f := range all[name].Faults {
			hidden[f.Original+" "+f.Rule] = hidden[f.Original+" "+f.Rule] || f.Kind == proving.FaultHidden
		}
		faults := slices.DeleteFunc(slices.Clone(all[name].Faults), func(f proving.Fault) bool {
			return f.Kind == proving.FaultNothing && (fire[name+"/"+f.Rule] || hidden[f.Original+" "+f.Rule])
		})
		if len(faults) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| artefact, line | rule | what happens | smallest document | it should |\n| --- | --- | --- | --- | --- |\n", name)
		for _, f := range faults {
			happens := map[proving.FaultKind]string{
				proving.FaultMany: "stops on several: ", proving.FaultType: "stops: ", proving.FaultHidden: "never fires: ",
				proving.FaultNothing: fmt.Sprintf("held on all %d documents that were made for it", f.Count),
			}[f.Kind]
			document := "none fires it"
			if f.Kind == proving.FaultNothing {
				document = "none made for it fires it"
			}
			if f.Document != "" {
				document = code(f.Document, 240)
			}
			fmt.Fprintf(&b, "| %s:%d | %s | %s%s | %s | %s |\n", f.Original, f.Line, f.Rule, happens, cell(f.Why), document, remedies[f.Kind])
		}
	}
	return b.String() + "\n"
}

func code(s string, most int) string {
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + " ..."
	}
	return "`" + strings.ReplaceAll(cell(s), "`", "'") + "`"
}

func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", "\\|"), "<", "&lt;")
}
