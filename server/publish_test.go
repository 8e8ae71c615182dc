package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/engine"
	"einvoice/model/sampled"
	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/service/workbench"
)

// published is an overlay that makes a warning of BR-CL-23.
const published = "overlay: trial\ntitle: A trial\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: a trial, until: 2099-12-31}\n"

// publisher is a service with a folder of rules, and a key with the scope for publishing.
func publisher(t *testing.T, operations ...string) (s *testServer, dir, key string) {
	t.Helper()
	dir = folderOfRules(t)
	keyFile := filepath.Join(t.TempDir(), "keys")
	key, _, err := keys.Add(keyFile, "editor", keys.Limits{Operations: operations})
	if err != nil {
		t.Fatal(err)
	}
	return start(t, func(c *server.Config) { c.KeysFile, c.RulesetsDir = keyFile, dir }), dir, key
}

// folderOfRules is a folder with an overlay in it: a service does not start on one without.
func folderOfRules(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	text := strings.ReplaceAll(published, "trial", "base")
	if err := os.Mkdir(filepath.Join(dir, "overlays"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlays", "base.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s *testServer) rules(t *testing.T, action, key string, body any, headers ...string) *answer {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := s.request(t, http.MethodPost, "/v1/rules/"+action, strings.NewReader(string(data)), append([]string{"Content-Type", "application/json"}, headers...)...)
	r.Header.Set("Authorization", "Bearer "+key)
	return s.do(t, r)
}

func draftOf(text string) map[string]any {
	return map[string]any{"files": map[string]string{"overlays/trial.yaml": text}, "who": "Ada <a@b>", "why": "Because\nof a trial", "from": string(engine.Today())}
}

// What is published is in force at once, in the folder and in its repository, and is taken
// back by a version of its own.
func TestPublishAndRollBack(t *testing.T) {
	s, dir, key := publisher(t, "rules", "rulesets", "validate")
	git, _ := exec.LookPath("git")
	if git != "" {
		if out, err := exec.CommandContext(t.Context(), git, "-C", dir, "init", "-q").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	overlays := func() string {
		r := s.request(t, http.MethodGet, "/v1/rulesets", nil)
		r.Header.Set("Authorization", "Bearer "+key)
		return string(s.do(t, r).body)
	}
	s.rules(t, "publish", key, draftOf(published)).wants(t, http.StatusOK, "")
	if text, err := os.ReadFile(filepath.Join(dir, "overlays", "trial.yaml")); err != nil || string(text) != published {
		t.Errorf("the folder has %q, %v", text, err)
	}
	if !strings.Contains(overlays(), `"name":"trial"`) {
		t.Error("what was published is not in force")
	}
	if git != "" {
		out, err := exec.CommandContext(t.Context(), git, "-C", dir, "log", "--format=%an|%s", "--name-only").CombinedOutput()
		if want := "Ada  a@b|Because of a trial\n\n.published/000001.json\noverlays/trial.yaml\n"; err != nil || string(out) != want {
			t.Errorf("the repository has %q, %v; want %q", out, err, want)
		}
	}
	s.rules(t, "rollback", key, map[string]any{"version": 0, "who": "Ada", "why": "over"}).wants(t, http.StatusOK, "")
	if _, err := os.Stat(filepath.Join(dir, "overlays", "trial.yaml")); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
	if strings.Contains(overlays(), `"name":"trial"`) {
		t.Error("what was taken back is still in force")
	}
	var list struct {
		Versions []struct {
			Version, Undoes int
			Who             string
		}
	}
	if err := json.Unmarshal(s.rules(t, "versions", key, map[string]any{}).body, &list); err != nil || len(list.Versions) != 2 || list.Versions[0].Version != 2 || list.Versions[0].Undoes != 1 {
		t.Errorf("got %+v, %v", list, err)
	}
}

// A version is taken back also where git does not know its files: an earlier version took them back
// already, or the repository was made after they were published.
func TestRollBackWhatGitDoesNotKnow(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	for _, late := range []bool{false, true} {
		s, dir, key := publisher(t, "rules")
		begin := func() {
			if out, err := exec.CommandContext(t.Context(), git, "-C", dir, "init", "-q").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		if !late {
			begin()
		}
		s.rules(t, "publish", key, draftOf(published)).wants(t, http.StatusOK, "")
		if late {
			begin()
		}
		for range 2 {
			s.rules(t, "rollback", key, map[string]any{"version": 0, "who": "Ada", "why": "over"}).wants(t, http.StatusOK, "")
		}
		out, err := exec.CommandContext(t.Context(), git, "-C", dir, "status", "--porcelain", "--", "overlays/trial.yaml", ".published/000003.json").CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("the repository lacks a version: %s, %v", out, err)
		}
	}
}

// What is published applies to everyone who chooses no overlays, until it is taken back.
func TestPublishedAppliesToEveryone(t *testing.T) {
	s, _, key := publisher(t, "rules", "validate")
	level := func(query string) string {
		t.Helper()
		return levelOf(t, s, key, query, string(workbench.Sample))
	}
	if got := level(""); got != "fatal" {
		t.Fatalf("before, BR-CL-23 is %s", got)
	}
	s.rules(t, "publish", key, draftOf(published)).wants(t, http.StatusOK, "")
	for query, want := range map[string]string{"": "warning", "?overlay=": "fatal", "?overlay=base": "warning"} {
		if got := level(query); got != want {
			t.Errorf("published, BR-CL-23 is %s with %q, want %s", got, query, want)
		}
	}
	s.rules(t, "rollback", key, map[string]any{"version": 0, "who": "a", "why": "b"}).wants(t, http.StatusOK, "")
	if got := level(""); got != "fatal" {
		t.Errorf("taken back, BR-CL-23 is %s", got)
	}
}

// levelOf validates a document and is the level of BR-CL-23, which it violates.
func levelOf(t *testing.T, s *testServer, key, query, document string) string {
	t.Helper()
	r := s.request(t, http.MethodPost, "/v1/validate/ubl"+query, strings.NewReader(document), "Content-Type", "application/xml")
	r.Header.Set("Authorization", "Bearer "+key)
	a := s.do(t, r)
	var report struct {
		Findings []struct{ Rule, Level string }
	}
	if err := json.Unmarshal(a.body, &report); err != nil {
		t.Fatal(err, string(a.body))
	}
	for _, f := range report.Findings {
		if f.Rule == "BR-CL-23" {
			return f.Level
		}
	}
	t.Fatalf("BR-CL-23 is not among the findings: %s", a.body)
	return ""
}

// Rules for a later day are published today, and decide about invoices from that day on; what
// was in force before stays so until then.
func TestPublishForLater(t *testing.T) {
	s, dir, key := publisher(t, "rules", "validate")
	later := string(engine.Today()[:4]) + "-12-31"
	if later <= string(engine.Today()) {
		later = "2999-12-31"
	}
	day := func(day string) string {
		return levelOf(t, s, key, "", strings.ReplaceAll(string(workbench.Sample), "<cbc:IssueDate>2026-11-20<", "<cbc:IssueDate>"+day+"<"))
	}
	d := draftOf("# a comment\n" + published)
	d["from"] = later
	s.rules(t, "publish", key, d).wants(t, http.StatusOK, "")
	text, err := os.ReadFile(filepath.Join(dir, "overlays", "trial.yaml"))
	if err != nil || !strings.HasPrefix(string(text), "# a comment\neffective: {from: "+later+"}\noverlay: trial\n") {
		t.Errorf("the folder has %q, %v", text, err)
	}
	if before, after := day(string(engine.Today())), day(later); before != "fatal" || after != "warning" {
		t.Errorf("today BR-CL-23 is %s, on the day %s", before, after)
	}
	for why, file := range map[string][2]string{
		"replaces what is in force":  {"overlays/base.yaml", strings.Replace(published, "trial", "base", 1)},
		"adds to a version in force": {"en16931/1.3.16/more.yaml", "ruleset: en16931\nversion: 1.3.16\nlayer: en16931\nrules: []\n"},
		"has no such key":            {"profiles/mine.yaml", "profiles: []\n"},
		"says an earlier day":        {"overlays/early.yaml", strings.Replace(published, "overlay: trial", "overlay: early\neffective: {from: 2026-01-01}", 1)},
		"is in one line":             {"overlays/flow.yaml", "{overlay: flow, title: t}\n"},
		"is not YAML":                {"overlays/no.yaml", "a: [\n"},
	} {
		d["files"] = map[string]string{file[0]: file[1]}
		if a := s.rules(t, "publish", key, d); a.StatusCode != http.StatusBadRequest || !strings.Contains(string(a.body), "OPTION-INVALID") {
			t.Errorf("what %s: %d %s", why, a.StatusCode, a.body)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "overlays", "base.yaml")); err != nil || strings.Contains(string(text), "effective") {
		t.Errorf("the file in force is now %q, %v", text, err)
	}
}

// A draft comes into force if its examples do as they say, and each rule and variant has some;
// the refusal says in the language which does not.
func TestPublishAsksForExamples(t *testing.T) {
	s, dir, key := publisher(t, "rules")
	rule := "ruleset: company\nversion: 1\nlayer: cius\nrules:\n  - id: CO-1\n    level: fatal\n    context: /invoice\n    assert: filled(this.purchaseOrderReference)\n    btCodes: [BT-13]\n    fields: [purchaseOrderReference]\n" +
		"    message: Write our order number (BT-13).\n    text: The purchase order reference (BT-13) is there.\n"
	examples := "    examples:\n      - {passes: {purchaseOrderReference: a}}\n      - {fires: {purchaseOrderReference: null}}\n"
	variant := "    variants:\n      cii: {assert: \"filled(this.number)\", reason: A trial of a form of its own.}\n"
	for text, want := range map[string]string{
		rule: "hat kein Beispiel", rule + variant + examples: "hat kein Beispiel, bei dem sie in cii anschlägt", rule + strings.Replace(examples, "a}", "null}", 1): "Ein Beispiel von CO-1 scheitert",
	} {
		data, err := json.Marshal(map[string]any{"files": map[string]string{"company/1/orders.yaml": text}, "who": "Ada", "why": "trial", "from": string(engine.Today())})
		if err != nil {
			t.Fatal(err)
		}
		r := s.request(t, http.MethodPost, "/v1/rules/publish", strings.NewReader(string(data)), "Content-Type", "application/json", "Accept-Language", "de")
		r.Header.Set("Authorization", "Bearer "+key)
		if a := s.do(t, r); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), want) {
			t.Errorf("got %d %s, want %q", a.StatusCode, a.body, want)
		}
	}
	d := draftOf("")
	d["files"] = map[string]string{"company/1/orders.yaml": rule + examples}
	s.rules(t, "publish", key, d).wants(t, http.StatusOK, "")
	if !exists(filepath.Join(dir, "company", "1", "orders.yaml")) {
		t.Error("what passes was not published")
	}
}

// Where the time ends, a draft is not called wrong, and nothing of it stays: whatever of the check,
// the examples and the loading it ends in.
func TestPublishingThatEndsWithItsTime(t *testing.T) {
	longer := time.Duration(8)
	if sampled.Whole() {
		longer = 2
	}
	late := 0
	for within := time.Millisecond; within < time.Minute; within *= longer {
		dir := folderOfRules(t)
		keyFile := filepath.Join(t.TempDir(), "keys")
		key, _, err := keys.Add(keyFile, "editor", keys.Limits{Operations: []string{"rules"}})
		if err != nil {
			t.Fatal(err)
		}
		s := start(t, func(c *server.Config) {
			c.KeysFile, c.RulesetsDir, c.RequestTimeout, c.WriteTimeout = keyFile, dir, within, 2*time.Minute
		})
		a := s.rules(t, "publish", key, draftOf(published))
		if there := exists(filepath.Join(dir, "overlays", "trial.yaml")); there != (a.StatusCode == http.StatusOK) {
			t.Errorf("within %s: status %d, and the file is there: %t", within, a.StatusCode, there)
		}
		if a.StatusCode == http.StatusOK {
			break
		}
		late++
		a.wants(t, http.StatusServiceUnavailable, "VALIDATION-TIMEOUT")
	}
	if late == 0 {
		t.Error("no time was too short")
	}
}

// Who may not, does not, and what is wrong stays out.
func TestPublishRefuses(t *testing.T) {
	s, dir, key := publisher(t, "rules")
	for name, text := range map[string]string{
		"mistake": strings.Replace(published, "BR-CL-23", "BR-CL-999", 1),
		"example": "not: an overlay\n",
	} {
		if a := s.rules(t, "publish", key, draftOf(text)); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.body)
		}
	}
	for field, value := range map[string]string{"who": " ", "why": "", "from": "tomorrow"} {
		d := draftOf(published)
		d[field] = value
		s.rules(t, "publish", key, d).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	}
	d := draftOf(published)
	delete(d, "from")
	if a := s.rules(t, "publish", key, d); a.StatusCode != http.StatusBadRequest || !strings.Contains(string(a.body), "is missing") {
		t.Errorf("without a day: %d %s", a.StatusCode, a.body)
	}
	d = draftOf(published)
	for _, path := range []string{"../outside.yaml", "/etc/outside.yaml", "overlays/../../x.yaml", "notes.txt", "overlays/.hidden/x.yaml"} {
		d["files"] = map[string]string{path: published}
		if a := s.rules(t, "publish", key, d); a.StatusCode < 400 || a.StatusCode > 499 {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if outside := filepath.Join(filepath.Dir(dir), "outside.yaml"); exists(outside) {
		t.Errorf("%s was written", outside)
	}
	s.rules(t, "rollback", key, map[string]any{"version": 0, "who": "a", "why": "b"}).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")

	other, _, all := publisher(t)
	other.rules(t, "publish", all, draftOf(published)).wants(t, http.StatusForbidden, "KEY-FORBIDDEN")
	shared().rules(t, "publish", shared().StartKey(), draftOf(published)).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// A version that was changed by hand since is not taken back.
func TestRollBackKeepsEdits(t *testing.T) {
	s, dir, key := publisher(t, "rules")
	s.rules(t, "publish", key, draftOf(published)).wants(t, http.StatusOK, "")
	file := filepath.Join(dir, "overlays", "trial.yaml")
	if err := os.WriteFile(file, []byte("# edited\n"+published), 0o600); err != nil {
		t.Fatal(err)
	}
	s.rules(t, "rollback", key, map[string]any{"version": 0, "who": "a", "why": "b"}).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	if !exists(file) {
		t.Error("the edited file is gone")
	}
}

// What is published and rolled back is logged as that, and what is refused as refused.
func TestPublishingIsLogged(t *testing.T) {
	s, _, key := publisher(t, "rules")
	outcomes := func() (all []string) {
		for line := range strings.Lines(s.log.String()) {
			var entry struct{ Route, Outcome string }
			if json.Unmarshal([]byte(line), &entry) == nil && strings.HasPrefix(entry.Route, "/v1/rules/") {
				all = append(all, entry.Outcome)
			}
		}
		return all
	}
	s.rules(t, "publish", key, draftOf(published)).wants(t, http.StatusOK, "")
	s.rules(t, "publish", key, draftOf("overlay: trial\n")).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	s.rules(t, "rollback", key, map[string]any{"version": 0, "who": "Ada", "why": "It was a trial"}).wants(t, http.StatusOK, "")
	if got := strings.Join(outcomes(), " "); got != "published refused published" {
		t.Errorf("logged is %q: %s", got, s.log.String())
	}
}

// A draft may be as large as a draft can be: documents of that size are read in a process
// beside the service, which has neither its keys nor its folder.
func TestPublishLargeDraft(t *testing.T) {
	s, dir, key := publisher(t, "rules")
	text := published + strings.Repeat("# What suppliers wrote about it.\n", 900<<10/33)
	s.rules(t, "publish", key, draftOf(text)).wants(t, http.StatusOK, "")
	if data, err := os.ReadFile(filepath.Join(dir, "overlays", "trial.yaml")); err != nil || string(data) != text {
		t.Errorf("%d of %d bytes are in the folder: %v", len(data), len(text), err)
	}
	s.rules(t, "publish", key, draftOf(text+strings.Repeat("#\n", 100<<10))).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
}
