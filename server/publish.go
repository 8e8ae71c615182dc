package server

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/model/problem"
)

// scopeOfPublishing is the operation that a key has to name to publish rules: a key for
// everything is not enough.
const scopeOfPublishing = "rules"

// A publishRequest asks for a draft to come into force.
type publishRequest struct {
	Files map[string]string `json:"files"`
	Who   string            `json:"who"`
	Why   string            `json:"why"`
	From  string            `json:"from"`
}

// A rollbackRequest asks for an earlier version to be in force again; 0 is what was there
// before all of them.
type rollbackRequest struct {
	Version int    `json:"version"`
	Who     string `json:"who"`
	Why     string `json:"why"`
}

// A publicationEntry is a version in a list.
type publicationEntry struct {
	Version int       `json:"version"`
	Who     string    `json:"who"`
	Why     string    `json:"why"`
	From    string    `json:"from"`
	At      time.Time `json:"at"`
	Undoes  int       `json:"undoes"`
	Files   []string  `json:"files"`
}

// mayPublish refuses keys that were not made for it, and services without a folder.
func (s *Server) mayPublish(x *exchange) error {
	if s.config.RulesetsDir == "" {
		return newProblem(codeNotPublished, "This service has no folder of rules to publish into. Start it with --rulesets DIR.")
	}
	if s.config.NoAuth || !s.keys.Names(x.key, scopeOfPublishing) {
		return newProblem(codeKeyForbidden, "Publishing needs a key that names the operation %s. Make one with einvoice keys new --operations workbench,%s.", scopeOfPublishing, scopeOfPublishing)
	}
	return nil
}

// postPublish is POST /v1/rules/publish.
func (s *Server) postPublish(x *exchange) error {
	return publishing(s, x, func(ctx context.Context, book *rulebook, r *publishRequest) (int, error) {
		if err := said(r.Who, r.Why); err != nil {
			return 0, err
		}
		later, err := inForceFrom(r.From)
		if err != nil {
			return 0, err
		}
		if later {
			if r.Files, err = book.desk.From(r.Files, engine.Day(r.From)); err != nil {
				return 0, err
			}
		}
		if err := book.desk.Ready(ctx, r.Files); err != nil {
			return 0, &problem.Error{Code: codeNotPublished, Message: err.Error(), Remedy: "mend the draft"}
		}
		files := map[string]*string{}
		for name, text := range r.Files {
			files[name] = &text
		}
		p := &publication{Who: r.Who, Key: x.key, Why: r.Why, From: r.From, At: time.Now().UTC()}
		err = s.reloader.publish(ctx, p, files)
		return p.Version, err
	})
}

// postRollback is POST /v1/rules/rollback.
func (s *Server) postRollback(x *exchange) error {
	return publishing(s, x, func(ctx context.Context, _ *rulebook, r *rollbackRequest) (int, error) {
		if err := said(r.Who, r.Why); err != nil {
			return 0, err
		}
		files, err := s.before(r.Version)
		if err != nil {
			return 0, err
		}
		p := &publication{Who: r.Who, Key: x.key, Why: r.Why, From: string(engine.Today()), At: time.Now().UTC(), Undoes: r.Version + 1}
		err = s.reloader.publish(ctx, p, files)
		return p.Version, err
	})
}

// before are the files as a version had them, of those that later ones changed.
func (s *Server) before(version int) (map[string]*string, error) {
	all, err := publications(s.config.RulesetsDir)
	if err != nil {
		return nil, err
	}
	if version < 0 || len(all) == 0 || version >= all[len(all)-1].Version {
		return nil, newProblem(codeNotPublished, "There is no version after %d that could be taken back.", version)
	}
	files := map[string]*string{}
	for _, p := range slices.Backward(all) {
		if p.Version <= version {
			break
		}
		for _, f := range p.Files {
			if _, known := files[f.Name]; !known {
				now, err := textOf(s.config.RulesetsDir, f.Name)
				if err != nil {
					return nil, err
				}
				if !same(now, f.After) {
					return nil, newProblem(codeNotPublished, "The file %q was changed by hand since it was published. Take it back by hand as well.", f.Name)
				}
			}
			files[f.Name] = f.Before
		}
	}
	return files, nil
}

func same(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// postVersions is POST /v1/rules/versions: what was published.
func (s *Server) postVersions(x *exchange) error {
	if err := s.mayPublish(x); err != nil {
		return err
	}
	all, err := publications(s.config.RulesetsDir)
	if err != nil {
		return err
	}
	entries := []publicationEntry{}
	for _, p := range slices.Backward(all) {
		e := publicationEntry{p.Version, p.Who, p.Why, p.From, p.At, p.Undoes, []string{}}
		for _, f := range p.Files {
			e.Files = append(e.Files, f.Name)
		}
		entries = append(entries, e)
	}
	return x.sendJSON(http.StatusOK, "application/json", map[string]any{"versions": entries})
}

// publishing reads a request of publishing and answers with the version that it made.
func publishing[Request any](s *Server, x *exchange, work func(context.Context, *rulebook, *Request) (int, error)) error {
	if err := s.mayPublish(x); err != nil {
		return err
	}
	return s.withBody(x, func(v *visit) error {
		data, err := s.readJSON(x, v)
		if err != nil {
			return err
		}
		request := new(Request)
		if err := json.Unmarshal(data, request); err != nil {
			return newProblem(codeRequestInvalid, "The request is not the JSON of this call. /docs describes it.")
		}
		var version int
		err = s.inTurn(x, readCost, func(ctx context.Context, book *rulebook) error {
			if err := v.take(readCost.ofMixed(data)); err != nil {
				return err
			}
			version, err = work(ctx, book, request)
			return err
		})
		if err != nil {
			return err
		}
		s.log.Info("rules published", "version", version, "key", x.key, "rulesets", s.versions())
		return x.sendJSON(http.StatusOK, "application/json", map[string]int{"version": version})
	})
}

// longestSaid bounds names and reasons.
const longestSaid = 500

// said refuses a publication that does not say who and why.
func said(who, why string) error {
	for name, text := range map[string]string{"who": who, "why": why} {
		if strings.TrimSpace(text) == "" || len(text) > longestSaid {
			return newProblem(codeOption, "The option %q has 1 to %d characters. Say who publishes, and why.", name, longestSaid)
		}
	}
	return nil
}

// inForceFrom tells a day to come from today and earlier ones, which mean at once.
func inForceFrom(from string) (later bool, err error) {
	day, err := engine.ParseDay(from)
	if err != nil {
		return false, newProblem(codeOption, "The option \"from\" is no day. Write it as 2026-11-20.")
	}
	return day > engine.Today(), nil
}
