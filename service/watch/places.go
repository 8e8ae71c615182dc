package watch

import (
	"context"

	"einvoice/service/bulk"
)

// places are turns of lines that share so many places: who waits longest goes first, and each line
// waits with as many documents as it has room for, so that none keeps the others out.
type places struct {
	free chan struct{}
	bulk.Turns
}

// NewPlaces returns turns for so many documents at a time.
func NewPlaces(n int) bulk.Turns { return &places{make(chan struct{}, n), bulk.NewTurns()} }

// Take waits for a place. A document that has to be alone waits until all of them are free.
func (p *places) Take(ctx context.Context, alone bool) (over func(), err error) {
	if alone {
		return p.Turns.Take(ctx, true)
	}
	select {
	case p.free <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	end, err := p.Turns.Take(ctx, false)
	if err != nil {
		<-p.free
		return nil, err
	}
	return func() { end(); <-p.free }, nil
}
