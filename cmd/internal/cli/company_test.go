package cli

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	companyBinary = flag.String("company-binary", "", "the program, to be timed with five hundred rules of a company")
	companyFrom   = flag.String("company-documents", "", "a folder of invoices to time the rules on, in place of the samples")
)

const (
	companyRules     = 500
	companyDocuments = 1500
	companyRuns      = 7 // of which the fastest counts, as other programs run beside
)

// TestCompanyRules times what five hundred rules of a company cost: to check them, to start
// with them, and on documents. It prints figures and asserts that the runs came out as they
// should, not how long they took.
func TestCompanyRules(t *testing.T) {
	if *companyBinary == "" {
		t.Skip("skipped: make company runs this with the program")
	}
	dir := t.TempDir()
	rules := companyFolder(t, dir)
	one := filepath.Join(samples, "ubl-valid.xml")
	many := companyInvoices(t, filepath.Join(dir, "invoices"))
	check := fastest(t, "rules", "check", "--strict", rules)
	startPlain := fastest(t, "validate", one)
	start := fastest(t, "validate", "--overlay", rules, one)
	plain := fastest(t, "validate", "-o", "jsonl", many)
	with := fastest(t, "validate", "-o", "jsonl", "--overlay", rules, many)
	for i, what := range []string{"time", "time of processors"} {
		t.Logf("%s: check of %d rules: %d ms", what, companyRules, check[i].Milliseconds())
		t.Logf("%s: one document: %d ms, with the rules %d ms: %d ms more", what, startPlain[i].Milliseconds(), start[i].Milliseconds(), (start[i] - startPlain[i]).Milliseconds())
		t.Logf("%s: %d documents: %d ms, with the rules %d ms: %.2f times as long", what, companyDocuments, plain[i].Milliseconds(), with[i].Milliseconds(), with[i].Seconds()/plain[i].Seconds())
	}
}

// fastest is how long the program takes at best, and how long processors work for it at
// best; a run that cannot read something fails.
func fastest(t *testing.T, args ...string) [2]time.Duration {
	t.Helper()
	var took, worked []time.Duration
	for range companyRuns {
		cmd := exec.CommandContext(t.Context(), *companyBinary, args...)
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took = append(took, time.Since(start))
		worked = append(worked, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if exit := cmd.ProcessState.ExitCode(); err != nil && exit != exitInvalid {
			t.Fatalf("%s: %v\n%.2000s", strings.Join(args, " "), err, out)
		}
	}
	return [2]time.Duration{slices.Min(took), slices.Min(worked)}
}

// companyFolder makes a folder of rules of several kinds, each with examples, and an
// overlay that runs them.
func companyFolder(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("ruleset: company\nversion: 1\nlayer: cius\nrules:\n")
	for i := range companyRules {
		fmt.Fprintf(&b, "  - id: CO-%d\n    level: warning\n", i+1)
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, `    context: /invoice
    assert: filled(this.purchaseOrderReference) && this.purchaseOrderReference != "PO-%d"
    btCodes: [BT-13]
    fields: [purchaseOrderReference]
    message: Write another order number (BT-13).
    text: The order number (BT-13) is not PO-%d.
    examples:
      - {passes: {purchaseOrderReference: PO}}
      - {fires: {purchaseOrderReference: PO-%d}}
`, i, i, i)
		case 1:
			fmt.Fprintf(&b, `    context: /invoice/totals
    assert: "!valid(this.amountDueForPayment) || this.amountDueForPayment < %d"
    btCodes: [BT-115]
    fields: [amountDueForPayment]
    message: "{this.amountDueForPayment} (BT-115) is too much."
    text: The amount due (BT-115) is below %d.
    examples:
      - {passes: {totals.amountDueForPayment: 1}}
      - {fires: {totals.amountDueForPayment: %d}}
`, 1000000+i, 1000000+i, 1000000+i)
		case 2:
			fmt.Fprintf(&b, `    context: /invoice/lines
    assert: "!is(this.item.name, 'Item %d') || this.allowances.all(a, valid(a.amount))"
    btCodes: [BT-153, BT-136]
    fields: [item.name]
    message: Give the allowances of the item (BT-153) an amount (BT-136).
    text: Allowances of item %d (BT-153) have an amount (BT-136).
    examples:
      - {passes: base}
      - {fires: {"lines[0].item.name": Item %d, "lines[0].allowances[0].amount": null}}
`, i, i, i)
		case 3:
			fmt.Fprintf(&b, `    on: ubl
    context: /ubl:Invoice/cac:InvoiceLine
    assert: this.text("cac:Item/cbc:Name") != "Item %d"
    btCodes: [BT-153]
    fields: [item.name]
    message: Call the item (BT-153) otherwise.
    text: No item (BT-153) is called Item %d.
    examples:
      - {passes: base}
      - {fires: {"cac:InvoiceLine[1]/cac:Item/cbc:Name": Item %d}}
`, i, i, i)
		}
	}
	folder := filepath.Join(dir, "company")
	for name, text := range map[string]string{
		"company/1/rules.yaml":  b.String(),
		"overlays/company.yaml": "overlay: company\ntitle: Five hundred rules\nowner: Purchasing\non: {profiles: [en16931, \"xrechnung-*\"]}\nrulesets: [company]\n",
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// companyInvoices is a folder with many invoices: of those asked for, which are not small,
// else the samples, again and again.
func companyInvoices(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	samples, err := filepath.Glob(filepath.Join(samples, "*.xml"))
	if *companyFrom != "" {
		const notSmall = 8 << 10
		samples = nil
		err = filepath.Walk(*companyFrom, func(name string, info os.FileInfo, err error) error {
			if err == nil && filepath.Ext(name) == ".xml" && info.Size() > notSmall && len(samples) < companyDocuments {
				samples = append(samples, name)
			}
			return err
		})
	}
	if err != nil || len(samples) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	for i := range companyDocuments {
		data, err := os.ReadFile(samples[i%len(samples)])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.xml", i)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
