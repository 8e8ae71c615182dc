package bulk

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// manifestInfo counts a manifest.
type manifestInfo struct {
	Documents  int   `json:"documents"`
	Bytes      int64 `json:"bytes"`
	Batches    int   `json:"batches"`
	Duplicates int   `json:"duplicates"` // documents that have the bytes of an earlier one
	// Others counts the files of the source that are not documents by their names.
	Others int `json:"others,omitempty"`
}

// An Entry is a document of the manifest.
type Entry struct {
	Key string `json:"key"` // its name in the source, and in the results
	// Raw is the name where that is not UTF-8, which JSON cannot have.
	Raw  []byte `json:"raw,omitempty"`
	Size int64  `json:"size"` // in bytes
	// Hash is sha256: and the hash in hexadecimal, or what the source has in its place,
	// such as the ETag of S3; empty for a document that could not be read.
	Hash string `json:"hash,omitempty"`
	// Stamp is when the document was last written, where that is known.
	Stamp int64 `json:"stamp,omitempty"`
	// At is where a member of a TAR begins, in bytes.
	At int64 `json:"at,omitempty"`
	// Of is the first document with the same bytes.
	Of *place `json:"of,omitempty"`
}

// named is the name that results have.
func (e *Entry) named() string { return quote.Spelled(e.Key) }

// A place is a document of the manifest.
type place struct {
	Batch int `json:"batch"` // from 1
	At    int `json:"at"`    // from 0
}

// appendLine writes the entry as a line of the manifest: what encoding/json writes, in a
// tenth of the time.
func (e *Entry) appendLine(to []byte) []byte {
	to = appendQuoted(append(to, `{"key":`...), e.Key)
	if !utf8.ValidString(e.Key) {
		to = append(to, `,"raw":"`...)
		to = append(base64.StdEncoding.AppendEncode(to, []byte(e.Key)), '"')
	}
	to = strconv.AppendInt(append(to, `,"size":`...), e.Size, 10)
	if e.Hash != "" {
		to = appendQuoted(append(to, `,"hash":`...), e.Hash)
	}
	if e.Stamp != 0 {
		to = strconv.AppendInt(append(to, `,"stamp":`...), e.Stamp, 10)
	}
	if e.At != 0 {
		to = strconv.AppendInt(append(to, `,"at":`...), e.At, 10)
	}
	if e.Of != nil {
		to = strconv.AppendInt(append(to, `,"of":{"batch":`...), int64(e.Of.Batch), 10)
		to = append(strconv.AppendInt(append(to, `,"at":`...), int64(e.Of.At), 10), '}')
	}
	return append(to, "}\n"...)
}

// readLine reads a line of the manifest.
func (e *Entry) readLine(line []byte) error {
	if e.readPlain(line) {
		return nil
	}
	*e = Entry{}
	if err := json.Unmarshal(line, e); err != nil {
		return err
	}
	if e.Raw != nil {
		e.Key, e.Raw = string(e.Raw), nil
	}
	return nil
}

// readPlain reads a line as appendLine writes it, in a sixth of the time of encoding/json; false
// where a string in it has escapes, or it is written in another way.
func (e *Entry) readPlain(line []byte) bool {
	rest := line
	begins := func(with string) (ok bool) {
		after, ok := bytes.CutPrefix(rest, []byte(with))
		if ok {
			rest = after
		}
		return ok
	}
	text := func() (s string, ok bool) {
		end := bytes.IndexAny(rest, `"\`)
		if end < 0 || rest[end] != '"' {
			return "", false
		}
		s, rest = string(rest[:end]), rest[end+1:]
		return s, true
	}
	number := func() (n int64, ok bool) {
		end := bytes.IndexAny(rest, ",}")
		if end < 0 {
			return 0, false
		}
		n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
		rest = rest[end:]
		return n, err == nil
	}
	var ok bool
	if !begins(`{"key":"`) {
		return false
	}
	if e.Key, ok = text(); !ok || !begins(`,"size":`) {
		return false
	}
	if e.Size, ok = number(); !ok {
		return false
	}
	if begins(`,"hash":"`) {
		if e.Hash, ok = text(); !ok {
			return false
		}
	}
	if begins(`,"stamp":`) {
		if e.Stamp, ok = number(); !ok {
			return false
		}
	}
	if begins(`,"at":`) {
		if e.At, ok = number(); !ok {
			return false
		}
	}
	return string(rest) == "}\n"
}

// appendQuoted writes a string of JSON.
func appendQuoted(to []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // a string always has JSON
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

// A Batch is what a worker does at a time: some documents of the manifest that follow each
// other.
type Batch struct {
	Number  int // from 1
	Entries []Entry
	// Lines are those of the manifest.
	Lines []byte
	// Read are the documents that were read for their hashes and are still in memory, by
	// their numbers in the batch; nil for the others.
	Read [][]byte
}

const (
	batchDocuments = 256
	batchBytes     = 8 << 20   // of documents; more only for a single one
	batchLines     = 512 << 10 // of lines, so that a batch is a message of NATS
)

// digest is the SHA-256 of the lines: a segment that has it is of these documents.
func (b *Batch) digest() string {
	sum := sha256.Sum256(b.Lines)
	return hex.EncodeToString(sum[:])
}

// ReadBatch reads the lines of a batch.
func ReadBatch(number int, lines []byte) (*Batch, error) {
	b := &Batch{Number: number, Lines: lines}
	for line := range bytes.Lines(lines) {
		var e Entry
		if err := e.readLine(line); err != nil {
			return nil, err
		}
		b.Entries = append(b.Entries, e)
	}
	return b, nil
}

// HashPrefix begins the hash of a document whose bytes were read.
const HashPrefix = "sha256:"

// hashOf is the hash of a document as a manifest has it.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return HashPrefix + hex.EncodeToString(sum[:])
}

// batches reads the manifest in batches.
func (j *Job) batches(ctx context.Context, yield func(*Batch) error) error {
	f, err := j.target.Open(ctx, manifestFile)
	if err != nil {
		return err
	}
	defer f.Close()
	to := batcher{most: j.Batch, yield: yield}
	lines := bufio.NewReaderSize(f, 1<<16)
	for documents := 0; ; documents++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			if documents != j.Manifest.Documents {
				return fmt.Errorf("the manifest in %s has %s, and had %d when it was written", j.target, numeral.Count(documents, "document"), j.Manifest.Documents)
			}
			return to.end()
		}
		var e Entry
		if err == nil {
			err = e.readLine(line)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s of %s: %w", manifestFile, j.target, err)
		}
		if _, err := to.place(&e); err != nil {
			return err
		}
		to.add(&e, line, nil)
	}
}

// A batcher puts entries together.
type batcher struct {
	most  int // documents
	yield func(*Batch) error
	batch *Batch
	bytes int64
	count int // of batches
}

// place tells where the next entry is. A reader of the manifest and its writer come to the
// same batches, because what decides is in the entries before it and in its size.
func (b *batcher) place(e *Entry) (place, error) {
	if b.batch != nil && (len(b.batch.Entries) == b.most || b.bytes+e.Size > batchBytes || len(b.batch.Lines) > batchLines) {
		if err := b.end(); err != nil {
			return place{}, err
		}
	}
	if b.batch == nil {
		b.count++
		b.batch = &Batch{Number: b.count}
	}
	return place{b.batch.Number, len(b.batch.Entries)}, nil
}

// add adds the entry that was placed.
func (b *batcher) add(e *Entry, line, read []byte) {
	b.batch.Entries = append(b.batch.Entries, *e)
	b.batch.Lines = append(b.batch.Lines, line...)
	b.batch.Read = append(b.batch.Read, read)
	b.bytes += e.Size
}

func (b *batcher) end() error {
	if b.batch == nil {
		return nil
	}
	full := b.batch
	b.batch, b.bytes = nil, 0
	return b.yield(full)
}
