package server_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/server/publishing"
)

// listOverlay declares a code list and asks it.
func listOverlay(name, more string) string {
	return "overlay: " + name + "\ntitle: Lists\nowner: us\non: {profiles: [en16931]}\n" + more + "codeLists: [{list: ctry, codes: DE FR}]\nrules:\n" +
		"  - {id: " + strings.ToUpper(name) + "-1, level: warning, context: /invoice, assert: '!filled(this.seller.postalAddress.countryCode) || this.seller.postalAddress.countryCode.isInCodeList(\"ctry\")', btCodes: [BT-40], " +
		"fields: [seller.postalAddress.countryCode], message: m, text: t, examples: [{passes: base}, {fires: {seller.postalAddress.countryCode: SE}}]}\n"
}

// Overlays that contradict each other do not come into force, by publishing or at start, and
// what was in force goes on.
func TestContradictionsAreRefused(t *testing.T) {
	s, dir, key := publisher(t, "rules", "validate")
	draft := func(name, more, who string) map[string]any {
		return map[string]any{"files": map[string]string{"overlays/" + name + ".yaml": listOverlay(name, more)}, "who": who, "why": "trial", "from": string(engine.Today())}
	}
	s.rules(t, "publish", key, draft("one", "", "A")).wants(t, http.StatusOK, "")
	a := s.rules(t, "publish", key, draft("two", "", "A"))
	a.wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	if body := string(a.body); !strings.Contains(body, "overlays/one.yaml:5:13") || !strings.Contains(body, "overlays/two.yaml:5:13") || !strings.Contains(body, "over: one") {
		t.Errorf("the refusal lacks a place, or what to do: %s", body)
	}
	validate := func(query string) *answer {
		r := s.request(t, http.MethodPost, "/v1/validate/ubl"+query, strings.NewReader(string(sample(t, "ubl-valid.xml"))), "Content-Type", "application/xml")
		r.Header.Set("Authorization", "Bearer "+key)
		return s.do(t, r)
	}
	validate("").wants(t, http.StatusOK, "")
	s.rules(t, "publish", key, draft("two", "over: one\n", "A")).wants(t, http.StatusOK, "")
	validate("").wants(t, http.StatusOK, "")
	apart := draft("three", "notWith: [one, two]\n", "A")
	if a := s.rules(t, "publish", key, apart); a.StatusCode != http.StatusUnprocessableEntity { // it would apply to everyone, beside them
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlays", "three.yaml"), []byte(listOverlay("three", "notWith: [one, two]\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	validate("?overlay=three").wants(t, http.StatusOK, "")
	validate("?overlay=three,one").wants(t, http.StatusBadRequest, "OVERLAY-CONFLICT")

	e := newEdits(t)
	e.write("overlays/one.yaml", listOverlay("one", ""))
	e.write("overlays/two.yaml", listOverlay("two", ""))
	config := server.DefaultConfig()
	config.RulesetsDir, config.Overlays = e.dir, []string{"one", "two"}
	if _, err := server.New(config, nil); err == nil || !strings.Contains(err.Error(), "ctry") {
		t.Errorf("a service starts with both: %v", err)
	}
}

// Mandatory overlays, of the service and of a key, apply whatever a request chooses, unless the
// key says that it may leave one out. They apply to jobs as to requests for one document.
func TestMandatoryOverlays(t *testing.T) {
	e := newEdits(t)
	e.write("overlays/acme.yaml", companyOverlay)
	e.write("overlays/more.yaml", strings.NewReplacer("acme", "more", "ACME-1", "MORE-1").Replace(companyOverlay))
	keyFile := filepath.Join(t.TempDir(), "keys")
	plain, _, err := keys.Add(keyFile, "plain", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	bound, _, err := keys.Add(keyFile, "bound", keys.Limits{Overlays: []string{"more"}})
	if err != nil {
		t.Fatal(err)
	}
	free, _, err := keys.Add(keyFile, "free", keys.Limits{MayOmit: []string{"acme"}})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) {
		c.KeysFile, c.RulesetsDir, c.Mandatory, c.BulkResults = keyFile, e.dir, []string{"acme"}, t.TempDir()
	})
	for _, c := range []struct {
		name, key, query string
		want             string // rules of overlays that fire
	}{
		{"usual", plain, "", "ACME-1"}, {"none asked", plain, "?overlay=", "ACME-1"}, {"another asked", plain, "?overlay=more", "ACME-1 MORE-1"},
		{"of the key", bound, "?overlay=", "ACME-1 MORE-1"}, {"may omit", free, "?overlay=", ""}, {"may omit and does not", free, "", "ACME-1"},
	} {
		by := []string{"Authorization", "Bearer " + c.key, "Einvoice-May-Omit", "acme"} // no client can say so itself
		one := s.do(t, s.request(t, http.MethodPost, "/v1/validate/ubl"+c.query, strings.NewReader(string(sample(t, "ubl-valid.xml"))), append(by, "Content-Type", "application/xml")...))
		job := jobIn(t, s.upload(t, c.query, "application/zip", archives(t, 1)["application/zip"], by...))
		eventually(t, "the job ends", func() bool {
			return jobIn(t, s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID, by...)).State == "complete"
		})
		many := s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID+"/results", by...)
		for way, a := range map[string]*answer{"a request": one, "a job": many} {
			var fired []string
			for _, rule := range []string{"ACME-1", "MORE-1"} {
				if strings.Contains(string(a.body), `"rule":"`+rule+`"`) {
					fired = append(fired, rule)
				}
			}
			if got := strings.Join(fired, " "); got != c.want {
				t.Errorf("%s, %s: %q fires, want %q", c.name, way, got, c.want)
			}
		}
	}
}

// An impact compares what requests with the key have where they choose nothing with what they have
// where they choose the overlays; and the day of a request takes no rule away that a key has to have.
func TestMandatoryOverlaysInImpactAndOnAnyDay(t *testing.T) {
	e := newEdits(t)
	rules := []string{"ACME-1", "KEY-1", "USUAL-1", "MORE-1"}
	names := []string{"acme", "key", "usual", "more"}
	for i, name := range names {
		e.write("overlays/"+name+".yaml", strings.NewReplacer("acme", name, "ACME-1", rules[i]).Replace(companyOverlay))
	}
	keyFile := filepath.Join(t.TempDir(), "keys")
	if _, _, err := keys.Add(keyFile, "first", keys.Limits{}); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) {
		c.KeysFile, c.RulesetsDir, c.Mandatory, c.Overlays, c.BulkResults = keyFile, e.dir, []string{"acme"}, []string{"usual"}, t.TempDir()
	})
	subset := func(bits int) (some []string) {
		for i, name := range names {
			if bits>>i&1 == 1 {
				some = append(some, name)
			}
		}
		return some
	}
	firing := func(text string) (fired []string) {
		for _, rule := range rules {
			if strings.Contains(text, `"rule":"`+rule+`"`) {
				fired = append(fired, rule)
			}
		}
		return fired
	}
	less := func(these, those []string) (left []string) {
		for _, rule := range these {
			if !slices.Contains(those, rule) {
				left = append(left, rule)
			}
		}
		return left
	}
	document := string(sample(t, "ubl-valid.xml"))
	for _, omits := range [][]string{nil, {"acme"}, {"acme", "key"}} {
		key, _, err := keys.Add(keyFile, "one", keys.Limits{Overlays: []string{"key"}, MayOmit: omits})
		if err != nil {
			t.Fatal(err)
		}
		s.LookForChanges(t.Context())
		by := []string{"Authorization", "Bearer " + key}
		validated := func(query string) *answer {
			return s.do(t, s.request(t, http.MethodPost, "/v1/validate/ubl"+query, strings.NewReader(document), append(by, "Content-Type", "application/xml")...))
		}
		jobOf := func(query string) string {
			job := jobIn(t, s.upload(t, query, "application/zip", archives(t, 1)["application/zip"], by...))
			eventually(t, "the job ends", func() bool {
				return jobIn(t, s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID, by...)).State == "complete"
			})
			return string(s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID+"/results", by...).body)
		}
		usual := firing(string(validated("").body))
		for bits := range 1 << len(names) {
			query := "overlay=" + strings.Join(subset(bits), ",")
			chosen := firing(string(validated("?" + query).body))
			gone, came, _ := strings.Cut(jobOf("?operation=impact&"+query), `"new":`)
			if want := less(usual, chosen); !slices.Equal(firing(gone), want) {
				t.Errorf("omits %v, %s: %v are gone, want %v", omits, query, firing(gone), want)
			}
			if want := less(chosen, usual); !slices.Equal(firing(came), want) {
				t.Errorf("omits %v, %s: %v are new, want %v", omits, query, firing(came), want)
			}
			query += "&at=2025-06-01" // when none of the rules is in force
			refused := !slices.Contains(omits, "acme") || !slices.Contains(omits, "key")
			if a := validated("?" + query); (a.StatusCode == http.StatusBadRequest) != refused || refused && !strings.Contains(string(a.body), "may not be left out") {
				t.Errorf("omits %v, %s: %d %.300s", omits, query, a.StatusCode, a.body)
			}
			if lines := jobOf("?" + query); strings.Contains(lines, "may not be left out") != refused {
				t.Errorf("omits %v, a job with %s: %.300s", omits, query, lines)
			}
		}
	}
}

// A request does not weaken what it may not leave out: an overlay that decides over a mandatory one,
// directly or by another, is for keys that have it or may leave out the other, in requests and jobs.
func TestMandatoryOverlaysAreNotWeakened(t *testing.T) {
	e := newEdits(t)
	e.write("overlays/acme.yaml", companyOverlay+"rulesets: [group]\n")
	e.write("group/1/rules.yaml", `ruleset: group
version: "1"
layer: cius
parameters: {longest: {type: integer, default: 5, text: Characters of a number.}}
rules:
  - {id: GRP-1, level: fatal, context: /invoice, assert: 'this.number.size() <= ${longest}', btCodes: [BT-1], fields: [number], message: Shorten it., text: t, examples: [{passes: {number: a}}, {fires: {number: abcdefgh}}]}
`)
	lower := "overlay: %s\ntitle: Lower\nowner: us\nover: %s\nlevels:\n  - {rules: [ACME-1], level: %s, reason: agreed, until: 2099-12-31}\n"
	e.write("overlays/lower.yaml", fmt.Sprintf(lower, "lower", "acme", "warning"))
	e.write("overlays/lowest.yaml", fmt.Sprintf(lower, "lowest", "lower", "information"))
	e.write("overlays/beside.yaml", strings.NewReplacer("over: ", "on: {rulesets: [group]}", "ACME-1", "GRP-1").Replace(fmt.Sprintf(lower, "beside", "", "warning")))
	e.write("overlays/amount.yaml", "overlay: amount\ntitle: Amount\nowner: us\non: {rulesets: [group]}\nparameters: {longest: 99}\n")
	keyFile := filepath.Join(t.TempDir(), "keys")
	added := func(limits keys.Limits) string {
		key, _, err := keys.Add(keyFile, "one", limits)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	plain, bound, free := added(keys.Limits{}), added(keys.Limits{Overlays: []string{"lower"}}), added(keys.Limits{MayOmit: []string{"acme"}})
	s := start(t, func(c *server.Config) {
		c.KeysFile, c.RulesetsDir, c.Mandatory, c.BulkResults = keyFile, e.dir, []string{"acme"}, t.TempDir()
	})
	for _, c := range []struct {
		name, key, query, level string // "" where the request is refused
	}{
		{"plain", plain, "", "fatal"}, {"directly", plain, "?overlay=lower", ""}, {"by another", plain, "?overlay=lowest", ""},
		{"a rule of its ruleset", plain, "?overlay=beside", ""}, {"a parameter of its ruleset", plain, "?overlay=amount", ""},
		{"of the key", bound, "", "warning"}, {"of the key, and asked", bound, "?overlay=lower", "warning"}, {"over that of the key", bound, "?overlay=lowest", ""},
		{"may omit", free, "?overlay=lower", "warning"}, {"may omit, by another", free, "?overlay=lowest", "information"},
	} {
		by := []string{"Authorization", "Bearer " + c.key}
		one := s.do(t, s.request(t, http.MethodPost, "/v1/validate/ubl"+c.query, strings.NewReader(string(sample(t, "ubl-valid.xml"))), append(by, "Content-Type", "application/xml")...))
		begun := s.upload(t, c.query, "application/zip", archives(t, 1)["application/zip"], by...)
		if c.level == "" {
			for way, a := range map[string]*answer{"a request": one, "a job": begun} {
				if a.StatusCode != http.StatusBadRequest || !strings.Contains(string(a.body), "changes what") {
					t.Errorf("%s, %s: %d %s", c.name, way, a.StatusCode, a.body)
				}
			}
			continue
		}
		job := jobIn(t, begun)
		eventually(t, "the job ends", func() bool {
			return jobIn(t, s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID, by...)).State == "complete"
		})
		many := s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID+"/results", by...)
		for way, a := range map[string]*answer{"a request": one, "a job": many} {
			if !strings.Contains(string(a.body), `"rule":"ACME-1","layer":"cius","level":"`+c.level+`"`) {
				t.Errorf("%s, %s: not %s: %s", c.name, way, c.level, a.body)
			}
		}
	}
}

// A draft that was written upon an older text does not undo what somebody else published since.
func TestPublishKeepsOthersChanges(t *testing.T) {
	s, _, key := publisher(t, "rules")
	draft := func(who, reason string) map[string]any {
		d := draftOf(strings.Replace(published, "a trial,", reason+",", 1))
		d["who"] = who
		return d
	}
	s.rules(t, "publish", key, draft("A", "first")).wants(t, http.StatusOK, "")
	a := s.rules(t, "publish", key, draft("B", "second"))
	a.wants(t, http.StatusConflict, "RULES-CHANGED")
	if !strings.Contains(string(a.body), "overlays/trial.yaml in version 1 by A") {
		t.Errorf("got %s", a.body)
	}
	seen := draft("B", "second")
	seen["base"] = 1
	s.rules(t, "publish", key, seen).wants(t, http.StatusOK, "")
	s.rules(t, "publish", key, draft("A", "third")).wants(t, http.StatusConflict, "RULES-CHANGED")
	stale := draft("A", "third")
	stale["base"] = 1
	s.rules(t, "publish", key, stale).wants(t, http.StatusConflict, "RULES-CHANGED")
	other := draft("A", "third")
	other["files"] = map[string]string{"overlays/other.yaml": strings.Replace(published, "overlay: trial", "overlay: other", 1)}
	s.rules(t, "publish", key, other).wants(t, http.StatusOK, "")
}

// The publications are a signed chain, in which no change goes unseen, and give back what a
// report names by its digest.
func TestPublicationsAreAChain(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	keyFile, signing := filepath.Join(t.TempDir(), "keys"), filepath.Join(t.TempDir(), "publish.pem")
	if err := os.WriteFile(signing, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	key, _, err := keys.Add(keyFile, "editor", keys.Limits{Operations: []string{"rules"}})
	if err != nil {
		t.Fatal(err)
	}
	dir := folderOfRules(t)
	s := start(t, func(c *server.Config) { c.KeysFile, c.RulesetsDir, c.PublishKey = keyFile, dir, signing })
	for _, reason := range []string{"first,", "second,", "third,"} {
		s.rules(t, "publish", key, draftOf(strings.Replace(published, "a trial,", reason, 1))).wants(t, http.StatusOK, "")
	}
	faults := func() (all []string) {
		entries, err := publishing.Log(dir, public)
		if err != nil || len(entries) == 0 {
			t.Fatal(len(entries), err)
		}
		for _, e := range entries {
			all = append(all, e.Faults...)
		}
		return all
	}
	if got := faults(); len(got) > 0 {
		t.Errorf("an unchanged chain has %q", got)
	}
	if name, text, version, err := publishing.At([]string{dir}, "sha256:"+hexSum(strings.Replace(published, "a trial,", "second,", 1))[:12]); err != nil || name != "overlays/trial.yaml" || version != 2 || !strings.Contains(text, "second") {
		t.Errorf("got %s of version %d: %q, %v", name, version, text, err)
	}
	overlays, err := fs.Glob(rulesets.FS, "overlays/*.yaml")
	if err != nil || len(overlays) == 0 {
		t.Fatal(overlays, err)
	}
	for _, file := range overlays { // profiles name them, and so do reports
		want, err := fs.ReadFile(rulesets.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		if name, text, version, err := publishing.At([]string{dir}, hexSum(string(want))); err != nil || name != file || version != publishing.Ships || text != string(want) {
			t.Errorf("got %s of version %d, which ships: %v", name, version, err)
		}
	}
	for number, change := range map[string][2]string{"000001": {`"who": "Ada`, `"who": "Eve`}, "000003": {`"why": "Because`, `"why": "No cause`}} {
		file := filepath.Join(dir, ".published", number+".json")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(data), change[0], change[1], 1)
		if changed == string(data) {
			t.Fatalf("%s has no %s", number, change[0])
		}
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if len(faults()) == 0 {
			t.Errorf("a change of %s goes unseen", number)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, ".published", "000002.json")); err != nil {
		t.Fatal(err)
	}
	if len(faults()) == 0 {
		t.Error("a version that was taken out goes unseen")
	}
}

func hexSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
