package cli

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"einvoice/model/sampled"
)

// walkedOverlay adds a rule, changes a level and sets a day.
const walkedOverlay = `overlay: walked
title: What is walked through
owner: Compliance of Walked
on: {profiles: [en16931]}
effective: {from: 2026-01-01}
levels:
  - {rules: [BR-CL-23], level: warning, reason: Units are new., until: 2099-12-31}
rules:
  - {id: WALK-1, level: fatal, context: /invoice, assert: 'filled(this.purchaseOrderReference) && this.purchaseOrderReference == "W"', btCodes: [BT-13], fields: [purchaseOrderReference], message: Write W., text: It is W., examples: [{passes: {purchaseOrderReference: W}}, {fires: base}]}
`

// A walk is how a command is run over a folder that has an overlay, and what it then says in
// every format and language that it has.
type walk struct {
	args []string
	says []string
	// without are formats that have no place for it; the walk is then in English alone.
	without []string
}

// walks are the commands that read overlays, by their names; walkFolders makes what they are run
// on. said is who an overlay is and who answers for it, and all, beside that, why and until when a
// level is another, the day that decided, and since when.
func walks(at *walkFolders) map[string][]walk {
	id := []string{"walked", "Compliance of Walked"}
	all := append(id[:2:2], "Units are new", "2099-12-31", "2026-11-20", "2026-01-01")
	written := append(id[:2:2], "Units are new", "2099-12-31", "WALK-1", "2026-01-01")
	return map[string][]walk{
		"validate": {
			{args: []string{"--overlay", at.rules, at.invoice}, says: all},
			{args: []string{"--overlay", at.rules, "--at", "2025-12-31", at.invoice}, says: append(id[:1:1], "2025-12-31"), without: []string{"gitlab"}}, // a list of findings alone
		},
		"rules list":        {{args: []string{"--rulesets", at.rules}, says: written}},
		"rules show":        {{args: []string{"--rulesets", at.rules, "walked"}, says: written}, {args: []string{"--rulesets", at.rules, "BR-CL-23"}, says: append(id[:2:2], "Units are new", "2099-12-31")}, {args: []string{"--rulesets", at.rules, "WALK-1"}, says: append(id[:2:2], "2026-01-01")}},
		"rules check":       {{args: []string{"--strict", at.wrong}, says: []string{"overlays/walked.yaml", "BR-CL-23"}}},
		"rules test":        {{args: []string{at.failing}, says: []string{"overlays/walked.yaml", "WALK-1"}}},
		"rules mutate":      {{args: []string{at.rules}, says: []string{"walked", "WALK-1"}}},
		"rules coverage":    {{args: []string{"--rulesets", at.rules, "--rules", "batch", "--all-rules", at.documents}, says: []string{"overlays/walked", "WALK-1"}}},
		"rules diff":        {{args: []string{at.before, at.rules, "--on", at.documents}, says: append(id[:2:2], "BR-CL-23")}, {args: []string{"en16931", at.rules, "--on", at.documents}, says: append(written[:5:5], "BR-CL-23")}},
		"rules at":          {{args: []string{at.digest, at.rules}, says: written}},
		"bulk run validate": {{args: []string{"--in", at.documents, "--out", at.out + "validate", "--overlay", at.rules}, says: []string{"WALK-1"}}},
		"bulk run impact":   {{args: []string{"--in", at.documents, "--out", at.out + "impact", "--old", at.before, "--new", at.rules}, says: []string{"changed     1", "BR-CL-23"}}},
		"bulk results":      {{args: []string{at.out + "validate"}, says: all}, {args: []string{at.out + "impact"}, says: append(id[:2:2], "BR-CL-23")}},
	}
}

// notWalked are the other commands that take rules or overlays, with why they say nothing of
// these.
var notWalked = map[string]string{
	"audit judge":        "its lines are those of validate -o jsonl, and its tests compare them",
	"archive judge":      "likewise",
	"archive add":        "likewise",
	"watch":              "likewise",
	"keys new":           "it writes names of overlays into a key; TestMandatoryOverlays has what they do",
	"serve":              "TestOverlays and TestContradictionsAreRefused ask the service",
	"kosit":              "its rules are those of a configuration of KoSIT's validator",
	"conformance":        "it compares with published verdicts, which know no overlays",
	"cel":                "it evaluates an expression, which no overlay changes",
	"convert":            "it makes a document; overlays of companies are for validation",
	"create":             "likewise",
	"embed":              "likewise",
	"bulk run convert":   "likewise",
	"bulk run extract":   "likewise",
	"bulk run parse":     "likewise",
	"bulk run render":    "likewise",
	"bulk run transform": "likewise",
	"rules export":       "it copies files of built-in rulesets",
	"rules import":       "it reads published Schematron",
	"rules prove":        "it holds rules against published files",
	"rules schema":       "it prints JSON Schemas",
	"rules log":          "it lists publications; TestPublicationsAreAChain publishes overlays",
	"rules functions":    "it prints the functions of the rule language",
}

// walkFolders are what commands are run on.
type walkFolders struct{ rules, before, wrong, failing, invoice, documents, out, digest string }

func newWalkFolders(t *testing.T) *walkFolders {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	folder := func(name, text string) string {
		write(name+"/overlays/walked.yaml", text)
		return filepath.Join(dir, name)
	}
	sample, err := os.ReadFile(filepath.Join(samples, "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	w := &walkFolders{
		rules: folder("rules", walkedOverlay), before: folder("before", strings.Replace(walkedOverlay, "level: warning", "level: information", 1)),
		wrong: folder("wrong", strings.Replace(walkedOverlay, "level: warning", "level: fatal", 1)), failing: folder("failing", strings.Replace(walkedOverlay, "{fires: base}", "{passes: base}", 1)),
		invoice: write("documents/invoice.xml", strings.ReplaceAll(string(sample), "HUR", "XXX")), out: filepath.Join(dir, "out-"), digest: fmt.Sprintf("%x", sha256.Sum256([]byte(walkedOverlay))),
	}
	w.documents = filepath.Dir(w.invoice)
	return w
}

// TestOverlayWalk walks through every command with a folder that has an overlay, in every format
// that its flag output completes and every language of the program. Each names the overlay and who
// answers for it; where findings are told, why a level is another, until when, and the day that
// decided. A command that takes rules or overlays, or is one of rules, cannot be left out of the
// walk without a reason.
func TestOverlayWalk(t *testing.T) {
	at := newWalkFolders(t)
	todo, known := walks(at), map[string]bool{}
	library, err := openLibrary()
	if err != nil {
		t.Fatal(err)
	}
	languages := library.Languages()
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			each(c)
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "einvoice ")
		takes := slices.ContainsFunc([]string{"overlay", "overlays", "over", "rulesets"}, func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }) || strings.HasPrefix(name, "rules ")
		if !cmd.Runnable() || cmd.HasSubCommands() || !takes && todo[name] == nil {
			return
		}
		known[name] = true
		if todo[name] == nil && notWalked[name] == "" {
			t.Errorf("%s takes rules or overlays: walk through it, or say why it says nothing of them", name)
		}
	}
	each(newRoot(Machines{}))
	for _, name := range slices.Sorted(maps.Keys(todo)) {
		if !known[name] {
			t.Errorf("there is no command %s", name)
		}
	}
	for name := range notWalked {
		if !known[name] {
			t.Errorf("there is no command %s, of which is said why it is left out", name)
		}
	}
	for _, name := range []string{"validate", "rules list", "rules show", "rules check", "rules test", "rules mutate", "rules coverage", "rules diff", "rules at", "bulk run validate", "bulk run impact", "bulk results"} {
		for _, w := range todo[name] {
			walkThrough(t, name, w, languages)
		}
		delete(todo, name)
	}
	for name := range todo {
		t.Errorf("%s was not walked through: say when", name)
	}
	for _, args := range [][]string{{"--explain", "BR-CL-23"}, {"--explain", "BR-CL-23", "-o", "json"}} {
		walkThrough(t, "validate", walk{args: append(args, "--overlay", at.rules, at.invoice), says: []string{"walked", "Compliance of Walked", "Units are new"}}, nil)
	}
}

// walkThrough runs a command in every format and language.
func walkThrough(t *testing.T, name string, w walk, languages []string) {
	t.Helper()
	command := strings.Fields(name)
	cmd, _, err := newRoot(Machines{}).Find(command)
	if err != nil {
		t.Fatal(err)
	}
	variants := [][]string{nil}
	if complete, has := cmd.GetFlagCompletionFunc("output"); has && languages != nil {
		formats, _ := complete(cmd, nil, "")
		variants = nil
		for _, format := range slices.DeleteFunc(slices.Clone(formats), func(f string) bool { return slices.Contains(w.without, f) }) {
			variants = append(variants, []string{"--output", format})
		}
	}
	if cmd.Flags().Lookup("language") != nil && languages != nil && w.without == nil {
		plain := variants
		variants = nil
		for i, v := range plain {
			for j, language := range languages {
				if !sampled.Takes(i+j, len(languages)) && (i > 0 || language != "en") {
					continue // each format is tried, and each language
				}
				variants = append(variants, append(v[:len(v):len(v)], "--language", language))
			}
		}
	}
	for i, v := range variants { // the first, and of the others one in three
		if i > 0 && !sampled.Takes(i+len(name), 3) {
			continue
		}
		args := slices.Concat(command, v, w.args)
		if i := slices.Index(args, "--out"); i > 0 && v != nil && !slices.Contains(v, "en") {
			args[i+1] += v[len(v)-1] // a job of its own
		}
		var out bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		if err := cmd.ExecuteContext(t.Context()); err != nil && !errors.Is(err, errInvalid) && !errors.Is(err, errReported) {
			t.Errorf("%s: %v", strings.Join(args, " "), err)
		}
		for _, part := range w.says {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s lacks %q: %.1200s", strings.Join(args, " "), part, out.String())
			}
		}
		if slices.Contains(v, "html") && slices.Contains(v, "--language") && hasTerms(t, v[len(v)-1]) && strings.Contains(out.String(), "Purchase order reference") {
			t.Errorf("%s has terms in English", strings.Join(args, " "))
		}
	}
}

// hasTerms reports whether the names of terms are in a language other than English: some
// languages have texts of rules alone.
func hasTerms(t *testing.T, tag string) bool {
	t.Helper()
	library, err := openLibrary()
	if err != nil {
		t.Fatal(err)
	}
	language, err := library.Language(tag)
	if err != nil {
		t.Fatal(err)
	}
	return language != nil && language.Whole()
}
