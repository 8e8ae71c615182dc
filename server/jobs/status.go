package jobs

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"einvoice/engine/words"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
)

// A Status is how far a job is.
type Status struct {
	ID         string         `json:"id"`
	Operation  string         `json:"operation"`
	Source     string         `json:"source"`
	State      string         `json:"state"`
	Error      string         `json:"error,omitempty"`
	All        int            `json:"all"`
	Documents  int            `json:"documents"`
	Valid      int            `json:"valid"`
	Invalid    int            `json:"invalid"`
	Unreadable int            `json:"unreadable"`
	Duplicates int            `json:"duplicates"`
	Others     int            `json:"others"` // files of the source that are not documents by their names
	GivenUp    []bulk.GivenUp `json:"givenUp"`
	Webhook    *Hook          `json:"webhook,omitempty"`
}

// Status reads how far a job is.
func (b *Jobs) Status(ctx context.Context, id string) (*Status, error) {
	state, failed := b.state(id) // before what is done, because a job that is over changes no more
	summary, err := bulk.Status(ctx, b.Target(id))
	if err != nil {
		return nil, err
	}
	if summary.Complete() {
		state, failed = complete, nil
	}
	out := &Status{
		ID: id, Operation: summary.Operation, Source: summary.Source, State: state, All: summary.All, Documents: summary.Documents,
		Valid: summary.Valid, Invalid: summary.Invalid, Unreadable: summary.Unreadable, Duplicates: summary.Duplicates, Others: summary.Others,
		GivenUp: append([]bulk.GivenUp{}, summary.GivenUp...),
	}
	if out.Webhook, err = b.hookOf(id); err != nil {
		return nil, err
	}
	if failed != nil {
		out.Error = failed.Error()
	}
	return out, nil
}

// In is the status in a language; nil is English. What went wrong is kept in English, as it is said for whoever
// asks.
func (s *Status) In(language *words.Language) *Status {
	told := *s
	told.Error = sayError(s.Error, language)
	told.GivenUp = GivenUpIn(s.GivenUp, language)
	if s.Webhook != nil {
		hook := *s.Webhook
		hook.Error = language.Say(hook.Error)
		told.Webhook = &hook
	}
	return &told
}

// GivenUpIn are documents that were given up with the reasons in a language.
func GivenUpIn(documents []bulk.GivenUp, language *words.Language) []bulk.GivenUp {
	told := slices.Clone(documents)
	for i := range told {
		told[i].Reason = sayError(told[i].Reason, language)
	}
	return told
}

// sayError is an error in a language. That of a refusal begins with its code.
func sayError(text string, language *words.Language) string {
	if code, detail, is := strings.Cut(text, ": "); is && refusal.Named(code) != nil {
		return code + ": " + language.Say(detail)
	}
	return language.Say(text)
}

// IDs are those of all jobs, newest first.
func (b *Jobs) IDs() ([]string, error) {
	entries, err := os.ReadDir(b.Results)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, nil // before the first job
		}
		return nil, err
	}
	type begun struct {
		id   string
		when time.Time
	}
	var all []begun
	for _, e := range entries {
		if !goodID().MatchString(e.Name()) {
			continue
		}
		if info, err := os.Stat(filepath.Join(string(b.Target(e.Name())), "job.json")); err == nil {
			all = append(all, begun{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, c begun) int { return cmp.Or(c.when.Compare(a.when), cmp.Compare(a.id, c.id)) })
	ids := make([]string, len(all))
	for i, one := range all {
		ids[i] = one.id
	}
	return ids, nil
}

// Sources are the folders and archives that jobs can be about.
func (b *Jobs) Sources() ([]string, error) {
	names := []string{}
	if b.Settings.Sources == "" {
		return names, nil
	}
	entries, err := os.ReadDir(b.Settings.Sources)
	for _, e := range entries {
		if e.IsDir() || e.Type().IsRegular() && bulk.IsArchive(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
