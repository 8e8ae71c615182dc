package source

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// The table of interned names grows while rules, bindings and schemas are loaded.
// Reading needs no lock, because names that are in the published slice never change.
var (
	names   atomic.Pointer[[]QName] // by number
	numbers atomic.Pointer[nameTable]
	namesMu sync.Mutex // of who adds
)

func init() {
	names.Store(&[]QName{{}}) // NoName
	numbers.Store(newNameTable(1 << 13))
}

// A nameTable finds the number of a name: a hash table with open addressing, of which at
// least half the slots are NoName.
type nameTable struct{ slots []atomic.Int32 }

func newNameTable(size int) *nameTable { return &nameTable{make([]atomic.Int32, size)} }

var nameSeed = maphash.MakeSeed()

func hashOf(q QName) int {
	return int(maphash.String(nameSeed, q.Local)>>1) + 31*len(q.URI)
}

// find finds the number of a name among those that are known, and otherwise the slot where it
// belongs.
func (t *nameTable) find(q QName, known []QName) (n Name, slot int) {
	mask := len(t.slots) - 1
	for i := hashOf(q) & mask; ; i = (i + 1) & mask {
		n := Name(t.slots[i].Load())
		if n == NoName || int(n) < len(known) && known[n] == q {
			return n, i
		}
	}
}

// Lookup finds the number of a name; ok is false if it is not interned.
func Lookup(q QName) (n Name, ok bool) {
	table := numbers.Load()
	n, _ = table.find(q, *names.Load())
	return n, n != NoName
}

// Intern returns the numbers of names, and adds names that are new to the table. Only
// names in rules, bindings and schemas are interned, never those in documents, so that
// a hostile document cannot make the table grow.
func Intern(qnames ...QName) []Name {
	out := make([]Name, len(qnames))
	for i, q := range qnames {
		out[i] = intern(q)
	}
	return out
}

// Interned counts the names that are interned. A name that was unknown when a document
// was parsed can be known as soon as this number is another.
func Interned() int { return len(*names.Load()) }

func intern(q QName) Name {
	if n, ok := Lookup(q); ok {
		return n
	}
	namesMu.Lock()
	defer namesMu.Unlock()
	known, table := *names.Load(), numbers.Load()
	n, slot := table.find(q, known)
	if n != NoName {
		return n
	}
	known = append(known, q)
	names.Store(&known) // before n can be found by name
	n = Name(len(known) - 1)
	if table.slots[slot].Store(int32(n)); 2*len(known) > len(table.slots) {
		larger := newNameTable(2 * len(table.slots))
		for n, q := range known[1:] {
			_, slot := larger.find(q, nil)
			larger.slots[slot].Store(int32(n + 1))
		}
		numbers.Store(larger)
	}
	return n
}
