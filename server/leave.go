package server

import (
	"context"

	"einvoice/formats/parse"
)

// leaveKey is the key of the context for what leaves the place to work.
type leaveKey struct{}

// leaving is a context whose work can give its place to others while it waits.
func leaving(ctx context.Context, leave func(wait func()) error) context.Context {
	return context.WithValue(ctx, leaveKey{}, leave)
}

// A leavingAsker gives the place to work to others while a language model is asked: a
// place is for work, never for the network.
type leavingAsker struct{ parse.Asker }

// Ask asks the model. An error of the server is that no place came free afterwards.
func (a leavingAsker) Ask(ctx context.Context, q *parse.Question) (answer *parse.Answer, err error) {
	leave, ok := ctx.Value(leaveKey{}).(func(wait func()) error)
	if !ok {
		return a.Asker.Ask(ctx, q)
	}
	if full := leave(func() { answer, err = a.Asker.Ask(ctx, q) }); full != nil {
		return nil, full
	}
	return answer, err
}
