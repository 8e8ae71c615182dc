package server_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/server"
)

const companyProfile = `profiles:
  - id: company
    name: Company
    standard: company
    specificationIds: ["urn:company"]
    rulesets: [en16931, company]
`

const companyRules = `ruleset: company
version: 1
layer: cius
rules:
  - id: CO-1
    level: LEVEL
    context: /invoice
    assert: ASSERT
    btCodes: [BT-13]
    fields: [purchaseOrderReference]
    message: MESSAGE
    text: The purchase order reference (BT-13) is stated.
`

// edits is a folder of rulesets that a test edits.
type edits struct {
	t   *testing.T
	dir string
}

func newEdits(t *testing.T) *edits {
	e := &edits{t, t.TempDir()}
	e.write("profiles/company.yaml", companyProfile)
	e.rule("fatal", "has(this.purchaseOrderReference)", "State the order.")
	return e
}

func (e *edits) write(name, text string) {
	e.t.Helper()
	path := filepath.Join(e.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		e.t.Fatal(err)
	}
}

func (e *edits) rule(level, assert, message string) {
	e.t.Helper()
	e.write("company/1/orders.yaml", strings.NewReplacer("LEVEL", level, "ASSERT", assert, "MESSAGE", message).Replace(companyRules))
}

func companyInvoice(t *testing.T) []byte {
	return []byte(strings.Replace(string(sample(t, "ubl-valid.xml")), "urn:cen.eu:en16931:2017", "urn:company", 1))
}

// TestReloadUnderLoad edits a rule in a running server: verdicts change without
// a restart, and no request fails meanwhile.
func TestReloadUnderLoad(t *testing.T) {
	e := newEdits(t)
	s, stop := serve(t, func(c *server.Config) {
		c.RulesetsDir, c.ReloadInterval, c.QueueWait = e.dir, 20*time.Millisecond, 10*time.Second
	})
	invoice := companyInvoice(t)
	if !strings.Contains(string(invoice), "OrderReference") {
		t.Log("the sample states no order, as the test expects")
	}
	first := s.post(t, "ubl", invoice)

	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	var requests atomic.Int64
	for range 4 {
		wait.Go(func() {
			for ctx.Err() == nil {
				a := s.post(t, "ubl", invoice)
				if a.StatusCode != http.StatusOK && a.StatusCode != http.StatusBadRequest {
					t.Errorf("a request failed: %d %.300s", a.StatusCode, a.body)
				}
				requests.Add(1)
			}
		})
	}
	verdicts := map[int]bool{first.StatusCode: true}
	for i, edit := range []struct {
		level, assert string
		status        int
	}{
		{"fatal", "has(this.purchaseOrderReference) && !has(this.purchaseOrderReference)", 400},
		{"warning", "has(this.purchaseOrderReference) && !has(this.purchaseOrderReference)", 200},
		{"fatal", "true || has(this.purchaseOrderReference)", 200},
		{"fatal", "has(this.purchaseOrderReference) && this.purchaseOrderReference == \"x\"", 400},
	} {
		e.rule(edit.level, "'"+edit.assert+"'", "Edit "+string(rune('A'+i))+".")
		eventually(t, "the verdict follows the edit", func() bool {
			a := s.post(t, "ubl", invoice)
			verdicts[a.StatusCode] = true
			return a.StatusCode == edit.status && (edit.status == 200 && edit.level == "fatal" || strings.Contains(string(a.body), "Edit "+string(rune('A'+i))))
		})
	}
	cancel()
	wait.Wait()
	if requests.Load() < 20 || !verdicts[200] || !verdicts[400] {
		t.Errorf("%d requests, verdicts %v", requests.Load(), verdicts)
	}
	stop()
}

// TestBrokenEdit keeps the last good rulesets in force and tells everywhere.
func TestBrokenEdit(t *testing.T) {
	e := newEdits(t)
	e.rule("fatal", "'true || has(this.purchaseOrderReference)'", "Never.")
	s := start(t, func(c *server.Config) { c.RulesetsDir = e.dir })
	invoice := companyInvoice(t)
	s.post(t, "ubl", invoice).wants(t, 200, "")
	digest := func() string {
		ready := string(s.get(t, "/v1/rulesets").body)
		_, rest, _ := strings.Cut(ready, `"name":"company"`)
		return rest[:120]
	}
	before := digest()
	for name, brk := range map[string]func(){
		"a wrong field":     func() { e.rule("fatal", "has(this.purchaseOrder)", "Wrong.") },
		"no YAML":           func() { e.write("company/1/orders.yaml", "rules: [") },
		"a profile of none": func() { e.write("profiles/x.yaml", strings.ReplaceAll(companyProfile, "company", "nobody")) },
	} {
		t.Run(name, func(t *testing.T) {
			brk()
			s.Reload(t.Context())
			s.post(t, "ubl", invoice).wants(t, 200, "")
			if digest() != before {
				t.Error("other rulesets are in force")
			}
			var ready struct {
				Status string
				Reload struct {
					OK       bool
					Error    string
					FailedAt time.Time
				}
			}
			a := s.get(t, "/health/ready")
			a.wants(t, 200, "")
			a.decode(t, &ready)
			if ready.Reload.OK || ready.Reload.Error == "" || ready.Reload.FailedAt.IsZero() {
				t.Errorf("got %+v", ready)
			}
			if m := string(s.get(t, "/metrics").body); !strings.Contains(m, "einvoice_rulesets_current 0") || strings.Contains(m, `einvoice_ruleset_reloads_total{outcome="failed"} 0`) {
				t.Error("the metrics do not tell")
			}
			if !strings.Contains(s.log.String(), "rulesets not reloaded") {
				t.Error("the log does not tell")
			}
		})
	}
	if !strings.Contains(s.log.String(), "undefined field 'purchaseOrder'") || !strings.Contains(s.log.String(), "orders.yaml:") {
		t.Error("the log does not say what is wrong and where")
	}
	if err := os.Remove(filepath.Join(e.dir, "profiles", "x.yaml")); err != nil {
		t.Fatal(err)
	}
	e.rule("fatal", "'!true && has(this.purchaseOrderReference)'", "Mended.")
	s.Reload(t.Context())
	s.post(t, "ubl", invoice).wants(t, 400, "VALIDATION-FAILED")
	if m := string(s.get(t, "/metrics").body); !strings.Contains(m, "einvoice_rulesets_current 1") {
		t.Error("the metric still tells of the broken edit")
	}
}

func TestBrokenRulesetsStopTheStart(t *testing.T) {
	e := newEdits(t)
	e.rule("fatal", "has(this.nothing)", "Wrong.")
	config := server.DefaultConfig()
	config.RulesetsDir = e.dir
	if _, err := server.New(config, nil); err == nil || !strings.Contains(err.Error(), "orders.yaml:") {
		t.Errorf("got %v", err)
	}
}

// TestPreparedVersion lays a version of XRechnung beside the others that no
// profile runs yet: it is listed, and changes no verdict.
func TestPreparedVersion(t *testing.T) {
	e := newEdits(t)
	rules := strings.NewReplacer("LEVEL", "fatal", "ASSERT", "'has(this.number) && !has(this.number)'", "MESSAGE", "m", "ruleset: company", "ruleset: xrechnung", "version: 1", "version: 99.0").Replace(companyRules)
	e.write("xrechnung/99.0/rules.yaml", rules)
	s := start(t, func(c *server.Config) { c.RulesetsDir = e.dir })
	s.get(t, "/v1/rules/CO-1?ruleset=xrechnung/99.0").wants(t, 200, "")
	if r := s.post(t, "xrechnung", sample(t, "ubl-valid.xml")).result(t); r.Report.Profile != "XRechnung 3.0" {
		t.Errorf("validated against %q: %v", r.Report.Profile, r.Errors)
	}
}

// TestEditorFiles leaves what editors and version control put beside the rules,
// and links as a mounted ConfigMap has them.
func TestEditorFiles(t *testing.T) {
	e := newEdits(t)
	e.write(".git/config.yaml", "nonsense: [")
	e.write("company/1/.orders.yaml.swp", "nonsense")
	e.write("company/1/orders.yaml~", "nonsense")
	e.write("elsewhere.txt", strings.NewReplacer("LEVEL", "fatal", "ASSERT", "has(this.purchaseOrderReference)", "MESSAGE", "m", "CO-1", "CO-2").Replace(companyRules))
	if err := os.Symlink("../../elsewhere.txt", filepath.Join(e.dir, "company", "1", "linked.yaml")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink("nowhere", filepath.Join(e.dir, "company", "1", ".#orders.yaml")); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) { c.RulesetsDir = e.dir })
	s.get(t, "/v1/rules/CO-2?ruleset=company").wants(t, 200, "")
}
