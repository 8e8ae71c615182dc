package bulk

import (
	"context"
	"time"
)

// An Operation is what is done with each document. Several goroutines may call it at a time.
type Operation interface {
	// Name is the operation as the command line names it.
	Name() string
	// Digest names everything but the document that decides the results: rules, options,
	// the program. Results of another digest are not mixed with these.
	Digest() string
	// Do appends the results of one document to a segment: whole lines. err is why it could
	// not be read, or why it was given up.
	Do(ctx context.Context, segment []byte, key string, data []byte, err error) ([]byte, Outcome, error)
}

// An Outcome is what the summary counts of one document.
type Outcome struct {
	Verdict  Verdict
	Rules    map[string]RuleCount // by the id of the rule
	Seller   string               // name, or identifier where there is no name
	Month    string               // of the issue date, as 2026-11
	Took     time.Duration
	Findings int
}

// A Verdict is the outcome of a document in a word.
type Verdict string

// The verdicts.
const (
	Valid      Verdict = "valid"
	Invalid    Verdict = "invalid"
	Unreadable Verdict = "unreadable"
)

// A RuleCount is how often a rule has findings.
type RuleCount struct {
	Level     string `json:"level"`
	Findings  int    `json:"findings"`
	Documents int    `json:"documents"`
}

// An Entry is a document of the manifest.
type Entry struct {
	Key  string `json:"key"` // its name in the source, and in the results
	Size int64  `json:"size"`
}

// A Source is where documents are. It lists the same ones in the same order each time.
type Source interface {
	// Each lists the documents.
	Each(ctx context.Context, yield func(Entry) error) error
	// Read reads one; its errors are about this document alone. Several goroutines may
	// call it at a time.
	Read(ctx context.Context, key string) ([]byte, error)
}
