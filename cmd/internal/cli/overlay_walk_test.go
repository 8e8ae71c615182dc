package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/report"
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

// TestOverlayWalk walks through every command and every report with a folder that has an
// overlay. Each names the overlay and who answers for it; where findings are told, why a level is
// another and the day that decided; and no report leaves a document's overlay out that did not
// apply.
func TestOverlayWalk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rules, before := filepath.Join(dir, "rules"), filepath.Join(dir, "before")
	write("rules/overlays/walked.yaml", walkedOverlay)
	write("before/overlays/walked.yaml", strings.Replace(walkedOverlay, "level: warning", "level: information", 1))
	sample, err := os.ReadFile(filepath.Join(samples, "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	invoice := write("documents/invoice.xml", strings.ReplaceAll(string(sample), "HUR", "XXX"))
	documents := filepath.Dir(invoice)
	run := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		if err := cmd.ExecuteContext(t.Context()); err != nil && !errors.Is(err, errInvalid) && !errors.Is(err, errReported) {
			t.Errorf("%s: %v", strings.Join(args, " "), err)
		}
		return out.String()
	}
	asks := func(text, what string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q: %.1500s", what, part, text)
			}
		}
	}
	all := []string{"walked", "Compliance of Walked", "Units are new", "2099-12-31", "2026-11-20", "2026-01-01"}
	for _, format := range report.Formats {
		for _, language := range []string{"", "de", "fr"} {
			args := []string{"validate", "--overlay", rules, "-o", format.Name, invoice}
			if language != "" {
				args = append(args, "--language", language)
			}
			text := run(args...)
			asks(text, "validate -o "+format.Name+" "+language, all...)
			if language != "" && format.Name == "html" && strings.Contains(text, "Purchase order reference") {
				t.Errorf("the %s page has terms in English", language)
			}
		}
	}
	apart := run("validate", "--overlay", rules, "--at", "2025-12-31", invoice)
	asks(apart, "validate of a document that it is not for", "walked", "2025-12-31", "does not apply")
	page := run("validate", "--overlay", rules, "--at", "2025-12-31", "-o", "html", invoice)
	asks(page, "the page of a document that it is not for", "walked", "does not apply")
	asks(run("validate", "--overlay", rules, "--explain", "WALK-1", invoice), "explain", "walked", "Compliance of Walked", "2026-11-20")
	asks(run("validate", "--overlay", rules, "--explain", "BR-CL-23", invoice), "explain of a level", all...)
	asks(run("validate", "--overlay", rules, "--explain", "BR-CL-23", "-o", "json", invoice), "explain in JSON", "walked", "Compliance of Walked", "Units are new")
	asks(run("rules", "list", "--rulesets", rules), "rules list", "walked", "Compliance of Walked", "Units are new", "2099-12-31", "WALK-1", "2026-01-01")
	asks(run("rules", "show", "--rulesets", rules, "walked"), "rules show", "Compliance of Walked", "Units are new", "2099-12-31", "WALK-1", "2026-01-01")
	asks(run("rules", "show", "--rulesets", rules, "BR-CL-23"), "rules show of a rule", "walked", "Compliance of Walked", "Units are new", "2099-12-31")
	asks(run("rules", "show", "--rulesets", rules, "WALK-1"), "rules show of its rule", "walked", "Compliance of Walked", "2026-01-01")
	asks(run("rules", "check", "--strict", rules), "rules check", "1 overlay")
	asks(run("rules", "test", rules), "rules test", "2 passed")
	asks(run("rules", "mutate", rules), "rules mutate", "WALK-1")
	asks(run("rules", "coverage", "--rulesets", rules, "--all-rules", documents), "rules coverage", "overlays/walked", "WALK-1")
	asks(run("rules", "diff", "en16931", rules, "--on", documents), "rules diff", "walked", "Compliance of Walked", "Units are new", "WALK-1 fatal", "BR-CL-23 warning", "1 document of 1 decided differently")
	asks(run("rules", "diff", before, rules, "--on", documents), "rules diff of two folders", "walked", "Compliance of Walked", "- BR-CL-23 information", "+ BR-CL-23 warning")
	asks(run("bulk", "run", "impact", "--in", documents, "--out", filepath.Join(dir, "impact"), "--old", before, "--new", rules), "bulk run impact", "changed     1", "BR-CL-23")
	asks(run("bulk", "run", "validate", "--in", documents, "--out", filepath.Join(dir, "validate"), "--overlay", rules), "bulk run validate", "WALK-1")
}
