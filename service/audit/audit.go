// Package audit has a log that shows when somebody changed it: each line has the SHA-256 of the
// line before.
package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"
)

// The codes of errors.
const (
	// CodeBroken is of a log that is not as it was written.
	CodeBroken = "AUDIT-BROKEN"
	// CodeHead is of a log that lacks the line of a digest.
	CodeHead = "AUDIT-HEAD"
)

// longestLine bounds a line, in bytes.
const longestLine = 64 << 10

// A Line is what is said of one event.
type Line struct {
	Number int       `json:"n"` // from 1
	At     time.Time `json:"at"`
	// Before is the SHA-256 of the line before in hexadecimal; that of nothing for the first.
	Before string          `json:"before"`
	Event  json.RawMessage `json:"event"`
}

func digestOf(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// A Journal keeps the lines of a log.
type Journal interface {
	// Open reads all that was kept.
	Open() (io.ReadCloser, error)
	// Cut removes what is behind so many bytes.
	Cut(size int64) error
	// Append keeps whole lines. They last when there is no error; where there is one, nothing of
	// them is there.
	Append(lines []byte) error
	io.Closer
}

// A Log is open for writing. Several goroutines may use it at a time.
type Log struct {
	now     func() time.Time
	journal Journal

	mu     sync.Mutex
	kept   state
	last   state  // with what is being written
	next   *batch // waits while others are being written
	writes sync.Mutex
}

// A state is how far a log is.
type state struct {
	number int
	head   string
}

// A batch is lines that are written at once.
type batch struct {
	lines   []byte
	after   state
	written bool
	err     error
}

// Open opens a log in a file, or begins one; see Resume.
func Open(path string, see func(Line) error) (*Log, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, errors.Join(err, fmt.Errorf("%s is not a file", path), f.Close())
	}
	// Watch and archive lock folders of their own, and a target may be of both: each would write over
	// the lines of the other.
	if err := bulk.LockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return Resume(&file{File: f, path: path}, see)
}

// Resume goes on with a log, and reads all of it: each event is given to see. A last line that was
// not written to its end is removed, because nobody was told that it was there; all else that is
// not as it was written is an error, and the journal is closed.
func Resume(j Journal, see func(Line) error) (*Log, error) {
	l := &Log{now: time.Now, journal: j}
	number, head, size, err := readFrom(j, see)
	if err == nil {
		err = j.Cut(size)
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	l.kept = state{number, head}
	l.last = l.kept
	return l, nil
}

func readFrom(j Journal, see func(Line) error) (number int, head string, size int64, err error) {
	r, err := j.Open()
	if err != nil {
		return 0, "", 0, err
	}
	number, head, size, err = read(r, true, see)
	return number, head, size, errors.Join(err, r.Close())
}

// Each gives each event to see.
func (l *Log) Each(see func(Line) error) error {
	_, _, _, err := readFrom(l.journal, see)
	return err
}

// Append writes events. They last when there is no error; where there is one, nothing of them is
// there. Events that come while others are written are written together after them.
func (l *Log) Append(events ...any) error {
	l.mu.Lock()
	var lines []byte
	last := l.last
	for _, event := range events {
		data, err := json.Marshal(event)
		var line []byte
		if err == nil {
			line, err = json.Marshal(Line{last.number + 1, l.now().UTC(), last.head, data})
		}
		if err == nil && len(line) >= longestLine {
			err = fmt.Errorf("an event of %d bytes is too long for the log", len(line))
		}
		if err != nil {
			l.mu.Unlock()
			return err
		}
		last = state{last.number + 1, digestOf(line)}
		lines = append(append(lines, line...), '\n')
	}
	if l.next == nil {
		l.next = &batch{}
	}
	mine := l.next
	l.last, mine.after, mine.lines = last, last, append(mine.lines, lines...)
	l.mu.Unlock()
	l.writes.Lock()
	defer l.writes.Unlock()
	if !mine.written {
		l.write(mine)
	}
	return mine.err
}

// write writes the batch that waits. What came behind one that was not written follows nothing, and
// is not written either.
func (l *Log) write(b *batch) {
	l.mu.Lock()
	l.next = nil
	l.mu.Unlock()
	b.err, b.written = l.journal.Append(b.lines), true
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.err == nil {
		l.kept = b.after
		return
	}
	l.last = l.kept
	if l.next != nil {
		l.next.err, l.next.written, l.next = b.err, true, nil
	}
}

// Close ends the use of the log.
func (l *Log) Close() error { return l.journal.Close() }

// Head is the number of events, and the SHA-256 of the last line: who keeps it elsewhere can tell
// whether lines were taken away from the end.
func (l *Log) Head() (events int, digest string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.number, l.kept.head
}

// file is a journal in a file.
type file struct {
	*os.File
	path string
	size int64
}

// Close lets others have the log at once.
func (f *file) Close() error { return bulk.CloseLocked(f.File) }

func (f *file) Open() (io.ReadCloser, error) { return os.Open(f.path) }

func (f *file) Cut(size int64) error {
	f.size = size
	return f.Truncate(size)
}

func (f *file) Append(lines []byte) error {
	_, err := f.WriteAt(lines, f.size)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(f.size))
	}
	f.size += int64(len(lines))
	return nil
}

// Verify reads a log and gives each event to see. It gives how many there are and the digest of the
// last one. The error is a *problem.Error where the log is not as it was written.
func Verify(r io.Reader, see func(Line) error) (events int, digest string, err error) {
	events, digest, _, err = read(r, false, see)
	return events, digest, err
}

func read(r io.Reader, torn bool, see func(Line) error) (number int, head string, size int64, err error) {
	head = digestOf(nil)
	lines := bufio.NewReaderSize(r, longestLine+1)
	broken := func(format string, args ...any) error {
		return &problem.Error{
			Code: CodeBroken, Message: fmt.Sprintf("line %d of the log ", number+1) + fmt.Sprintf(format, args...),
			Remedy: "take the log from a copy that is whole; what is before this line is as it was written",
		}
	}
	for {
		data, err := lines.ReadSlice('\n')
		if err == io.EOF && len(data) == 0 { //nolint:errorlint // it is not wrapped
			return number, head, size, nil
		}
		if err == io.EOF && torn { //nolint:errorlint // likewise
			return number, head, size, nil
		}
		if err == io.EOF || errors.Is(err, bufio.ErrBufferFull) { //nolint:errorlint // likewise
			return number, head, size, broken("has no end")
		}
		if err != nil {
			return number, head, size, err
		}
		text := bytes.TrimSuffix(data, []byte("\n"))
		var line Line
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		switch {
		case decoder.Decode(&line) != nil:
			return number, head, size, broken("is not an event")
		case line.Number != number+1:
			return number, head, size, broken("has the number %d", line.Number)
		case line.Before != head:
			return number, head, size, broken("does not follow the line before: one of the two was changed, or lines between them were taken away")
		}
		number++
		head = digestOf(text)
		size += int64(len(data))
		if see != nil {
			if err := see(line); err != nil {
				return number, head, size, err
			}
		}
	}
}
