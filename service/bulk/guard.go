package bulk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// hastyAttempts is how often a batch is begun before each of its documents is noted.
	hastyAttempts = 2
	// mostBegun is how often a document is begun and not finished before it is given up.
	mostBegun = 3
)

// A guard finds the documents of a batch that end the process that works on them. It notes
// that the batch was begun, and after some times each document before it is begun. The notes
// need not outlast a loss of power: then there is no guilty document to be found.
type guard struct {
	name     string
	Attempts int           `json:"attempts"`
	Doubts   map[int]doubt `json:"doubts,omitempty"` // by the document's number in the batch
}

type doubt struct {
	Key   string `json:"key"`
	Begun int    `json:"begun"` // how often, without an end
}

// newGuard notes that a batch is begun.
func newGuard(name string) (*guard, error) {
	g := &guard{name: name}
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, notWritten(err)
		}
	case err != nil:
		return nil, err
	case json.Unmarshal(data, g) != nil: // it was being written when the process ended
		*g = guard{Attempts: hastyAttempts}
	}
	g.name = name
	g.Attempts++
	return g, g.note()
}

func (g *guard) note() error {
	data, err := json.Marshal(g)
	if err != nil {
		return err
	}
	if err := os.WriteFile(g.name, data, 0o644); err != nil {
		return notWritten(err)
	}
	return nil
}

// givesUp is why a document is left out; empty if it is not.
func (g *guard) givesUp(i int) string {
	if d := g.Doubts[i]; d.Begun >= mostBegun {
		return fmt.Sprintf("given up: the process that worked on this document ended %d times", d.Begun)
	}
	return ""
}

// begins notes that a document is begun.
func (g *guard) begins(i int, key string) error {
	if g.Attempts <= hastyAttempts {
		return nil
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
	return g.note()
}

// ends forgets the notes: the batch is done, or was stopped on purpose.
func (g *guard) ends() { _ = os.Remove(g.name) } // a note that stays costs care alone
