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
	// Unfinished is what failed after the version had come into force, for whoever runs the service.
	Unfinished error `json:"-"`
}

// settle publishes what plan says of the versions that there are, or proposes it where another
// key has to approve. From the plan to the end nobody else publishes, approves or rejects, here or in another
// process: what was decided about is what is written upon.
func (s *Shelf) settle(ctx context.Context, p *Publication, plan func(all []Publication) (map[string]*string, error)) (Made, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	release, err := s.hold(ctx)
	if err != nil {
		return Made{}, err
	}
	defer release()
	all, err := publications(s.Dir)
	if err != nil {
		return Made{}, err
	}
	files, err := plan(all)
	if err != nil {
		return Made{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		change := Change{Name: name, After: files[name]}
		if change.Before, err = textOf(s.Dir, name); err != nil {
			return Made{}, err
		}
		p.Files = append(p.Files, change)
	}
	if s.Approval && p.approves == "" {
		return s.propose(ctx, all, p, files)
	}
	return s.publish(ctx, all, p)
}

// propose keeps a publication until another key approves it.
func (s *Shelf) propose(ctx context.Context, all []Publication, p *Publication, files map[string]*string) (Made, error) {
	waiting, err := s.proposals()
	switch {
	case err != nil:
		return Made{}, err
	case len(waiting) >= mostProposals:
		return Made{}, refusal.New(refusal.NotPublished, "There are %d proposals already. Approve or reject some.", mostProposals)
	}
	// Whoever approves must not be the one to find out that it cannot come into force.
	if _, err := s.load(ctx, append(all, *p), files); err != nil {
		return Made{}, s.notLoaded(ctx, all, err)
	}
	record, err := json.MarshalIndent(&Proposal{Publication: *p, Base: newestOf(all)}, "", "  ")
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
	s.mu.Lock()
	p, err := s.settled(a)
	s.mu.Unlock()
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
	}
	out := p.Publication
	out.Files, out.At, out.approves = nil, time.Now().UTC(), p.ID
	out.ApprovedBy, out.ApprovedKey, out.ApprovedWhy = a.Who, by.Key, a.Why
	out.Requests = append(out.Requests, by.requests()...)
	return s.settle(ctx, &out, func(all []Publication) (map[string]*string, error) { return files, s.isCurrent(all, p, files) })
}

// isCurrent refuses a proposal that somebody has decided about, and one that is about other
// files than there are now: what was looked at is not what would change.
func (s *Shelf) isCurrent(all []Publication, p *Proposal, files map[string]*string) error {
	if _, err := s.proposal(p.ID); err != nil {
		return err
	}
	if newest := newestOf(all); p.Undoes != 0 && newest != p.Base {
		return refusal.New(refusal.RulesChanged, "Version %d was published since it was proposed to take back what is after version %d. Reject it, and propose it again.", newest, p.Undoes-1)
	}
	if p.Undoes == 0 {
		if err := changedSince(all, &p.Publication, files, &p.Base); err != nil {
			return err
		}
	}
	for _, f := range p.Files {
		now, err := textOf(s.Dir, f.Name)
		if err != nil {
			return err
		}
		if !same(now, f.Before) {
			return refusal.New(refusal.RulesChanged, "The file %q was changed by hand since this was proposed. Reject it, and propose it again.", f.Name)
		}
	}
	return nil
}

// Reject removes a proposal.
func (s *Shelf) Reject(ctx context.Context, a *Approval) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	release, err := s.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
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
	return s.proposal(a.Proposal)
}
