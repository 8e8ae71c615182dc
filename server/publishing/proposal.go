package publishing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"einvoice/model/pattern"
	"einvoice/server/refusal"
)

// Where the service asks for approval, what a key publishes or takes back is a proposal, which
// comes into force when another key approves it. A proposal is named by the digest of what it
// says, so that what was approved is what was proposed.

// proposedFolder is the folder, in that of the versions, that has the proposals.
const proposedFolder = "proposed"

// mostProposals bounds how many wait.
const mostProposals = 100

// A Proposal is a publication that waits for approval.
type Proposal struct {
	Publication
	// Base is the newest version when it was proposed.
	Base int `json:"base"`
	// ID is the digest of the rest.
	ID string `json:"-"`
	// Changed reports that its file is not what was proposed: it can only be rejected, and has
	// nothing but its ID.
	Changed bool `json:"-"`
}

// An Approval lets a proposal come into force, or refuses it.
type Approval struct {
	Proposal string `json:"proposal"`
	Who      string `json:"who"`
	Why      string `json:"why"`
}

// Made is what came of a request to publish: a version in force, or a proposal.
type Made struct {
	Version  int    `json:"version,omitempty"`
	Proposal string `json:"proposal,omitempty"`
}

// settle publishes, or proposes where another key has to approve.
func (s *Shelf) settle(ctx context.Context, p *Publication, files map[string]*string, base *int) (Made, error) {
	if !s.Approval {
		err := s.publish(ctx, p, files, base)
		return Made{Version: p.Version}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := publications(s.Dir)
	if err != nil {
		return Made{}, err
	}
	if p.Undoes == 0 {
		if err := changedSince(all, p, files, base); err != nil {
			return Made{}, err
		}
	}
	waiting, err := s.proposals()
	switch {
	case err != nil:
		return Made{}, err
	case len(waiting) >= mostProposals:
		return Made{}, refusal.New(refusal.NotPublished, "There are %d proposals already. Approve or reject some.", mostProposals)
	}
	proposal := &Proposal{Publication: *p}
	if len(all) > 0 {
		proposal.Base = all[len(all)-1].Version
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		change := Change{Name: name, After: files[name]}
		if change.Before, err = textOf(s.Dir, name); err != nil {
			return Made{}, err
		}
		proposal.Files = append(proposal.Files, change)
	}
	// Whoever approves must not be the one to find out that it cannot come into force.
	if _, err := s.load(ctx, append(all, proposal.Publication), files); err != nil {
		return Made{}, notLoaded(ctx, err)
	}
	record, err := json.MarshalIndent(proposal, "", "  ")
	if err != nil {
		return Made{}, err
	}
	id := digestOf(record)
	return Made{Proposal: id}, writeWhole(s.proposalFile(id), record)
}

func (s *Shelf) proposalFile(id string) string {
	return filepath.Join(s.Dir, versionsFolder, proposedFolder, id+".json")
}

// Proposals are those that wait, oldest first.
func (s *Shelf) Proposals() ([]Proposal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.proposals()
}

func (s *Shelf) proposals() (waiting []Proposal, err error) {
	entries, err := os.ReadDir(filepath.Join(s.Dir, versionsFolder, proposedFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if id, is := strings.CutSuffix(e.Name(), ".json"); is && proposalID().MatchString(id) {
			p, err := s.proposal(id)
			if _, isRefused := errors.AsType[*refusal.Refusal](err); isRefused {
				p, err = &Proposal{ID: id, Changed: true}, nil
			}
			if err != nil {
				return nil, err
			}
			waiting = append(waiting, *p)
		}
	}
	slices.SortFunc(waiting, func(a, b Proposal) int { return a.At.Compare(b.At) })
	return waiting, err
}

var proposalID = pattern.Later(`^[0-9a-f]{64}$`)

// proposal reads one, which has to be as it was proposed.
func (s *Shelf) proposal(id string) (*Proposal, error) {
	if !proposalID().MatchString(id) {
		return nil, refusal.New(refusal.NotPublished, "There is no proposal %.80q. /v1/rules/proposals lists those that wait.", id)
	}
	data, err := os.ReadFile(s.proposalFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusal.New(refusal.NotPublished, "There is no proposal %.80q. /v1/rules/proposals lists those that wait.", id)
	}
	if err != nil {
		return nil, err
	}
	if digestOf(data) != id {
		return nil, refusal.New(refusal.NotPublished, "The proposal %s was changed by hand since it was made. Reject it, and propose it again.", id)
	}
	p := &Proposal{ID: id}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("proposal %s: %w", id, err)
	}
	return p, nil
}

// Approve takes a proposal into force by another key than the one that proposed it.
func (s *Shelf) Approve(ctx context.Context, book *Book, a *Approval, by By) (Made, error) {
	p, err := s.settled(a)
	if err != nil {
		return Made{}, err
	}
	if p.Key == by.Key {
		return Made{}, refusal.New(refusal.KeyForbidden, "The key proposed this itself. Another key that names the operation rules has to approve it.")
	}
	files, draft := map[string]*string{}, map[string]string{}
	for _, f := range p.Files {
		if files[f.Name] = f.After; f.After != nil {
			draft[f.Name] = *f.After
		}
	}
	if p.Undoes == 0 {
		if err := book.Desk.Ready(ctx, draft); err != nil {
			return Made{}, notPublished(ctx, err, "reject it, and propose it again when it is corrected")
		}
	} else if err := s.isNewest(p); err != nil {
		return Made{}, err
	}
	out := p.Publication
	out.Files, out.At = nil, time.Now().UTC()
	out.ApprovedBy, out.ApprovedKey, out.ApprovedWhy = a.Who, by.Key, a.Why
	out.Requests = append(out.Requests, by.requests()...)
	if err := s.publish(ctx, &out, files, &p.Base); err != nil {
		return Made{}, err
	}
	return Made{Version: out.Version}, os.Remove(s.proposalFile(p.ID))
}

// isNewest refuses to take back what others have published upon since.
func (s *Shelf) isNewest(p *Proposal) error {
	all, err := s.Versions()
	if err == nil && len(all) > 0 && all[len(all)-1].Version != p.Base {
		err = refusal.New(refusal.RulesChanged, "Version %d was published since it was proposed to take back what is after version %d. Reject it, and propose it again.", all[len(all)-1].Version, p.Undoes-1)
	}
	return err
}

// Reject removes a proposal.
func (s *Shelf) Reject(a *Approval) error {
	p, err := s.settled(a)
	if err != nil {
		if !proposalID().MatchString(a.Proposal) {
			return err
		}
		p = &Proposal{ID: a.Proposal} // one that was changed by hand can go
		if _, missing := os.Stat(s.proposalFile(p.ID)); missing != nil || said(a.Who, a.Why) != nil {
			return err
		}
	}
	return os.Remove(s.proposalFile(p.ID))
}

// settled is the proposal that somebody decides about.
func (s *Shelf) settled(a *Approval) (*Proposal, error) {
	if !s.Approval {
		return nil, refusal.New(refusal.NotPublished, "This service publishes at once, with one key. It has proposals where it is started with --publish-approval.")
	}
	if err := said(a.Who, a.Why); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.proposal(a.Proposal)
}
