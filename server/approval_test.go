package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/server/publishing"
)

// approvingService is a service that asks for approval, with the keys of two people.
func approvingService(t *testing.T) (s *testServer, dir, one, other string) {
	t.Helper()
	dir = folderOfRules(t)
	keyFile := filepath.Join(t.TempDir(), "keys")
	var both []string
	for _, name := range []string{"one", "other"} {
		key, _, err := keys.Add(keyFile, name, keys.Limits{Operations: []string{"rules", "rulesets", "validate"}})
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, key)
	}
	return start(t, func(c *server.Config) { c.KeysFile, c.RulesetsDir, c.PublishApproval = keyFile, dir, true }), dir, both[0], both[1]
}

// waitingProposals is such a service with proposals about files of their own.
func waitingProposals(t *testing.T, n int) (s *testServer, approver string, proposals []string) {
	t.Helper()
	s, _, one, other := approvingService(t)
	for i := range n {
		name := strings.Repeat("x", i+1)
		d := draftOf("")
		d["files"] = map[string]string{"overlays/" + name + ".yaml": strings.Replace(published, "overlay: trial", "overlay: "+name, 1)}
		proposals = append(proposals, s.propose(t, "publish", one, d))
	}
	return s, other, proposals
}

func (s *testServer) propose(t *testing.T, action, key string, body map[string]any) string {
	t.Helper()
	a := s.rules(t, action, key, body)
	a.wants(t, http.StatusAccepted, "")
	var made publishing.Made
	a.decode(t, &made)
	return made.Proposal
}

// Nobody publishes or takes back alone, nothing but what was proposed comes into force, and
// nothing that somebody else published meanwhile is undone.
func TestApproval(t *testing.T) {
	s, dir, one, other := approvingService(t)
	decide := func(proposal string) map[string]any {
		return map[string]any{"proposal": proposal, "who": "Bo", "why": "It was looked at"}
	}
	inForce := func() bool {
		_, err := os.Stat(filepath.Join(dir, "overlays", "trial.yaml"))
		return err == nil
	}
	first := s.propose(t, "publish", one, draftOf(published))
	if inForce() {
		t.Fatal("a proposal is in force")
	}
	if list := string(s.rules(t, "proposals", other, map[string]any{}).body); !strings.Contains(list, first) || !strings.Contains(list, "Ada <a@b>") || !strings.Contains(list, "A trial") {
		t.Errorf("the list lacks the proposal, who made it or its text: %s", list)
	}
	for key, own := range map[string]string{one: `"own":true`, other: `"own":false`} {
		if list := string(s.rules(t, "proposals", key, map[string]any{}).body); !strings.Contains(list, own) {
			t.Errorf("the list lacks %s: %s", own, list)
		}
	}
	s.rules(t, "approve", one, decide(first)).wants(t, http.StatusForbidden, "KEY-FORBIDDEN")
	s.rules(t, "approve", other, decide(strings.Repeat("0", 64))).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	s.rules(t, "approve", other, decide("../../overlays/base")).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	s.rules(t, "approve", other, map[string]any{"proposal": first}).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	if inForce() {
		t.Fatal("a proposal is in force that nobody approved")
	}
	late := s.propose(t, "publish", one, draftOf(strings.Replace(published, "a trial,", "another,", 1)))
	s.rules(t, "approve", other, decide(first)).wants(t, http.StatusOK, "")
	if !inForce() {
		t.Fatal("what was approved is not in force")
	}
	s.rules(t, "approve", other, decide(first)).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	s.rules(t, "approve", other, decide(late)).wants(t, http.StatusConflict, "RULES-CHANGED")
	s.rules(t, "reject", one, decide(late)).wants(t, http.StatusOK, "")

	back := s.propose(t, "rollback", one, map[string]any{"version": 0, "who": "Ada", "why": "over"})
	if !inForce() {
		t.Fatal("one key took a version back alone")
	}
	s.rules(t, "approve", other, decide(back)).wants(t, http.StatusOK, "")
	if inForce() {
		t.Error("what was approved was not taken back")
	}

	again := draftOf(published)
	again["base"] = 2
	changed := s.propose(t, "publish", one, again)
	file := filepath.Join(dir, ".published", "proposed", changed+".json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "BR-CL-23", "BR-CL-24", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	listed := s.rules(t, "proposals", other, map[string]any{})
	listed.wants(t, http.StatusOK, "")
	var of struct {
		Proposals []struct {
			Proposal string
			Changed  bool
		}
	}
	if listed.decode(t, &of); len(of.Proposals) != 1 || of.Proposals[0].Proposal != changed || !of.Proposals[0].Changed {
		t.Errorf("a proposal that was changed by hand is listed as %s", listed.body)
	}
	s.rules(t, "approve", other, decide(changed)).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
	s.rules(t, "reject", other, decide(changed)).wants(t, http.StatusOK, "")

	entries, err := publishing.Log(dir, nil)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries: %v", len(entries), err)
	}
	for _, e := range entries {
		if len(e.Faults) > 0 || e.ApprovedBy != "Bo" || e.ApprovedKey == e.Key || e.ApprovedKey == "" || !strings.HasPrefix(e.Who, "Ada") {
			t.Errorf("version %d: %+v", e.Version, e)
		}
	}
}

// A service that does not ask for approval has no proposals.
func TestNoApproval(t *testing.T) {
	s, _, key := publisher(t, "rules")
	s.rules(t, "publish", key, draftOf(published)).wants(t, http.StatusOK, "")
	s.rules(t, "approve", key, map[string]any{"proposal": strings.Repeat("0", 64), "who": "A", "why": "b"}).wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED")
}
