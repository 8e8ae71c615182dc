package publishing

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"einvoice/engine"
	"einvoice/server/refusal"
)

const togetherOverlay = "overlay: %s\ntitle: By %s\nowner: Us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: a trial, until: 2099-12-31}\n"

// A crowd are clients that publish, take back, approve and reject at once, about the same few
// files, and with several services over one folder, as where one replaces another.
type crowd struct {
	*Shelf
	services  []*Shelf
	mu        sync.Mutex
	proposals []string
	rejected  map[string]bool
	approved  map[string]int
	made      map[int]bool
}

// act does something at random, and notes what came of it.
func (c *crowd) act(ctx context.Context, r *rand.Rand, who string) error {
	s := c.services[r.IntN(len(c.services))]
	all, err := s.Versions()
	if err != nil {
		return err
	}
	base, name := newestOf(all), fmt.Sprint("o", r.IntN(3))
	c.mu.Lock()
	proposal := strings.Repeat("0", 64)
	if n := len(c.proposals); n > 0 {
		proposal = c.proposals[max(0, n-1-r.IntN(2))]
	}
	c.mu.Unlock()
	decision := &Approval{Proposal: proposal, Who: who, Why: "why"}
	var made Made
	switch r.IntN(6) {
	case 0, 1:
		files := map[string]string{"overlays/" + name + ".yaml": fmt.Sprintf(togetherOverlay, name, who)}
		made, err = s.Publish(ctx, s.Current(), &Draft{Files: files, Who: who, Why: "why", From: string(engine.Today()), Base: &base}, By{Key: who})
	case 2:
		made, err = s.Roll(ctx, &Rollback{Version: max(0, base-1-r.IntN(2)), Who: who, Why: "why"}, By{Key: who})
	case 3, 4:
		made, err = s.Approve(ctx, s.Current(), decision, By{Key: who + " approving"})
	default:
		err = s.Reject(ctx, decision)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, isRefused := errors.AsType[*refusal.Refusal](err); {
	case isRefused:
		return nil
	case err != nil:
		return err
	case made.Unfinished != nil:
		return made.Unfinished
	case made.Proposal != "":
		c.proposals = append(c.proposals, made.Proposal)
	case made.Version == 0:
		c.rejected[proposal] = true
	case c.made[made.Version]:
		return fmt.Errorf("version %d was made twice", made.Version)
	default:
		c.made[made.Version] = true
		c.approved[proposal]++
	}
	return nil
}

// shelfOf is a shelf with an overlay in it.
func shelfOf(t *testing.T, approval bool) *Shelf {
	t.Helper()
	s := &Shelf{Dir: t.TempDir(), Approval: approval}
	editByHand(t, s, "base", "us")
	if _, err := s.Refresh(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	return s
}

// editByHand writes an overlay into the folder; without an author it removes it.
func editByHand(t *testing.T, s *Shelf, name, by string) {
	t.Helper()
	path := filepath.Join(s.Dir, "overlays", name+".yaml")
	err := os.MkdirAll(filepath.Dir(path), 0o750)
	if by == "" {
		err = errors.Join(err, os.Remove(path))
	} else {
		err = errors.Join(err, os.WriteFile(path, fmt.Appendf(nil, togetherOverlay, name, by), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func publishOne(t *testing.T, s *Shelf, name, by string) (Made, error) {
	t.Helper()
	all, err := s.Versions()
	if err != nil {
		t.Fatal(err)
	}
	base := newestOf(all)
	files := map[string]string{"overlays/" + name + ".yaml": fmt.Sprintf(togetherOverlay, name, by)}
	return s.Publish(t.Context(), s.Current(), &Draft{Files: files, Who: by, Why: "why", From: string(engine.Today()), Base: &base}, By{Key: by})
}

// Whoever approves has seen the lines that go and come: where the file was changed by hand since,
// nothing is published over the change.
func TestApprovedAsSeen(t *testing.T) {
	for before, after := range map[string]string{"": "hand", "us": "hand", "them": ""} {
		for _, undoes := range []bool{false, true} {
			s := shelfOf(t, false)
			if before != "" {
				editByHand(t, s, "o", before)
			}
			if undoes {
				if _, err := publishOne(t, s, "o", "Ada"); err != nil {
					t.Fatal(err)
				}
			}
			s.Approval = true
			made, err := publishOne(t, s, "o", "Bo")
			if undoes {
				made, err = s.Roll(t.Context(), &Rollback{Who: "Bo", Why: "why"}, By{Key: "Bo"})
			}
			if err != nil {
				t.Fatal(err)
			}
			editByHand(t, s, "o", after)
			_, err = s.Approve(t.Context(), s.Current(), &Approval{made.Proposal, "Cy", "why"}, By{Key: "Cy"})
			if refused, is := errors.AsType[*refusal.Refusal](err); !is || refused.Code != refusal.RulesChanged {
				t.Errorf("%q edited by hand to %q, undoes %v: %v", before, after, undoes, err)
			}
		}
	}
}

// What stands in the way of a version is told with what to do about it: in the folder where it is
// there without the draft. What fails once a version is in force does not make it a failure.
func TestInTheWay(t *testing.T) {
	for what, block := range map[string]func(s *Shelf) error{
		"it is a folder, or": func(s *Shelf) error { return os.Mkdir(filepath.Join(s.Dir, "overlays", "o.yaml"), 0o750) },
		"does not load without it": func(s *Shelf) error {
			return os.WriteFile(filepath.Join(s.Dir, "overlays", "p.yaml"), []byte("a: ["), 0o600)
		},
		"or a link or a file": func(s *Shelf) error {
			return os.Symlink(filepath.Dir(s.Dir), filepath.Join(s.Dir, "overlays", "o.yaml"))
		},
	} {
		for _, approval := range []bool{false, true} {
			s := shelfOf(t, approval)
			if err := block(s); err != nil {
				t.Fatal(err)
			}
			if _, err := publishOne(t, s, "o", "Ada"); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s, approval %v: %v", what, approval, err)
			}
		}
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	s := shelfOf(t, false)
	if out, err := exec.CommandContext(t.Context(), git, "-C", s.Dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, ".git", "index.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if made, err := publishOne(t, s, "o", "Ada"); err != nil || made.Version != 1 || made.Unfinished == nil {
		t.Errorf("a version without a commit: %+v, %v", made, err)
	}
}

// Whatever clients do at once, each version is written upon what its author was told of: the log
// is whole, nobody is told that a hand was at a file where none was, a rollback takes back all
// that it says and nothing comes of a proposal twice.
func TestTogether(t *testing.T) {
	for n := range 4 {
		approval, services := n%2 == 1, 1+n/2*2
		t.Run(fmt.Sprint("approval ", approval, ", services ", services), func(t *testing.T) {
			c := &crowd{Shelf: shelfOf(t, approval), rejected: map[string]bool{}, approved: map[string]int{}, made: map[int]bool{}}
			c.services = []*Shelf{c.Shelf}
			for len(c.services) < services {
				s := &Shelf{Dir: c.Dir, Approval: approval}
				if _, err := s.Refresh(t.Context(), true); err != nil {
					t.Fatal(err)
				}
				c.services = append(c.services, s)
			}
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					r := rand.New(rand.NewPCG(uint64(i), 29)) //nolint:gosec // the same acts in every run
					for range 6 {
						if err := c.act(t.Context(), r, fmt.Sprint("client ", i)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			c.holds(t)
		})
	}
}

// holds says what is wrong with what a crowd left behind.
func (c *crowd) holds(t *testing.T) {
	t.Helper()
	entries, err := Log(c.Dir, nil)
	if err != nil || len(entries) != len(c.made) {
		t.Fatalf("%d versions, and %d were answered: %v", len(entries), len(c.made), err)
	}
	for proposal := range c.rejected {
		if c.approved[proposal] > 0 {
			t.Errorf("proposal %.8s was approved and rejected", proposal)
		}
	}
	for proposal, n := range c.approved {
		if c.Approval && n > 1 {
			t.Errorf("proposal %.8s was approved %d times", proposal, n)
		}
	}
	for i := range entries {
		for _, fault := range entries[i].Faults {
			t.Errorf("version %d: %s", entries[i].Version, fault)
		}
		if entries[i].Undoes > 0 {
			undone(t, entries, i)
		}
	}
}

// undone says which file a version does not take back to what it says.
func undone(t *testing.T, entries []LogEntry, i int) {
	t.Helper()
	now := map[string]*string{}
	for _, f := range entries[i].Files {
		now[f.Name] = f.After
	}
	then := map[string]*string{}
	for _, e := range entries[entries[i].Undoes-1 : i] {
		for _, f := range e.Files {
			if _, known := then[f.Name]; !known {
				then[f.Name] = f.Before
			}
		}
	}
	for name, text := range then {
		if left, is := now[name]; !is || !same(left, text) {
			t.Errorf("version %d takes back %d and later, and not %s", entries[i].Version, entries[i].Undoes, name)
		}
	}
}
