// Package lookup holds tables of data that rules look rows up in by a key, such as the
// vendors of a company: typed, indexed and bounded in memory.
//
//	table, err := lookup.Load(open, lookup.Shape{Key: "vat", Columns: []lookup.Column{{"vat", lookup.Text}, {"iban", lookup.Text}}})
//	row, found := table.Find("DE123456789")
//	iban := row.Cell(table.Column("iban"))
package lookup

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strconv"
	"strings"

	"einvoice/model"
)

// A Kind is what the cells of a column hold.
type Kind string

// The kinds of columns.
const (
	Text    Kind = "text"
	Integer Kind = "integer"
	Decimal Kind = "decimal"
	Date    Kind = "date"
	Boolean Kind = "boolean"
)

// Kinds are all of them.
var Kinds = []Kind{Text, Integer, Decimal, Date, Boolean}

// Accepts reports whether a text is a value of the kind. Any kind may be empty: the row then
// lacks the value.
func (k Kind) Accepts(text string) bool {
	if text == "" {
		return true
	}
	switch k {
	case Integer:
		_, err := strconv.ParseInt(text, 10, 64)
		return err == nil
	case Decimal:
		_, err := model.ParseDecimal(text)
		return err == nil
	case Date:
		return model.NewDate(text).Valid
	case Boolean:
		return text == "true" || text == "false"
	}
	return true
}

// Forms are values of each kind but text, for messages.
var Forms = map[Kind]string{Integer: "12", Decimal: "1250.00", Date: "2026-11-20", Boolean: "true or false"}

// Refuses is the message about a text that the kind does not accept as a cell of a column.
func (k Kind) Refuses(text, column string) string {
	return fmt.Sprintf("%s is not of type %s, which the column %s has: write it as %s", quoted(text), k, column, Forms[k])
}

// A Column is a column with its kind.
type Column struct {
	Name string
	Kind Kind
}

// A Table has rows that are found by a key. It never changes, and is safe for concurrent use.
type Table struct {
	// SHA256 is the digest of the data that it was read from.
	SHA256  string
	columns []Column // the key first
	chunks  [][]byte
	rows    []uint32 // where each row begins: the number of its chunk, and the place in it
	slots   []uint32 // numbers of rows from 1, by the hashes of their keys
	seed    maphash.Seed
}

// A row lies in one chunk: each cell with its length before it, the key first. An address of
// a row has both in 32 bits, which is 4 GiB of cells.
const (
	chunkBits = 20
	chunkSize = 1 << chunkBits
)

// Len counts the rows.
func (t *Table) Len() int { return len(t.rows) }

// Rows are the rows, in the order of the data.
func (t *Table) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for number := range t.rows {
			if !yield(t.row(number)) {
				return
			}
		}
	}
}

// Columns are the columns, the key first.
func (t *Table) Columns() []Column { return t.columns }

// Column is the number of the column of that name; -1 for none.
func (t *Table) Column(name string) int {
	return slices.IndexFunc(t.columns, func(c Column) bool { return c.Name == name })
}

// Memory is how many bytes the table takes.
func (t *Table) Memory() int {
	bytes := 4*cap(t.rows) + 4*cap(t.slots)
	for _, c := range t.chunks {
		bytes += cap(c)
	}
	return bytes
}

// A Row is a row of a table.
type Row []byte

// Find is the row with a key, white space around that aside.
func (t *Table) Find(key string) (Row, bool) {
	key = strings.TrimSpace(key)
	number, found := t.find(key)
	if !found {
		return nil, false
	}
	return t.row(number), true
}

// find is the number of the row with a key, or else the free slot for it.
func (t *Table) find(key string) (number int, found bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(t.slots) - 1)
	for at := maphash.String(t.seed, key) & mask; ; at = (at + 1) & mask {
		if t.slots[at] == 0 {
			return int(at), false //nolint:gosec // below the number of slots
		}
		if number := int(t.slots[at] - 1); string(t.row(number).bytes(0)) == key {
			return number, true
		}
	}
}

func (t *Table) row(number int) Row {
	at := t.rows[number]
	return t.chunks[at>>chunkBits][at&(chunkSize-1):]
}

// Cell is a cell of the row, by the number of its column; "" where the row lacks it.
func (r Row) Cell(column int) string { return string(r.bytes(column)) }

func (r Row) bytes(column int) []byte {
	for {
		length, n := binary.Uvarint(r)
		r = r[n:]
		if column == 0 {
			return r[:length]
		}
		r = r[length:]
		column--
	}
}

// add appends a row; cells are in the order of the columns.
func (t *Table) add(cells []string) {
	size := 0
	for _, cell := range cells {
		size += len(cell) + binary.MaxVarintLen32
	}
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last])+size > cap(t.chunks[last]) {
		t.chunks = append(t.chunks, make([]byte, 0, chunkSize))
		last++
	}
	c := t.chunks[last]
	t.rows = append(t.rows, uint32(last)<<chunkBits|uint32(len(c))) //nolint:gosec // bounded by mostMemory
	for _, cell := range cells {
		c = append(binary.AppendUvarint(c, uint64(len(cell))), cell...)
	}
	t.chunks[last] = c
}

// index makes the slots, at most half of which are taken. twice are the numbers of two rows
// with one key, if there are any.
func (t *Table) index() (first, second int, twice bool) {
	t.rows = slices.Clip(t.rows)
	size := 2
	for size < 2*len(t.rows) {
		size *= 2
	}
	t.seed, t.slots = maphash.MakeSeed(), make([]uint32, size)
	for number := range t.rows {
		at, found := t.find(string(t.row(number).bytes(0)))
		if found {
			return at, number, true
		}
		t.slots[at] = uint32(number + 1) //nolint:gosec // bounded by mostRows
	}
	return 0, 0, false
}
