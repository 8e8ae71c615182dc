package bulk

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// spillBytes is how much of a spill is in memory at most.
var spillBytes = 16 << 20

// A spill sorts records by their bytes. What does not fit into memory is sorted in parts,
// which are in a file of the working folder meanwhile.
type spill struct {
	work string // the folder

	data  []byte // of the records that are in memory
	ends  []int
	file  *os.File
	parts []int64 // where each sorted part ends
}

// add takes a copy of a record.
func (s *spill) add(record []byte) error {
	if len(s.ends) > 0 && len(s.data)+len(record)+8*len(s.ends) > spillBytes {
		if err := s.write(); err != nil {
			return err
		}
	}
	s.data = append(s.data, record...)
	s.ends = append(s.ends, len(s.data))
	return nil
}

// sorted are the records in memory, in order.
func (s *spill) sorted() [][]byte {
	records := make([][]byte, len(s.ends))
	from := 0
	for i, end := range s.ends {
		records[i] = s.data[from:end:end]
		from = end
	}
	slices.SortFunc(records, bytes.Compare)
	return records
}

func (s *spill) write() (err error) {
	if s.file == nil {
		if err := os.MkdirAll(s.work, 0o755); err != nil {
			return notWritten(err)
		}
		if s.file, err = os.CreateTemp(s.work, "sorted-*"); err != nil {
			return notWritten(err)
		}
	}
	w := bufio.NewWriterSize(s.file, 1<<16)
	var head []byte
	for _, r := range s.sorted() {
		head = binary.AppendUvarint(head[:0], uint64(len(r)))
		_, _ = w.Write(head) // Flush has the error
		_, _ = w.Write(r)
	}
	if err := w.Flush(); err != nil {
		return notWritten(err)
	}
	s.data, s.ends = s.data[:0], s.ends[:0]
	end, err := s.file.Seek(0, io.SeekCurrent)
	s.parts = append(s.parts, end)
	return err
}

// each gives the records in order, once. A record is valid until the next one.
func (s *spill) each(yield func(record []byte) error) error {
	next, err := s.pull()
	if err != nil {
		return err
	}
	for {
		record, err := next()
		if record == nil || err != nil {
			return err
		}
		if err := yield(record); err != nil {
			return err
		}
	}
}

// pull gives the records one after the other; nil after the last.
func (s *spill) pull() (next func() ([]byte, error), err error) {
	if s.file == nil {
		records := s.sorted()
		return func() (record []byte, err error) {
			if len(records) > 0 {
				record, records = records[0], records[1:]
			}
			return record, nil
		}, nil
	}
	if len(s.ends) > 0 {
		if err := s.write(); err != nil {
			return nil, err
		}
	}
	s.data, s.ends = nil, nil
	var heads spillHeads
	from := int64(0)
	for _, end := range s.parts {
		h := &spillHead{r: bufio.NewReaderSize(io.NewSectionReader(s.file, from, end-from), 1<<14)}
		more, err := h.next()
		if err != nil {
			return nil, err
		}
		if more {
			heads = append(heads, h)
		}
		from = end
	}
	heap.Init(&heads)
	var last []byte
	return func() ([]byte, error) {
		if len(heads) == 0 {
			return nil, nil
		}
		last = append(last[:0], heads[0].record...)
		more, err := heads[0].next()
		switch {
		case err != nil:
			return nil, err
		case more:
			heap.Fix(&heads, 0)
		default:
			heap.Pop(&heads)
		}
		return last, nil
	}, nil
}

func (s *spill) close() {
	if s.file != nil {
		_ = s.file.Close() // it was for this order alone
		_ = os.Remove(s.file.Name())
	}
}

// A spillHead is the next record of a sorted part.
type spillHead struct {
	record []byte
	r      *bufio.Reader
}

func (h *spillHead) next() (more bool, err error) {
	length, err := binary.ReadUvarint(h.r)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	h.record = slices.Grow(h.record[:0], int(length))[:length] //nolint:gosec // as it was written
	_, err = io.ReadFull(h.r, h.record)
	return true, err
}

type spillHeads []*spillHead

func (h spillHeads) Len() int           { return len(h) }
func (h spillHeads) Less(i, j int) bool { return bytes.Compare(h[i].record, h[j].record) < 0 }
func (h spillHeads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *spillHeads) Push(x any)        { *h = append(*h, x.(*spillHead)) }
func (h *spillHeads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
