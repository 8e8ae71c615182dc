package bulk

import (
	"context"
	"encoding/json"
	"time"
)

// An Operation is what is done with each document. Several goroutines may call it at a time.
type Operation interface {
	// Name is the operation as the command line names it.
	Name() string
	// Digest names everything but the document that decides the results: rules, options,
	// the program. Results of another digest are not mixed with these.
	Digest() string
	// Do appends the result of one document to a segment: a line, which is a JSON object
	// whose first member is "file", the key. It is an error where the operation itself
	// cannot go on.
	Do(ctx context.Context, segment []byte, d *Document) ([]byte, Outcome, error)
}

// A Document is one of the manifest, with its bytes.
type Document struct {
	Key  string // its name in the source, and in the results
	Data []byte
	Err  error // why it could not be read, or why it was given up
	at   place
}

// A Comparer is an operation that may take results of an earlier job with another digest.
type Comparer interface {
	Operation
	// Details is what Since of a later job needs.
	Details() (json.RawMessage, error)
	// Since tells which results of a job with these details are still right, and says in a
	// sentence which are not.
	Since(details json.RawMessage) (holds func(*Outcome) bool, said string, err error)
}

// An Outcome is what is kept of one document beside its result.
type Outcome struct {
	Verdict  Verdict              `json:"verdict"`
	Findings int                  `json:"findings,omitempty"`
	Rules    map[string]RuleCount `json:"rules,omitempty"`  // by the id of the rule
	Seller   string               `json:"seller,omitempty"` // its name
	Month    string               `json:"month,omitempty"`  // of the issue date, as 2026-11
	Terms    string               `json:"terms,omitempty"`  // that the document has; as the operation writes it
	// Day is the day on which it was done, where that decided about anything: on another day the
	// result may be another.
	Day string `json:"day,omitempty"`
	// Columns are what the document is compared with others by; nil where the job does not.
	Columns *Columns `json:"columns,omitempty"`
	// Changed tells that the two sides of a comparison decide differently.
	Changed bool `json:"changed,omitempty"`
	// Code is that of the error of a document that could not be read, or of which nothing was
	// made.
	Code string `json:"code,omitempty"`

	Took  time.Duration `json:"-"`
	Files []File        `json:"-"` // that the operation made, by their names in the target
}

// A Verdict is the outcome of a document in a word.
type Verdict string

// The verdicts. An operation that makes something is valid where it made it, and invalid
// where it refused to.
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
	// Gone and New count the documents of a comparison on which the rule no longer fires,
	// and newly does.
	Gone int `json:"gone,omitempty"`
	New  int `json:"new,omitempty"`
}

// A Source is where documents are. It lists the same ones in the same order each time.
type Source interface {
	// Each lists the documents. Hash and Size may be left out of what is cheap to read.
	Each(ctx context.Context, yield func(Entry) error) error
	// Read reads one; its errors are about this document alone, unless they are
	// ErrUnavailable. stamp is when it was last written before it was read, in nanoseconds
	// since 1970; 0 if that is not known. A document with the same stamp and size as in the
	// manifest is believed to be the same. Several goroutines may call Read at a time.
	Read(ctx context.Context, e Entry) (data []byte, stamp int64, err error)
}

// A Counted source can be counted before it is listed, for progress alone.
type Counted interface {
	Count(ctx context.Context) (documents int, err error)
}
