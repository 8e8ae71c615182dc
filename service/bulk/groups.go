package bulk

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
)

// A groupFile has the documents of each group once, for all that have to do with it. It is of
// no use once the pass is over.
type groupFile struct {
	work string
	file *os.File
	to   *bufio.Writer
	end  uint64

	lastAt uint64 // neighbours in a group follow each other often
	last   []neighbour
	isLast bool
}

// write adds a group: each document as its place and its JSON.
func (g *groupFile) write(documents [][]byte) (at, length uint64, err error) {
	if g.file == nil {
		if err := os.MkdirAll(g.work, 0o755); err != nil {
			return 0, 0, notWritten(err)
		}
		if g.file, err = os.CreateTemp(g.work, "groups-*"); err != nil {
			return 0, 0, notWritten(err)
		}
		g.to = bufio.NewWriterSize(g.file, 1<<16)
	}
	at = g.end
	var head []byte
	for _, d := range documents {
		head = binary.AppendUvarint(head[:0], uint64(len(d)))
		n, _ := g.to.Write(head) // Flush has the error
		m, _ := g.to.Write(d)
		g.end += uint64(n) + uint64(m) //nolint:gosec // lengths
	}
	return at, g.end - at, nil
}

// read gives a group. Nothing is written any more.
func (g *groupFile) read(at uint64, length uint32) ([]neighbour, error) {
	if g.isLast && g.lastAt == at {
		return g.last, nil
	}
	if err := g.to.Flush(); err != nil {
		return nil, notWritten(err)
	}
	data := make([]byte, length)
	if _, err := g.file.ReadAt(data, int64(at)); err != nil { //nolint:gosec // a place in the file
		return nil, err
	}
	g.last, g.lastAt, g.isLast = nil, at, true
	for len(data) > 0 {
		size, n := binary.Uvarint(data)
		if n <= 0 || size < 8 || size > uint64(len(data)-n) {
			return nil, errors.New("a group of documents is not as it was written")
		}
		record := data[n : n+int(size)] //nolint:gosec // within the data
		data = data[n+int(size):]       //nolint:gosec // likewise
		d := neighbour{place: binary.BigEndian.Uint64(record)}
		if err := json.Unmarshal(record[8:], &d); err != nil {
			return nil, err
		}
		g.last = append(g.last, d)
	}
	return g.last, nil
}

func (g *groupFile) close() {
	if g.file != nil {
		_ = g.file.Close() // it was for this pass alone
		_ = os.Remove(g.file.Name())
	}
}
