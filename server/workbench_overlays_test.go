package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
)

// The workbench has the overlays of a key and of its tenant as /v1/validate has them, whatever the
// request chooses, and also where two keys try the same draft.
func TestWorkbenchHasOverlaysOfTheKey(t *testing.T) {
	dir := t.TempDir()
	keyFile := filepath.Join(dir, "keys")
	secrets, ids := map[string]string{}, map[string]string{}
	for name, limits := range map[string]keys.Limits{"tenant": {}, "mayOmit": {MayOmit: []string{"own"}}, "key": {Overlays: []string{"own"}}, "plain": {}} {
		secret, key, err := keys.Add(keyFile, name, limits)
		if err != nil {
			t.Fatal(err)
		}
		secrets[name], ids[name] = secret, key.ID
	}
	if err := os.MkdirAll(filepath.Join(dir, "rules", "overlays"), 0o700); err != nil {
		t.Fatal(err)
	}
	overlay := "overlay: own\ntitle: Own\nowner: Compliance\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: Units are new., until: 2099-12-31}\n"
	for name, text := range map[string]string{
		"rules/overlays/own.yaml": overlay,
		"tenants.yaml":            fmt.Sprintf("tenants:\n  acme: {keys: [%s, %s], overlays: [own]}\n", ids["tenant"], ids["mayOmit"]),
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, func(c *server.Config) {
		c.KeysFile, c.Tenants, c.RulesetsDir = keyFile, filepath.Join(dir, "tenants.yaml"), filepath.Join(dir, "rules")
	})
	draft := map[string]string{"overlays/other.yaml": strings.NewReplacer("overlay: own", "overlay: other", "BR-CL-23", "BR-CO-10").Replace(overlay)}
	document := strings.ReplaceAll(string(sample(t, "ubl-valid.xml")), `unitCode="HUR"`, `unitCode="XXX"`)
	for _, c := range []struct {
		who      string
		overlays []string
		valid    bool
	}{
		{"tenant", nil, true}, {"tenant", []string{}, true}, {"key", nil, true}, {"key", []string{}, true},
		{"mayOmit", nil, true}, {"mayOmit", []string{}, false}, {"plain", nil, false}, {"plain", []string{}, false}, {"plain", []string{"own"}, true},
	} {
		for _, files := range []map[string]string{nil, draft} {
			request, err := json.Marshal(map[string]any{"text": document, "overlays": c.overlays, "draft": files})
			if err != nil {
				t.Fatal(err)
			}
			var answer struct{ Valid bool }
			a := s.do(t, s.request(t, http.MethodPost, "/v1/workbench/check", strings.NewReader(string(request)), "Authorization", "Bearer "+secrets[c.who], "Content-Type", "application/json"))
			if a.StatusCode != http.StatusOK || json.Unmarshal(a.body, &answer) != nil || answer.Valid != c.valid {
				t.Errorf("%s with %v, draft %t: %d %.300s", c.who, c.overlays, files != nil, a.StatusCode, a.body)
			}
		}
	}

	// The overlay of a key is gone from an edited folder.
	folder := filepath.Join(dir, "rules", "overlays")
	if err := os.WriteFile(filepath.Join(folder, "other.yaml"), []byte(draft["overlays/other.yaml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "own.yaml")); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	for who, status := range map[string]int{"tenant": http.StatusBadRequest, "key": http.StatusBadRequest, "plain": http.StatusOK} {
		request, err := json.Marshal(map[string]any{"text": document, "rule": "BR-01"})
		if err != nil {
			t.Fatal(err)
		}
		a := s.do(t, s.request(t, http.MethodPost, "/v1/workbench/explain", strings.NewReader(string(request)), "Authorization", "Bearer "+secrets[who], "Content-Type", "application/json"))
		if a.StatusCode != status {
			t.Errorf("%s without the overlay: %d %.300s", who, a.StatusCode, a.body)
		}
	}
}
