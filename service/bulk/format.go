package bulk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"einvoice/model/problem"
)

// JSONLines is the name of the format that every program has: the results as they are.
const JSONLines = "jsonl"

// A Format is another way to write segments.
type Format struct {
	Name      string // and the ending of its files
	MediaType string
	// Write begins a file.
	Write  func(to io.Writer) RowWriter
	Decode func(data []byte) (lines []byte, err error)
}

// A RowWriter writes documents to a file. Close ends the file, and not what it is written to.
type RowWriter interface {
	WriteRows(rows []Row) error
	Close() error
}

// A Row is a document of a segment.
type Row struct {
	Key, Hash string
	Outcome   *Outcome
	Result    []byte // a line of JSON
}

// formatNamed is a format of those that the program has.
func formatNamed(name string, known []Format) (*Format, error) {
	if name == JSONLines {
		return &Format{Name: name}, nil
	}
	at := slices.IndexFunc(known, func(f Format) bool { return f.Name == name })
	if at < 0 {
		return nil, &problem.Error{Code: CodeFormat, Message: "segments of the format " + name + " cannot be read or written by this program", Remedy: "use einvoiced (make einvoiced)"}
	}
	return &known[at], nil
}

// encode writes a segment.
func (f *Format) encode(s *segment) ([]byte, error) {
	if f.Write == nil {
		return s.data, nil
	}
	rows := make([]Row, len(s.rows))
	data := s.data
	for i := range s.rows {
		r := &s.rows[i]
		rows[i] = Row{r.key, r.Hash, &r.Outcome, data[:r.Length]}
		data = data[r.Length:]
	}
	var out bytes.Buffer
	w := f.Write(&out)
	err := errors.Join(w.WriteRows(rows), w.Close())
	return out.Bytes(), err
}

// decode gives the results of a segment as JSON Lines.
func (f *Format) decode(data []byte) ([]byte, error) {
	if f.Decode == nil {
		return data, nil
	}
	return f.Decode(data)
}

// rowsOf are the documents of a batch that is done, of which lines are the results.
func rowsOf(ctx context.Context, t Target, batch int, lines []byte) ([]Row, error) {
	_, kept, err := readIndex(ctx, t, batch, true)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(kept))
	for i := range kept {
		r := &kept[i]
		if r.Length > len(lines) {
			return nil, fmt.Errorf("%s of %s: it is longer than its segment", indexName(batch), t)
		}
		rows[i] = Row{Hash: r.Hash, Outcome: &r.Outcome, Result: lines[:r.Length]}
		lines = lines[r.Length:]
		var result struct{ File string }
		if err := json.Unmarshal(rows[i].Result, &result); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", stem(batch), t, err)
		}
		rows[i].Key = result.File
	}
	return rows, nil
}
