package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// OverlaysOf are the overlays to judge documents of a profile with, the first that
// decides first: those that are asked for by name with those that they are over, those of
// the profile, those of all profiles; and how many of them were asked for. p is nil where
// rulesets run alone.
func (l *Library) OverlaysOf(p *Profile, asked []string) (stack []*Overlay, n int, err error) {
	of, err := l.ofProfile(p)
	if err != nil {
		return nil, 0, err
	}
	if len(asked) == 0 {
		return of.all, 0, nil
	}
	if stack, err = l.Compose(asked); err != nil {
		return nil, 0, err
	}
	n = len(stack)
	without := func(all []*Overlay) []*Overlay {
		return slices.DeleteFunc(slices.Clone(all), func(o *Overlay) bool { return slices.Contains(stack, o) })
	}
	own, shared := without(of.own), without(of.shared)
	if err := l.refuse(stack, own, shared); err != nil {
		return nil, 0, err
	}
	return slices.Concat(stack, own, shared), n, nil
}

// A profileStack is the overlays of a profile with those that they are over, the first that decides first.
type profileStack struct {
	own, shared []*Overlay // of the profile, of all profiles
	all         []*Overlay
}

// ofProfile are the overlays of a profile; nil has none.
func (l *Library) ofProfile(p *Profile) (profileStack, error) {
	if p == nil {
		return profileStack{}, nil
	}
	l.mu.Lock()
	known := p.resolved
	l.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	own, err := l.withAncestors(p.Overlays[:p.own])
	if err != nil {
		return profileStack{}, err
	}
	shared, err := l.withAncestors(p.Overlays[p.own:])
	if err != nil {
		return profileStack{}, err
	}
	shared = slices.DeleteFunc(shared, func(o *Overlay) bool { return slices.Contains(own, o) })
	of := profileStack{own, shared, slices.Concat(own, shared)}
	l.mu.Lock()
	defer l.mu.Unlock()
	p.resolved = &of
	return of, nil
}

// Attribute says of the findings that overlays brought about who answers for these, and since
// when they are in force.
func (r *Report) Attribute(overlays []*Overlay) {
	for i := range r.Findings {
		r.Findings[i].attribute(overlays)
	}
}

func (f *Finding) attribute(overlays []*Overlay) {
	if f.Overlay != "" && f.LevelReason == "" {
		var owners []string
		for _, name := range strings.Split(f.Overlay, ", ") {
			for _, o := range overlays {
				if o.Name != name {
					continue
				}
				if o.Owner != "" && !slices.Contains(owners, o.Owner) {
					owners = append(owners, o.Owner)
				}
				f.Since = max(f.Since, o.Effective.From)
			}
		}
		if f.said != nil && f.said.rule != nil {
			f.Since = max(f.Since, f.said.rule.Effective.From)
		}
		f.Owner = strings.Join(owners, "; ")
	}
}

// An OverlayInfo tells of an overlay in a report.
type OverlayInfo struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Owner  string `json:"owner,omitempty"`
	SHA256 string `json:"sha256"`
	// Effective is when it is in force; nil where it does not say.
	Effective *Period `json:"effective,omitempty"`
	// Applied reports whether it decided; Reason says why not.
	Applied bool   `json:"applied"`
	Reason  string `json:"reason,omitempty"`
	// Idle is of one that a profile names, that changes levels alone, and none of this report:
	// reports for readers leave it out.
	Idle bool `json:"-"`
}

// IsDated reports whether a day decides about the overlay or about any of its changes.
func (o *Overlay) IsDated() bool {
	return o.Effective != Period{} || slices.ContainsFunc(o.Levels, func(c LevelChange) bool { return c.Until != "" })
}

// Excepts reports whether it, or one of its changes, is not for documents that are asked to follow a
// standard by name.
func (o *Overlay) Excepts(standard string) bool {
	return slices.Contains(o.Documents.Except, standard) ||
		slices.ContainsFunc(o.Levels, func(c LevelChange) bool { return slices.Contains(c.Documents.Except, standard) })
}

// Applying are those of the first n overlays, which were asked for, that apply to a
// document, and those of the others that change more than levels and do; with what is to be told: of
// all that were asked for, and of those of the others that apply or are not in force on the day that
// decides. That an overlay of a profile is for other documents is nothing to tell.
func (l *Library) Applying(ctx context.Context, stack []*Overlay, n int, j *Judged) (applying []*Overlay, told []OverlayInfo, err error) {
	for i, o := range stack {
		reason, err := o.leaves(ctx, l, j)
		if err != nil {
			return nil, nil, fmt.Errorf("overlay %s: %w", o.Name, err)
		}
		levelsAlone := i >= n && !o.ChangesRules()
		if reason == "" || levelsAlone { // whether it decides is seen when a finding needs it
			applying = append(applying, o)
		}
		if i >= n && reason != "" && o.Effective.In(j.Days) {
			continue
		}
		info := OverlayInfo{Name: o.Name, Title: o.Title, Owner: o.Owner, SHA256: o.SHA256, Applied: reason == "", Reason: reason, Idle: levelsAlone}
		if o.Effective != (Period{}) {
			info.Effective = &o.Effective
		}
		told = append(told, info)
	}
	return applying, told, nil
}

// SetLevels gives the findings of a report the levels that overlays say: of the changes
// that name a finding, the first. Findings that have such a level already keep it. It
// returns the changes that would have applied had their term not ended.
func (l *Library) SetLevels(ctx context.Context, overlays []*Overlay, j *Judged, report *Report) (expired []*LevelChange, err error) {
	for _, o := range overlays {
		if !o.decidesAny(report) {
			continue
		}
		reason, err := o.leaves(ctx, l, j)
		if err != nil {
			return nil, fmt.Errorf("overlay %s: %w", o.Name, err)
		}
		if reason != "" {
			continue
		}
		for i := range o.Levels {
			ended, err := l.setLevel(ctx, o, &o.Levels[i], j, report)
			if err != nil {
				return nil, fmt.Errorf("overlay %s: %w", o.Name, err)
			}
			if ended {
				expired = append(expired, &o.Levels[i])
			}
		}
	}
	report.finish()
	return slices.DeleteFunc(expired, func(c *LevelChange) bool { return !c.changesAny(report) }), nil // another overlay may have changed them
}

// decidesAny reports whether the overlay says which level any finding has.
func (o *Overlay) decidesAny(report *Report) bool {
	for i := range o.Levels {
		if o.Levels[i].decidesAny(report) {
			return true
		}
	}
	return false
}

// decidesAny is about the findings that are listed, as of every rule one is.
func (c *LevelChange) decidesAny(report *Report) bool {
	return slices.ContainsFunc(report.Findings, func(f Finding) bool { return !f.Decided && c.decides(f.Rule, f.Level) })
}

// changesAny reports whether a listed finding would have another level.
func (c *LevelChange) changesAny(report *Report) bool {
	return slices.ContainsFunc(report.Findings, func(f Finding) bool { return !f.Decided && f.Level != c.Level && c.decides(f.Rule, f.Level) })
}

// setLevel makes one change; ended tells that its term did. A finding that has the level
// already is decided too, so that what the overlay is over does not give it another.
func (l *Library) setLevel(ctx context.Context, o *Overlay, c *LevelChange, j *Judged, report *Report) (ended bool, err error) {
	if !c.decidesAny(report) {
		return false, nil
	}
	if reason, err := c.Documents.have(ctx, l, j); err != nil || reason != "" {
		return false, err
	}
	if !c.Holds(j.Days.By(o.DecidedBy)) {
		return true, nil
	}
	changes := false
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Decided || !c.decides(f.Rule, f.Level) {
			continue
		}
		if f.Decided = true; f.Level != c.Level {
			f.PublishedLevel, f.Level, f.Overlay = f.Level, c.Level, o.Name
			f.Owner, f.LevelReason, f.LevelUntil, f.Since = c.Owner, c.Reason, c.Until, o.Effective.From
			changes = true
		}
	}
	for i := range report.Omitted {
		f := &report.Omitted[i]
		if f.Decided || !c.decides(f.Rule, f.Level) {
			continue
		}
		if f.Decided = true; f.Level != c.Level {
			f.PublishedLevel, f.Level = f.Level, c.Level
			changes = true
		}
	}
	for i := range report.Overlays {
		if told := &report.Overlays[i]; changes && told.Name == o.Name {
			told.Idle = false
		}
	}
	return false, nil
}
