package bulk

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
)

// A sum is a SHA-256.
type sum [32]byte

// sumOf is the hash of an entry; false for what a source has in its place, which does not
// prove that two documents are the same.
func sumOf(hash string) (s sum, ok bool) {
	text, ok := strings.CutPrefix(hash, HashPrefix)
	if !ok || len(text) != 2*len(s) {
		return s, false
	}
	_, err := hex.Decode(s[:], []byte(text))
	return s, err == nil
}

// A table finds places by hashes. A small one is in memory; a large one is in a file, so that
// it takes no memory however much it holds; nothing of it has to last. A slot has 32 bytes: 24
// of the hash, which nobody can make two documents of, and the place. One goroutine may
// write; any number may read afterwards.
type table struct {
	name  string // of the file
	store tableStore
	slots int64 // a power of two
	used  int64
}

// A tableStore has the slots.
type tableStore interface {
	io.ReaderAt
	io.WriterAt
	io.Closer // removes it
}

const (
	slotBytes   = 32
	slotHash    = 24
	bucketSlots = 16
	firstSlots  = 1 << 14
)

// slotsInMemory is how many slots are in memory at most.
var slotsInMemory int64 = 1 << 18

// newTable makes an empty table, which has a file of this name once it is large.
func newTable(name string) (*table, error) {
	store, err := newStore(name, firstSlots)
	return &table{name: name, store: store, slots: firstSlots}, err
}

func newStore(name string, slots int64) (tableStore, error) {
	if slots <= slotsInMemory {
		return tableMemory(make([]byte, slots*slotBytes)), nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, notWritten(err)
	}
	store := tableFile{f}
	if err := f.Truncate(slots * slotBytes); err != nil {
		return nil, errors.Join(notWritten(err), store.Close())
	}
	return store, nil
}

type tableMemory []byte

func (m tableMemory) ReadAt(to []byte, at int64) (int, error) { return copy(to, m[at:]), nil }
func (m tableMemory) WriteAt(from []byte, at int64) (int, error) {
	return copy(m[at:], from), nil
}
func (tableMemory) Close() error { return nil }

type tableFile struct{ *os.File }

func (f tableFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

// close ends the use of the table and removes its file.
func (t *table) close() {
	_ = t.store.Close() // nothing of it has to last
}

// find looks for a hash. at is the slot that has it, or the free one that it belongs to.
func (t *table) find(s *sum) (found place, at int64, err error) {
	var bucket [bucketSlots * slotBytes]byte
	buckets := t.slots / bucketSlots
	for b := int64(binary.LittleEndian.Uint64(s[:])>>1) & (buckets - 1); ; b = (b + 1) & (buckets - 1) { //nolint:gosec // a bit is shifted away
		if _, err := t.store.ReadAt(bucket[:], b*int64(len(bucket))); err != nil && !errors.Is(err, io.EOF) {
			return place{}, 0, err
		}
		for i := range int64(bucketSlots) {
			slot := bucket[i*slotBytes : (i+1)*slotBytes]
			have := place{int(binary.LittleEndian.Uint32(slot[slotHash:])), int(binary.LittleEndian.Uint32(slot[slotHash+4:]))}
			if have.Batch == 0 {
				return place{}, b*bucketSlots + i, nil
			}
			if string(slot[:slotHash]) == string(s[:slotHash]) {
				return have, b*bucketSlots + i, nil
			}
		}
	}
}

// put gives a hash a place, unless it has one already; first is the one that it has.
func (t *table) put(s sum, p place) (first place, err error) {
	found, at, err := t.find(&s)
	if err != nil || found.Batch != 0 {
		return found, err
	}
	if err := t.set(at, &s, p); err != nil {
		return p, err
	}
	if t.used++; t.used > t.slots/2 {
		return p, t.grow()
	}
	return p, nil
}

// count counts how often it was called for a hash.
func (t *table) count(s sum) (int, error) {
	found, at, err := t.find(&s)
	if err != nil {
		return 0, err
	}
	if found.Batch == 0 {
		_, err = t.put(s, place{Batch: 1})
		return 1, err
	}
	found.Batch++
	return found.Batch, t.set(at, &s, found)
}

func (t *table) set(at int64, s *sum, p place) error {
	var slot [slotBytes]byte
	copy(slot[:slotHash], s[:])
	binary.LittleEndian.PutUint32(slot[slotHash:], uint32(p.Batch))
	binary.LittleEndian.PutUint32(slot[slotHash+4:], uint32(p.At))
	if _, err := t.store.WriteAt(slot[:], at*slotBytes); err != nil {
		return notWritten(err)
	}
	return nil
}

// grow moves everything to a table of four times the size.
func (t *table) grow() error {
	name := t.name
	if f, is := t.store.(tableFile); is && f.Name() == name {
		name += "+"
	}
	slots := 4 * t.slots
	store, err := newStore(name, slots)
	if err != nil {
		return err
	}
	old := *t
	defer old.close()
	t.store, t.slots, t.used = store, slots, 0
	block := make([]byte, 1<<16)
	for from := int64(0); from < old.slots*slotBytes; from += int64(len(block)) {
		if _, err := old.store.ReadAt(block, from); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for i := 0; i < len(block); i += slotBytes {
			p := place{int(binary.LittleEndian.Uint32(block[i+slotHash:])), int(binary.LittleEndian.Uint32(block[i+slotHash+4:]))}
			if p.Batch == 0 {
				continue
			}
			var s sum
			copy(s[:], block[i:i+slotHash])
			_, at, err := t.find(&s)
			if err != nil {
				return err
			}
			if err := t.set(at, &s, p); err != nil {
				return err
			}
			t.used++
		}
	}
	return nil
}
