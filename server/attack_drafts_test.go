package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/model/reserve"
	"einvoice/model/sampled"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// hostileDrafts are files of rules, by the names of hostileFamilies, that are much to read, have many
// mistakes, or whose rules come to far more than is written.
func hostileDrafts() map[string][]byte {
	const head = "ruleset: own\nversion: 1\nlayer: cius\n"
	rules := func(n int, id, assert, message string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  {id: '%s-%d', level: fatal, context: /invoice, assert: '%s', btCodes: [BT-10], fields: [buyerReference], message: '%s', text: It is there.},", id, i, assert, message)
		}
		return "[" + b.String() + "]\n"
	}
	lines := func(rules string) string { return strings.ReplaceAll(rules, "},", "},\n") }
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const filled, misspelt = "filled(this.buyerReference)", "filled(this.buyerReferenc)"
	all := map[string]string{
		"rules.yaml":     "rules: " + lines(rules(5000, "OWN", filled, "State it.")),
		"mistakes.yaml":  "rules: " + lines(rules(5000, "OWN", misspelt, "State it.")),
		"one-line.yaml":  "rules: " + rules(5000, "OWN", misspelt, "State it."),
		"long.yaml":      "rules: " + rules(1, "OWN", filled+strings.Repeat(" || "+filled, 20_000), "State it."),
		"ones.yaml":      "rules: [" + strings.Repeat("1,", 500_000) + "]\n",
		"mappings.yaml":  "rules: [" + strings.Repeat("{a: 1},", 140_000) + "]\n",
		"items.yaml":     "rules:\n" + strings.Repeat("- 1\n", 250_000),
		"deep.yaml":      "rules: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "\n",
		"repeat.yaml":    "repeat:\n  - for: [" + numbered(2000, "{n: '%d'},") + "]\n    rules: " + rules(2000, "OWN-${n}", filled, "State it."),
		"constants.yaml": "constants: {a: '" + strings.Repeat("a", 100_000) + "'}\nrules: " + rules(500, "OWN", filled, strings.Repeat("${a}", 300)),
		"commas.yaml":    "repeat:\n  - for: [{a: '" + strings.Repeat("BT-10,", 50_000) + "'}]\n    rules: " + strings.ReplaceAll(rules(2000, "OWN", filled, "State it."), "[BT-10]", "['${a}']"),
		"table.yaml":     "tables: [{kind: absent, on: ubl, level: warning, context: /a" + strings.Repeat("a", 400_000) + ", rows: {" + numbered(4900, "T-%d: cbc:ID,") + "}}]\n",
		"contexts.yaml":  "tables: [{kind: absent, on: ubl, level: warning, context: /a" + strings.Repeat("a", 400_000) + ", contexts: {" + numbered(4900, "c%d: {T-%[1]d: cbc:ID},") + "}}]\n",
	}
	var patterns strings.Builder // of a few characters, and a thousand instructions each
	for i := range 300 {
		fmt.Fprintf(&patterns, "  {id: P-%d, level: fatal, context: /invoice, assert: 'this.number.matches(\"a%[1]d{999}|b%[1]d{999}|c%[1]d{999}\")', btCodes: [BT-1], fields: [number], message: State it., text: It is there.},\n", i)
	}
	all["patterns.yaml"] = "rules: [" + patterns.String() + "]\n"
	out := map[string][]byte{}
	for name, text := range all {
		out[name] = []byte(head + text)
	}
	return out
}

// No draft takes more memory than its call asks for.
func TestDraftCost(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	desk := func() *workbench.Desk { return workbench.New(s, workbench.Config{}) }
	empty, _ := json.Marshal(map[string]any{})
	_, _ = desk().Call(t.Context(), "rules", empty) // compiles what is compiled on first use
	drafts := hostileDrafts()
	for i, name := range slices.Sorted(maps.Keys(drafts)) {
		if !sampled.Takes(i, 9) {
			continue
		}
		for _, call := range []string{"draft", "rules"} {
			body, err := json.Marshal(map[string]any{"draft": map[string]string{"own/1/rules.yaml": string(drafts[name])}})
			if err != nil {
				t.Fatal(err)
			}
			var took, asked []int64
			var failed error
			for range 3 { // a peak has what the collector was too slow for, beside what the work needs
				grant := int64(0)
				until, end := context.WithTimeout(t.Context(), 2*time.Second) // 5,000 rules are compared each with each
				ctx := reserve.With(until, func(n int64) error { grant += n; return nil })
				took = append(took, peak(func() { _, failed = desk().Call(ctx, call, body) }))
				asked = append(asked, grant)
				end()
				if slices.Min(took) <= grant+heapSlack {
					break
				}
			}
			t.Logf("%-5s of %-14s: %6.1f of %6.1f MB that are asked for; %.60v", call, name, float64(slices.Min(took))/1e6, float64(asked[0])/1e6, failed)
			if slices.Min(took) > asked[0]+heapSlack {
				t.Errorf("%s of %s took %d bytes, and asked for %d", call, name, slices.Min(took), asked[0])
			}
		}
	}
}
