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

// A Log is open for writing. Several goroutines may use it at a time.
type Log struct {
	now func() time.Time

	mu     sync.Mutex
	file   *os.File
	size   int64
	number int
	head   string
}

// Open opens a log, or begins one, and reads all of it: each event is given to see. A last line
// that was not written to its end is removed, because nobody was told that it was there; all else
// that is not as it was written is an error.
func Open(path string, see func(Line) error) (*Log, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{now: time.Now, file: f}
	l.number, l.head, l.size, err = read(f, true, see)
	if err == nil {
		err = f.Truncate(l.size)
	}
	if err == nil {
		_, err = f.Seek(l.size, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// Append writes an event. It lasts when there is no error; where there is one, nothing of it is
// there.
func (l *Log) Append(event any) error {
	data, err := json.Marshal(event)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(Line{l.number + 1, l.now().UTC(), l.head, data})
	if err != nil {
		return err
	}
	if len(line) >= longestLine {
		return fmt.Errorf("an event of %d bytes is too long for the log", len(line))
	}
	_, err = l.file.WriteAt(append(line, '\n'), l.size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return errors.Join(err, l.file.Truncate(l.size))
	}
	l.size += int64(len(line)) + 1
	l.number++
	l.head = digestOf(line)
	return nil
}

// Close ends the use of the log.
func (l *Log) Close() error { return l.file.Close() }

// Head is the number of events, and the SHA-256 of the last line: who keeps it elsewhere can tell
// whether lines were taken away from the end.
func (l *Log) Head() (events int, digest string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.number, l.head
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
