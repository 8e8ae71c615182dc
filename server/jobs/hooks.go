package jobs

import (
	"context"
	"slices"
	"time"

	"einvoice/engine/words"
	"einvoice/server/option"
	"einvoice/server/refusal"
	"einvoice/server/webhook"
)

// parameterWebhook has the end of a job told to an address of the web.
const parameterWebhook = "webhook"

// An end is the message that a job has ended.
type end struct {
	Type      string    `json:"type"` // bulk. and the state
	Timestamp time.Time `json:"timestamp"`
	Data      *Status   `json:"data"`
}

// checkHook refuses addresses that the end of a job may not be told to.
func (b *Jobs) checkHook(url string) error {
	if b.hooks == nil {
		return refusal.New(refusal.Query, "This server tells nobody of the ends of jobs: its settings webhook-hosts and webhook-secret are not set.")
	}
	if err := b.hooks.Check(url); err != nil {
		return inParameter(parameterWebhook, err)
	}
	return nil
}

// expectEnd keeps where the end of a job is to be told, before it begins. One that goes on after
// a restart has its message.
func (b *Jobs) expectEnd(id, url string) error {
	if url == "" || b.hooks == nil {
		return nil
	}
	if m, err := b.hooks.About(id); err != nil || m != nil {
		return err
	}
	return b.hooks.Expect(id, url)
}

// tellEnd tells the end of a job, once, if it has come and somebody wants to know.
func (b *Jobs) tellEnd(ctx context.Context, id string) {
	if b.hooks == nil {
		return
	}
	m, err := b.hooks.About(id)
	if err == nil && m != nil && m.State == webhook.Expected {
		var status *Status
		if status, err = b.Status(ctx, id); err == nil && slices.Contains([]string{complete, cancelled, failed}, status.State) {
			status.Webhook = nil // which the message is itself
			err = b.hooks.Tell(id, end{"bulk." + status.State, time.Now().UTC(), status.In(b.languageOf(ctx, id))})
		}
	}
	if err != nil {
		b.log.Error("end of a job not told", "job", id, "error", err.Error())
	}
}

// languageOf is the language that a job was begun with; nil for English.
func (b *Jobs) languageOf(ctx context.Context, id string) *words.Language {
	asked, err := b.askedOf(ctx, id)
	if err != nil {
		return nil
	}
	language, err := b.rules.Current().Library.Language(asked.Query.Get(option.Language))
	if err != nil {
		return nil // there is none of this name any more
	}
	return language
}

// A Hook is how far the message about the end of a job is.
type Hook struct {
	State    string `json:"state"`
	Attempts int    `json:"attempts"`
	Error    string `json:"error,omitempty"`
}

func (b *Jobs) hookOf(id string) (*Hook, error) {
	if b.hooks == nil {
		return nil, nil
	}
	m, err := b.hooks.About(id)
	if m == nil || err != nil {
		return nil, err
	}
	return &Hook{m.State, m.Attempts, m.Error}, nil
}
