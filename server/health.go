package server

import (
	"math"
	"net/http"
	"time"

	"einvoice/engine"
	"einvoice/server/refusal"
)

// readiness is the body of /health/ready.
type readiness struct {
	Status   string               `json:"status"`
	Rulesets []engine.RulesetInfo `json:"rulesets"`
	Profiles []profileDigest      `json:"profiles"`
	LoadedAt time.Time            `json:"loadedAt"`
	Reload   reloadState          `json:"reload"`
	Keys     reloadState          `json:"keys"`
	Looks    reloadState          `json:"looks"`
	// LookedAt is when rulesets, looks and keys were last looked at for changes. If that is long
	// ago, looking at them hangs, as on a network file system that is gone.
	LookedAt   time.Time `json:"lookedAt"`
	AgeSeconds float64   `json:"ageSeconds"` // since LookedAt
}

// A profileDigest says what a profile is, with its overlays.
type profileDigest struct {
	ID     string `json:"id"`
	SHA256 string `json:"sha256"`
}

// A reloadState says whether what is in force is what the files say.
type reloadState struct {
	OK     bool       `json:"ok"`
	Error  string     `json:"error,omitempty"`
	Failed *time.Time `json:"failedAt,omitempty"`
}

func (s *Server) getLive(x *exchange) error {
	return x.sendJSON(http.StatusOK, "application/json", map[string]string{"status": "live"})
}

// getReady is 200 also after a broken edit: the server does serve, with the
// rulesets of before. The detail tells.
func (s *Server) getReady(x *exchange) error {
	if s.stopping.Load() {
		p := newProblem(refusal.NotReady, "The server is stopping.")
		p.retryAfter = 1
		return p
	}
	book := s.rules.Current()
	r := readiness{Status: "ready", LoadedAt: book.Loaded, Reload: reloadState{OK: true}, Keys: reloadState{OK: true}, Looks: reloadState{OK: true}}
	for _, set := range book.Newest {
		r.Rulesets = append(r.Rulesets, infoOf(set))
	}
	for _, p := range book.Profiles {
		r.Profiles = append(r.Profiles, profileDigest{p.ID, p.SHA256()})
	}
	r.LookedAt = s.rules.Looked()
	r.AgeSeconds = math.Round(time.Since(r.LookedAt).Seconds()*10) / 10
	if fault := s.rules.Fault(); fault != nil {
		r.Reload = reloadState{Error: fault.Err.Error(), Failed: &fault.When}
	}
	if fault := s.keys.Fault(); fault != nil {
		r.Keys = reloadState{Error: *fault}
	}
	if fault := s.rules.Config.Looks.Fault(); fault != nil {
		r.Looks = reloadState{Error: fault.Error()}
	}
	return x.sendJSON(http.StatusOK, "application/json", &r)
}

func infoOf(set *engine.Ruleset) engine.RulesetInfo {
	return set.Info()
}
