package server_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/server/publishing"
)

// What is published, taken back, proposed or approved with an idempotency key is so once, however
// often the request is sent, also by a server that has started again.
func TestIdempotentPublishing(t *testing.T) {
	for _, approval := range []bool{false, true} {
		dir, keyFile := folderOfRules(t), filepath.Join(t.TempDir(), "keys")
		var people []string
		for _, name := range []string{"one", "other"} {
			key, _, err := keys.Add(keyFile, name, keys.Limits{Operations: []string{"rules"}})
			if err != nil {
				t.Fatal(err)
			}
			people = append(people, key)
		}
		serve := func() *testServer {
			return start(t, func(c *server.Config) { c.KeysFile, c.RulesetsDir, c.PublishApproval = keyFile, dir, approval })
		}
		s := serve()
		versions := func() int { return strings.Count(string(s.rules(t, "versions", people[0], nil).body), `"version"`) }
		status := http.StatusOK
		if approval {
			status = http.StatusAccepted
		}
		asked := func(action, person, once string, body map[string]any, want int) (made publishing.Made) {
			a := s.rules(t, action, person, body, "Idempotency-Key", once)
			a.wants(t, want, "")
			a.decode(t, &made)
			return made
		}
		refused := func(action, person, once string, body map[string]any) {
			t.Helper()
			s.rules(t, action, person, body, "Idempotency-Key", once).wants(t, http.StatusUnprocessableEntity, "IDEMPOTENCY-KEY-REUSED")
		}
		draft, other := draftOf(published), draftOf(strings.Replace(published, "a trial,", "another,", 1))
		back := map[string]any{"version": 0, "who": "Ada", "why": "over"}
		made := asked("publish", people[0], "a", draft, status)
		if again := asked("publish", people[0], "a", draft, status); again != made || made == (publishing.Made{}) {
			t.Errorf("approval %t: it was %+v, then %+v", approval, made, again)
		}
		refused("publish", people[0], "a", other)
		refused("rollback", people[0], "a", back)
		if approval {
			decision := map[string]any{"proposal": made.Proposal, "who": "Bo", "why": "seen"}
			first := asked("approve", people[1], "b", decision, http.StatusOK)
			if again := asked("approve", people[1], "b", decision, http.StatusOK); again != first || first.Version != 1 {
				t.Errorf("approved were %+v, then %+v", first, again)
			}
			refused("approve", people[1], "b", map[string]any{"proposal": strings.Repeat("0", 64), "who": "Bo", "why": "seen"})
			if now := asked("publish", people[0], "a", draft, http.StatusOK); now != first {
				t.Errorf("what was proposed is %+v, published as %+v", now, first)
			}
		}
		if n := versions(); n != 1 {
			t.Errorf("approval %t: there are %d versions", approval, n)
		}
		s = serve()
		taken := asked("rollback", people[0], "c", back, status)
		if again := asked("rollback", people[0], "c", back, status); again != taken {
			t.Errorf("approval %t: taken back were %+v, then %+v", approval, taken, again)
		}
		if now := asked("publish", people[0], "a", draft, http.StatusOK); now.Version != 1 {
			t.Errorf("approval %t: after a new start it is %+v", approval, now)
		}
		other["base"] = versions() // it undoes nothing then
		if by := asked("publish", people[1], "a", other, status); by == made {
			t.Errorf("approval %t: the key of somebody else counts", approval)
		}
		s.rules(t, "publish", people[0], draft, "Idempotency-Key", strings.Repeat("a", 256)).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	}
}

// A member that no call of publishing has is refused, as it would be missed without a word.
func TestPublishingRefusesUnknownMembers(t *testing.T) {
	s, _, key := publisher(t, "rules")
	for _, action := range []string{"publish", "rollback"} {
		p := s.rules(t, action, key, map[string]any{"who": "Ada", "why": "over", "form": "2026-01-01"}).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
		if !strings.Contains(p.Detail, `"form"`) {
			t.Errorf("%s: %s", action, p.Detail)
		}
	}
}
