package lookup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
	"weak"

	"einvoice/model/nearest"
	"einvoice/model/numeral"
	"einvoice/model/quote"
)

// What a table may take. A million rows of 80 bytes are some 100 MB.
const (
	mostRows   = 2_000_000
	mostMemory = 200 << 20 // of cells and index
	mostRow    = 1 << 16   // bytes of one row
	mostBytes  = 1 << 30   // of the file, with columns that are not read
)

// A Shape is what a table is to be read as.
type Shape struct {
	Key       string
	Columns   []Column
	Without   []string // columns of the file that are not read
	Separator rune     // between cells; 0 for a comma
}

// An Error is a mistake in data, with its place there.
type Error struct {
	Line, Column int
	Message      string
}

func (e *Error) Error() string { return e.Message }

// held are the tables that are in use, so that rules that are loaded again share the data that
// did not change.
var held struct {
	sync.Mutex
	tables map[string]weak.Pointer[Table]
}

// Load reads a table of comma-separated values whose first line names the columns. Mistakes
// in the data are an *Error. open is called twice: for the digest, and for the data.
func Load(open func() (io.ReadCloser, error), s Shape) (*Table, error) {
	sum, err := digest(open)
	if err != nil {
		return nil, err
	}
	key := sum + fmt.Sprintf("%q", s)
	held.Lock()
	known := held.tables[key].Value()
	held.Unlock()
	if known != nil {
		return known, nil
	}
	t, err := load(open, &s)
	if err != nil {
		return nil, err
	}
	t.SHA256 = sum
	held.Lock()
	defer held.Unlock()
	if held.tables == nil {
		held.tables = map[string]weak.Pointer[Table]{}
	}
	for other, of := range held.tables {
		if of.Value() == nil {
			delete(held.tables, other)
		}
	}
	held.tables[key] = weak.Make(t)
	return t, nil
}

func digest(open func() (io.ReadCloser, error)) (string, error) {
	f, err := open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, mostBytes+1))
	if err == nil && n > mostBytes {
		err = &Error{Message: fmt.Sprintf("the data has more than %d bytes: split it, or leave out columns that no rule needs", int64(mostBytes))}
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

func load(open func() (io.ReadCloser, error), s *Shape) (*Table, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := bufio.NewReaderSize(io.LimitReader(f, mostBytes), 1<<16)
	if start, err := text.Peek(4); err == nil && (string(start) == "PK\x03\x04" || string(start) == "\xd0\xcf\x11\xe0") {
		return nil, &Error{1, 1, "the data is a workbook or a ZIP: save the sheet as CSV, in UTF-8"}
	}
	if mark, err := text.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = text.Discard(len(mark)) // it was there
	} else if err == nil && (bytes.HasPrefix(mark, []byte("\xff\xfe")) || bytes.HasPrefix(mark, []byte("\xfe\xff"))) {
		return nil, &Error{1, 1, "the data is UTF-16: save it as UTF-8"}
	}
	lines := csv.NewReader(text)
	lines.ReuseRecord = true
	if s.Separator != 0 {
		lines.Comma = s.Separator
	}
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, &Error{Line: 1, Column: 1, Message: "the data is empty: its first line names the columns"}
	}
	if err != nil {
		return nil, inData(err, 0, 0)
	}
	t := &Table{columns: s.ordered()}
	places, err := t.places(head, s)
	if err != nil {
		return nil, err
	}
	return t, t.read(lines, places)
}

// ordered are the columns, the key first.
func (s *Shape) ordered() []Column {
	columns := slices.Clone(s.Columns)
	if i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == s.Key }); i > 0 {
		key := columns[i]
		columns = slices.Insert(slices.Delete(columns, i, i+1), 0, key)
	}
	return columns
}

// places are where the columns of the table are in the data.
func (t *Table) places(head []string, s *Shape) ([]int, error) {
	places := make([]int, len(t.columns))
	names, wanted := make([]string, len(head)), make([]string, len(t.columns))
	for i := range t.columns {
		wanted[i] = t.columns[i].Name
	}
	for i := range head {
		names[i] = strings.TrimSpace(head[i])
		if unreadable(names[i]) {
			return nil, &Error{1, 1, aboutForm(names[i])}
		}
		c := t.Column(names[i])
		switch {
		case slices.Contains(names[:i], names[i]):
			return nil, &Error{1, 1, fmt.Sprintf("two columns are named %s: rename or remove one", quoted(names[i]))}
		case c >= 0:
			places[c] = i
		case !slices.Contains(s.Without, names[i]):
			if other := separatorOf(head, s.Separator); other != "" {
				return nil, &Error{1, 1, fmt.Sprintf("the first line is one cell, %s: say what is between its cells, as in `separator: %s`", quoted(names[i]), other)}
			}
			return nil, &Error{1, 1, fmt.Sprintf("the data has the column %s, which is not declared%s: give it a type under columns, or name it under without", quoted(names[i]), didYouMean(names[i], wanted))}
		}
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, &Error{1, 1, fmt.Sprintf("the data has no column %s%s: add it, or take it out of columns", name, didYouMean(name, names))}
		}
	}
	return places, nil
}

func quoted(text string) string { return fmt.Sprintf("%q", quote.Shorten(text, 40)) }

func didYouMean(name string, names []string) string {
	if near := nearest.Of(name, names); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// separatorOf is what seems to be between the cells of a first line that is one cell, as it is
// declared; "" where nothing is.
func separatorOf(head []string, read rune) string {
	for _, s := range []struct{ is, declared string }{{";", ";"}, {"\t", `"\t"`}, {"|", `"|"`}, {",", `","`}} {
		if len(head) == 1 && s.is != string(read) && strings.Contains(head[0], s.is) {
			return s.declared
		}
	}
	return ""
}

// unreadable reports whether a cell has bytes that are not characters of text.
func unreadable(cell string) bool {
	return !utf8.ValidString(cell) || strings.ContainsFunc(cell, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f })
}

// aboutForm says what to do about a cell that is unreadable.
func aboutForm(cell string) string {
	switch {
	case !utf8.ValidString(cell):
		return fmt.Sprintf("%s is not UTF-8: save the data as UTF-8", quoted(cell))
	case strings.Contains(cell, "\r"):
		return fmt.Sprintf("%s has a carriage return without a line feed: end lines with a line feed", quoted(cell))
	}
	return fmt.Sprintf("%s has a control character: remove it", quoted(cell))
}

func (t *Table) read(lines *csv.Reader, places []int) error {
	cells := make([]string, len(places))
	var shifts []shift
	for {
		record, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return inData(err, len(record), lines.FieldsPerRecord)
		}
		size := 0
		for i, place := range places {
			cells[i] = strings.TrimSpace(record[place])
			size += len(cells[i])
			if message := t.columns[i].wrong(cells[i]); message != "" {
				line, column := lines.FieldPos(place)
				return &Error{line, column, message}
			}
		}
		line, column := lines.FieldPos(places[0])
		if off, last := line-len(t.rows), len(shifts)-1; last < 0 || shifts[last].off != off {
			shifts = append(shifts, shift{len(t.rows), off})
		}
		switch {
		case hidden(cells[0]) != "":
			return &Error{line, column, fmt.Sprintf("%s, which is the key, has the character %s, which nobody sees and no document has: remove it", quoted(cells[0]), hidden(cells[0]))}
		case cells[0] == "":
			return &Error{line, column, "the row has no " + t.columns[0].Name + ", which is the key: write it, or remove the row"}
		case size > mostRow:
			return &Error{line, 1, fmt.Sprintf("the row has more than %d bytes: shorten it, or close a quotation mark that is open", mostRow)}
		case len(t.rows) == mostRows:
			return &Error{line, 1, fmt.Sprintf("the data has more than %d rows: leave out those that no rule needs", mostRows)}
		}
		if t.add(cells); len(t.chunks)*chunkSize+12*len(t.rows) > mostMemory {
			return &Error{line, 1, fmt.Sprintf("the table takes more than %d MiB of memory: leave out columns that no rule needs (without)", mostMemory>>20)}
		}
	}
	if first, second, twice := t.index(); twice {
		at, _ := slices.BinarySearchFunc(shifts, second+1, func(s shift, row int) int { return s.row - row })
		return &Error{second + shifts[at-1].off, 1, fmt.Sprintf("two rows have the key %s, numbers %d and %d below the first line: remove one", quoted(t.row(first).Cell(0)), first+1, second+1)}
	}
	return nil
}

// A shift is how far the line of a row is from its number, from one row on: cells may have several
// lines, and lines may be empty.
type shift struct{ row, off int }

// hidden is the first character of a key that readers do not see, such as those that copying out
// of a window or a page brings along: the row would never be found, without a word.
func hidden(key string) string {
	if i := strings.IndexFunc(key, func(r rune) bool { return unicode.Is(unicode.Cf, r) || r >= 0x80 && r < 0xa0 }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(key[i:])
		return fmt.Sprintf("U+%04X", r)
	}
	return ""
}

// wrong says why a text cannot be a cell of the column; "" if it can.
func (c *Column) wrong(cell string) string {
	switch {
	case unreadable(cell):
		return aboutForm(cell)
	case !c.Kind.Accepts(cell):
		return c.Kind.Refuses(cell, c.Name)
	}
	return ""
}

// inData is a mistake in the form of the data, in our words.
func inData(err error, cells, wanted int) error {
	at, is := errors.AsType[*csv.ParseError](err)
	if !is {
		return err
	}
	message := "the line cannot be read: put the cell in quotation marks, and write each quotation mark inside it twice"
	if errors.Is(at.Err, csv.ErrFieldCount) {
		message = fmt.Sprintf("the row has %s and the first line has %d: put a cell with a separator in it in quotation marks", numeral.Count(cells, "cell"), wanted)
	}
	return &Error{at.Line, max(at.Column, 1), message}
}
