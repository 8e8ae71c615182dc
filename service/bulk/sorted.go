package bulk

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// namesInMemory is how many names of a folder are sorted at a time.
var namesInMemory = 100_000

// A named is an entry of a folder.
type named struct {
	name     string
	isFolder bool
}

// sortedNames lists a folder in the order of names. A folder with more than fit into memory
// is sorted in parts, which are in a file of the working folder meanwhile.
func sortedNames(folder, work string, yield func(name string, isFolder bool) error) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	var runs sortedRuns
	defer runs.close()
	var names []named
	for {
		entries, err := d.ReadDir(1024)
		for _, e := range entries {
			names = append(names, named{e.Name(), e.IsDir()})
		}
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return err
		}
		if last || len(names) >= namesInMemory {
			slices.SortFunc(names, func(a, b named) int { return cmp.Compare(a.name, b.name) })
			if last && runs.file == nil {
				for _, n := range names {
					if err := yield(n.name, n.isFolder); err != nil {
						return err
					}
				}
				return nil
			}
			if err := runs.add(work, names); err != nil {
				return err
			}
			names = names[:0]
		}
		if last {
			return runs.merge(yield)
		}
	}
}

// sortedRuns are sorted parts of a list, one after the other in a file.
type sortedRuns struct {
	file *os.File
	ends []int64
}

func (r *sortedRuns) add(work string, names []named) (err error) {
	if r.file == nil {
		if err := os.MkdirAll(work, 0o755); err != nil {
			return notWritten(err)
		}
		if r.file, err = os.CreateTemp(work, "names-*"); err != nil {
			return notWritten(err)
		}
	}
	w := bufio.NewWriterSize(r.file, 1<<16)
	var head []byte
	for _, n := range names {
		length := uint64(len(n.name)) << 1
		if n.isFolder {
			length |= 1
		}
		head = binary.AppendUvarint(head[:0], length)
		_, _ = w.Write(head) // Flush has the error
		_, _ = w.WriteString(n.name)
	}
	if err := w.Flush(); err != nil {
		return notWritten(err)
	}
	end, err := r.file.Seek(0, io.SeekCurrent)
	r.ends = append(r.ends, end)
	return err
}

func (r *sortedRuns) merge(yield func(string, bool) error) error {
	var heads runHeads
	from := int64(0)
	for _, end := range r.ends {
		h := &runHead{r: bufio.NewReaderSize(io.NewSectionReader(r.file, from, end-from), 1<<14)}
		more, err := h.next()
		if err != nil {
			return err
		}
		if more {
			heads = append(heads, h)
		}
		from = end
	}
	heap.Init(&heads)
	for len(heads) > 0 {
		if err := yield(heads[0].name, heads[0].isFolder); err != nil {
			return err
		}
		more, err := heads[0].next()
		if err != nil {
			return err
		}
		if more {
			heap.Fix(&heads, 0)
		} else {
			heap.Pop(&heads)
		}
	}
	return nil
}

func (r *sortedRuns) close() {
	if r.file != nil {
		_ = r.file.Close() // it was for this list alone
		_ = os.Remove(r.file.Name())
	}
}

// A runHead is the next name of a sorted part.
type runHead struct {
	named
	r *bufio.Reader
}

func (h *runHead) next() (more bool, err error) {
	length, err := binary.ReadUvarint(h.r)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	name := make([]byte, length>>1)
	_, err = io.ReadFull(h.r, name)
	h.named = named{string(name), length&1 == 1}
	return true, err
}

type runHeads []*runHead

func (h runHeads) Len() int           { return len(h) }
func (h runHeads) Less(i, j int) bool { return h[i].name < h[j].name }
func (h runHeads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeads) Push(x any)        { *h = append(*h, x.(*runHead)) }
func (h *runHeads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
