package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

const (
	// hastyAttempts is how often a batch is begun before each of its documents is noted.
	hastyAttempts = 2
	// mostBegun is how often a document is begun and not finished before it is given up.
	mostBegun = 3
)

// A guard finds the documents of a batch that end the process that works on them. It notes
// that the batch was begun, and after some times each document before it is begun. The notes
// need not outlast a loss of power: after one, no document is at fault. They are
// where the results are, so that it does not matter on which machine a worker ended.
type guard struct {
	target   Target
	name     string
	Attempts int           `json:"attempts"`
	Doubts   map[int]doubt `json:"doubts,omitempty"` // by the document's number in the batch
	// GaveUp is why documents were given up that outlived their time, so that they are not done
	// again after a restart.
	GaveUp map[int]string `json:"gaveUp,omitempty"`
}

type doubt struct {
	Key   string `json:"key"`
	Begun int    `json:"begun"` // how often, without an end
}

// newGuard notes that a batch is begun.
func newGuard(ctx context.Context, target Target, name string) (*guard, error) {
	g := &guard{}
	data, err := readFile(ctx, target, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil && json.Unmarshal(data, g) != nil { // the power was lost while it was written
		*g = guard{Attempts: hastyAttempts}
	}
	g.target, g.name = target, name
	g.Attempts++
	return g, g.note(ctx)
}

func (g *guard) note(ctx context.Context) error {
	data, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return g.target.Note(ctx, g.name, data)
}

// givesUp is why a document is left out; empty if it is not.
func (g *guard) givesUp(i int) string {
	if reason := g.GaveUp[i]; reason != "" {
		return reason
	}
	if d := g.Doubts[i]; d.Begun >= mostBegun {
		return fmt.Sprintf("given up: the process that worked on this document ended %d times", d.Begun)
	}
	return ""
}

// begins waits for the turn of a document among those of this process, and notes that it is
// begun. One that was in hand when a process ended is done while no other document is: so it
// takes no blame for another one, and needs no memory that others have.
func (g *guard) begins(ctx context.Context, turns Turns, i int, key string) (over func() error, err error) {
	doubted := g.Doubts[i].Begun > 0
	end, err := turns.Take(ctx, doubted)
	if err != nil {
		return nil, err
	}
	over = func() error {
		defer end()
		if !doubted {
			return nil
		}
		delete(g.Doubts, i)
		return g.note(ctx)
	}
	if g.Attempts <= hastyAttempts {
		return over, nil
	}
	for other, d := range g.Doubts { // what was begun before was finished
		if other < i && d.Begun < mostBegun {
			delete(g.Doubts, other)
		}
	}
	if g.Doubts == nil {
		g.Doubts = map[int]doubt{}
	}
	g.Doubts[i] = doubt{key, g.Doubts[i].Begun + 1}
	if err := g.note(ctx); err != nil {
		return nil, errors.Join(err, over())
	}
	return over, nil
}

// gaveUp notes that a document outlived its time.
func (g *guard) gaveUp(ctx context.Context, i int, reason string) error {
	if g.GaveUp == nil {
		g.GaveUp = map[int]string{}
	}
	g.GaveUp[i] = reason
	return g.note(context.WithoutCancel(ctx))
}

// ends forgets the notes: the batch is done, or was stopped on purpose. What was given up in a
// batch that is not done stays noted.
func (g *guard) ends(done bool) {
	if !done && len(g.GaveUp) > 0 {
		g.Attempts, g.Doubts = 0, nil
		_ = g.note(context.Background()) // without it the documents are tried again
		return
	}
	_ = g.target.Remove(context.Background(), g.name) // a note that stays costs care alone
}
