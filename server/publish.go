package server

import (
	"context"
	"net/http"
	"slices"
	"time"

	"einvoice/server/admission"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/workbench"
)

// scopeOfPublishing is the operation that a key has to name to publish rules: a key for
// everything is not enough.
const scopeOfPublishing = "rules"

// A publicationEntry is a version in a list.
type publicationEntry struct {
	Version int       `json:"version"`
	Who     string    `json:"who"`
	Why     string    `json:"why"`
	From    string    `json:"from"`
	At      time.Time `json:"at"`
	Undoes  int       `json:"undoes"`
	Files   []string  `json:"files"`
	// ApprovedBy is who approved it with another key; "" where nobody had to.
	ApprovedBy string `json:"approvedBy,omitempty"`
}

// mayPublish refuses keys that were not made for it, and services without a folder.
func (s *Server) mayPublish(x *exchange) error {
	if s.config.RulesetsDir == "" {
		return newProblem(refusal.NotPublished, "This service has no folder of rules to publish into. Start it with --rulesets DIR.")
	}
	if s.config.NoAuth || !s.keys.Names(x.key, scopeOfPublishing) {
		return newProblem(refusal.KeyForbidden, "Publishing needs a key that names the operation %s. Make one with einvoice keys new --operations workbench,%s.", scopeOfPublishing, scopeOfPublishing)
	}
	return nil
}

// postPublish is POST /v1/rules/publish.
func (s *Server) postPublish(x *exchange) error {
	return publish(s, x, func(ctx context.Context, book *publishing.Book, d *publishing.Draft, by publishing.By) (publishing.Made, error) {
		return s.rules.Publish(ctx, book, d, by)
	})
}

// postRollback is POST /v1/rules/rollback.
func (s *Server) postRollback(x *exchange) error {
	return publish(s, x, func(ctx context.Context, _ *publishing.Book, r *publishing.Rollback, by publishing.By) (publishing.Made, error) {
		return s.rules.Roll(ctx, r, by)
	})
}

// postApprove is POST /v1/rules/approve.
func (s *Server) postApprove(x *exchange) error {
	return publish(s, x, func(ctx context.Context, book *publishing.Book, a *publishing.Approval, by publishing.By) (publishing.Made, error) {
		return s.rules.Approve(ctx, book, a, by)
	})
}

// postReject is POST /v1/rules/reject.
func (s *Server) postReject(x *exchange) error {
	return publish(s, x, func(ctx context.Context, _ *publishing.Book, a *publishing.Approval, _ publishing.By) (publishing.Made, error) {
		return publishing.Made{}, s.rules.Reject(ctx, a)
	})
}

// A proposalEntry is a proposal in a list.
type proposalEntry struct {
	Proposal string              `json:"proposal"`
	Who      string              `json:"who"`
	Key      string              `json:"key"`
	Own      bool                `json:"own"` // by the key that asks
	Why      string              `json:"why"`
	From     string              `json:"from"`
	At       time.Time           `json:"at"`
	Base     int                 `json:"base"`
	Undoes   int                 `json:"undoes"`
	Files    []publishing.Change `json:"files"`
	Changed  bool                `json:"changed"` // by hand: it can only be rejected
}

// postProposals is POST /v1/rules/proposals: what waits for approval.
func (s *Server) postProposals(x *exchange) error {
	if err := s.mayPublish(x); err != nil {
		return err
	}
	waiting, err := s.rules.Proposals()
	if err != nil {
		return err
	}
	entries := []proposalEntry{}
	for _, p := range waiting {
		if p.Files == nil {
			p.Files = []publishing.Change{}
		}
		entries = append(entries, proposalEntry{p.ID, p.Who, p.Key, p.Key == x.key, p.Why, p.From, p.At, p.Base, p.Undoes, p.Files, p.Changed})
	}
	return x.sendJSON(http.StatusOK, "application/json", map[string]any{"proposals": entries})
}

// postVersions is POST /v1/rules/versions: what was published.
func (s *Server) postVersions(x *exchange) error {
	if err := s.mayPublish(x); err != nil {
		return err
	}
	all, err := s.rules.Versions()
	if err != nil {
		return err
	}
	entries := []publicationEntry{}
	for _, p := range slices.Backward(all) {
		e := publicationEntry{p.Version, p.Who, p.Why, p.From, p.At, p.Undoes, []string{}, p.ApprovedBy}
		for _, f := range p.Files {
			e.Files = append(e.Files, f.Name)
		}
		entries = append(entries, e)
	}
	return x.sendJSON(http.StatusOK, "application/json", map[string]any{"versions": entries})
}

// publish reads a request of publishing and answers with the version that it made.
func publish[Request any](s *Server, x *exchange, work func(context.Context, *publishing.Book, *Request, publishing.By) (publishing.Made, error)) error {
	if err := s.mayPublish(x); err != nil {
		return err
	}
	return s.withBody(x, func(v *admission.Visit) error {
		data, err := s.readJSON(x, v)
		if err != nil {
			return err
		}
		request := new(Request)
		if err := workbench.Decode(data, request); err != nil {
			return err
		}
		key, err := x.idempotencyKey()
		if err != nil {
			return err
		}
		by := publishing.By{Key: x.key}
		if key != "" {
			by.Once = &publishing.Request{Key: digestOf(x.key, key), SHA256: digestOf(x.request.URL.Path, string(data))}
		}
		var made publishing.Made
		err = s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
			if err := v.Take(ofMixed(readCost, data)); err != nil {
				return err
			}
			made, err = s.rules.Once(ctx, by, func() (publishing.Made, error) { return work(ctx, book, request, by) })
			return err
		})
		if err != nil {
			return err
		}
		switch {
		case made.Proposal != "":
			x.outcome = "proposed"
			s.log.Info("rules proposed", "proposal", made.Proposal, "key", x.key)
			return x.sendJSON(http.StatusAccepted, "application/json", made)
		case made.Version == 0:
			x.outcome = "rejected"
			s.log.Info("proposal of rules rejected", "key", x.key)
			return x.sendJSON(http.StatusOK, "application/json", struct{}{})
		}
		if made.Unfinished != nil {
			s.log.Error("rules published and in force, but not kept as they should be", "version", made.Version, "error", made.Unfinished.Error())
		}
		x.outcome = "published"
		s.log.Info("rules published", "version", made.Version, "key", x.key, "rulesets", s.versions())
		return x.sendJSON(http.StatusOK, "application/json", made)
	})
}
