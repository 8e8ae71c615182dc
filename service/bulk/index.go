package bulk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// indexName is the file of what is kept of a batch beside its results: a line with what the
// summary counts, and a line for each document.
func indexName(batch int) string { return stem(batch) + ".index.jsonl" }

// An indexHead is the first line of an index.
type indexHead struct {
	// Manifest is the digest of the batch, which tells the documents of one listing from
	// those of another.
	Manifest string `json:"manifest,omitempty"`
	Counts
}

// A row is what is kept of a document beside its result.
type row struct {
	key    string
	Hash   string `json:"hash,omitempty"` // of what was read; empty where nothing was
	Length int    `json:"length"`         // of the result, in bytes
	Files  int    `json:"files,omitempty"`
	Outcome
}

// appendLine writes the row as a line of JSON: what encoding/json writes, in a tenth of the
// time.
func (r *row) appendLine(to []byte) []byte {
	to = append(to, '{')
	if r.Hash != "" {
		to = append(appendQuoted(append(to, `"hash":`...), r.Hash), ',')
	}
	to = strconv.AppendInt(append(to, `"length":`...), int64(r.Length), 10)
	to = appendCount(to, "files", r.Files)
	to = appendText(to, "verdict", string(r.Verdict))
	to = appendCount(to, "findings", r.Findings)
	if len(r.Rules) > 0 {
		to = append(to, `,"rules":{`...)
		for i, id := range slices.Sorted(maps.Keys(r.Rules)) {
			if i > 0 {
				to = append(to, ',')
			}
			n := r.Rules[id]
			to = appendQuoted(append(appendQuoted(to, id), `:{"level":`...), n.Level)
			to = strconv.AppendInt(append(to, `,"findings":`...), int64(n.Findings), 10)
			to = strconv.AppendInt(append(to, `,"documents":`...), int64(n.Documents), 10)
			to = append(appendCount(appendCount(to, "gone", n.Gone), "new", n.New), '}')
		}
		to = append(to, '}')
	}
	for _, text := range [][2]string{{"seller", r.Seller}, {"month", r.Month}, {"terms", r.Terms}, {"day", r.Day}} {
		if text[1] != "" {
			to = appendText(to, text[0], text[1])
		}
	}
	if r.Changed {
		to = append(to, `,"changed":true`...)
	}
	if r.Code != "" {
		to = appendText(to, "code", r.Code)
	}
	if r.Columns != nil {
		text, _ := json.Marshal(r.Columns) // a struct of texts always has JSON
		to = append(append(to, `,"columns":`...), text...)
	}
	return append(to, "}\n"...)
}

func appendText(to []byte, name, text string) []byte {
	return appendQuoted(append(append(append(to, `,"`...), name...), `":`...), text)
}

// appendCount writes a member with a number, unless that is 0.
func appendCount(to []byte, name string, n int) []byte {
	if n == 0 {
		return to
	}
	return strconv.AppendInt(append(append(append(to, `,"`...), name...), `":`...), int64(n), 10)
}

// writeIndex is the index of a segment.
func (s *segment) writeIndex(digest string) ([]byte, error) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(indexHead{digest, *s.counts}); err != nil {
		return nil, err
	}
	data := out.Bytes()
	for i := range s.rows {
		data = s.rows[i].appendLine(data)
	}
	return data, nil
}

// readHead reads the first line of an index.
func readHead(ctx context.Context, t Target, batch int) (*indexHead, error) {
	head, _, err := readIndex(ctx, t, batch, false)
	return head, err
}

// readIndex reads an index: all of it, or its first line.
func readIndex(ctx context.Context, t Target, batch int, all bool) (head *indexHead, rows []row, err error) {
	f, err := t.Open(ctx, indexName(batch))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	lines := json.NewDecoder(bufio.NewReader(f))
	head = &indexHead{}
	if err := lines.Decode(head); err != nil {
		return nil, nil, fmt.Errorf("%s of %s: %w", indexName(batch), t, err)
	}
	for all {
		var r row
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("%s of %s: %w", indexName(batch), t, err)
		}
		rows = append(rows, r)
	}
	return head, rows, nil
}
