package publishing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"einvoice/engine"
	"einvoice/server/refusal"
)

// A Draft is rules that are to come into force.
type Draft struct {
	Files map[string]string `json:"files"`
	Who   string            `json:"who"`
	Why   string            `json:"why"`
	From  string            `json:"from"`
	// Base is the newest version that the draft was written upon; null where it does not say,
	// which is refused where it would undo what somebody else published.
	Base *int `json:"base"`
}

// A Rollback asks for an earlier version to be in force again; 0 is what was there before all
// of them.
type Rollback struct {
	Version int    `json:"version"`
	Who     string `json:"who"`
	Why     string `json:"why"`
}

// Publish takes a draft into force that was made on a book, or proposes it.
func (s *Shelf) Publish(ctx context.Context, book *Book, d *Draft, by By) (Made, error) {
	if err := said(d.Who, d.Why); err != nil {
		return Made{}, err
	}
	later, err := inForceFrom(d.From)
	if err != nil {
		return Made{}, err
	}
	if later {
		if d.Files, err = book.Desk.From(d.Files, engine.Day(d.From)); err != nil {
			return Made{}, err
		}
	}
	if err := book.Desk.Ready(ctx, d.Files); err != nil {
		return Made{}, notPublished(ctx, err, "correct the draft")
	}
	files := map[string]*string{}
	for name, text := range d.Files {
		files[name] = &text
	}
	p := &Publication{Who: d.Who, Key: by.Key, Why: d.Why, From: d.From, At: time.Now().UTC(), Requests: by.requests()}
	return s.settle(ctx, p, func(all []Publication) (map[string]*string, error) { return files, changedSince(all, p, files, d.Base) })
}

// Roll takes an earlier version back into force, as a version of its own, or proposes that.
func (s *Shelf) Roll(ctx context.Context, r *Rollback, by By) (Made, error) {
	if err := said(r.Who, r.Why); err != nil {
		return Made{}, err
	}
	p := &Publication{Who: r.Who, Key: by.Key, Why: r.Why, From: string(engine.Today()), At: time.Now().UTC(), Undoes: r.Version + 1, Requests: by.requests()}
	return s.settle(ctx, p, func(all []Publication) (map[string]*string, error) { return s.before(all, r.Version) })
}

// changedSince refuses files that others published after the version that a draft was written
// upon: their changes would be lost. Without a version, whoever publishes has seen what they
// published last themselves.
func changedSince(all []Publication, p *Publication, files map[string]*string, base *int) error {
	if newest := newestOf(all); base != nil && *base > newest {
		return refusal.New(refusal.RulesChanged, "There is no version %d that the draft could be written upon. Take over what is in force, and send base: %d.", *base, newest)
	}
	var lost []string
	for _, before := range all {
		isSeen := base != nil && before.Version <= *base || base == nil && before.Who == p.Who
		if base == nil && before.Who == p.Who {
			lost = nil
		}
		if isSeen {
			continue
		}
		for _, f := range before.Files {
			if _, writes := files[f.Name]; writes {
				lost = append(lost, fmt.Sprintf("%s in version %d by %s (%s)", f.Name, before.Version, before.Who, before.Why))
			}
		}
	}
	if lost == nil {
		return nil
	}
	return refusal.New(refusal.RulesChanged, "The draft would undo what was published meanwhile: %s. Take it over into the draft, and send base: %d.", strings.Join(lost, "; "), newestOf(all))
}

// newestOf is the newest version; 0 without one.
func newestOf(all []Publication) int {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Version
}

// Versions are those that were published, oldest first.
func (s *Shelf) Versions() ([]Publication, error) { return publications(s.Dir) }

// before are the files as a version had them, of those that later ones changed.
func (s *Shelf) before(all []Publication, version int) (map[string]*string, error) {
	if version < 0 || version >= newestOf(all) {
		return nil, refusal.New(refusal.NotPublished, "There is no version after %d that could be taken back.", version)
	}
	files := map[string]*string{}
	for _, p := range slices.Backward(all) {
		if p.Version <= version {
			break
		}
		for _, f := range p.Files {
			if _, known := files[f.Name]; !known {
				now, err := textOf(s.Dir, f.Name)
				if err != nil {
					return nil, err
				}
				if !same(now, f.After) {
					return nil, refusal.New(refusal.NotPublished, "The file %q was changed by hand since it was published. Take it back by hand as well.", f.Name)
				}
			}
			files[f.Name] = f.Before
		}
	}
	return files, nil
}

func same(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// longestSaid bounds names and reasons, in characters.
const longestSaid = 500

// said refuses a publication that does not say who and why.
func said(who, why string) error {
	for _, said := range [][2]string{{"who", who}, {"why", why}} {
		if strings.TrimSpace(said[1]) == "" || utf8.RuneCountInString(said[1]) > longestSaid {
			return refusal.New(refusal.Option, "The option %q has 1 to %d characters. Say who publishes, and why.", said[0], longestSaid)
		}
	}
	return nil
}

// inForceFrom tells a day to come from today and earlier ones, which mean at once.
func inForceFrom(from string) (later bool, err error) {
	if from == "" {
		return false, refusal.New(refusal.Option, "The option %q is missing. Write the day from which on the rules are in force, as 2026-11-20.", "from")
	}
	day, err := engine.ParseDay(from)
	if err != nil {
		return false, refusal.New(refusal.Option, "The option \"from\" is not a day. Write it as 2026-11-20.")
	}
	return day > engine.Today(), nil
}
