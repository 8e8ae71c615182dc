package model

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Memory is where the groups of one document are made. A document that is given back
// (Document.GiveBack) leaves its memory to a later one; of a document that nobody gives back
// it is garbage with the document.
type Memory struct {
	chunks []chunk // by the numbers of types
	inUse  []int   // those that have groups of this document
	// turn counts documents, so that a copy of a document that was given back does not
	// give back the memory of the next one.
	turn atomic.Int64
}

// A chunk is room for groups of one type, one after another.
type chunk struct {
	of   *Type
	each uintptr       // bytes of one group
	room reflect.Value // a slice that can be set; its first groups are in use
	data unsafe.Pointer
	used int
	size int
	made int // groups of this document, in earlier chunks too
}

// mostAhead is how many groups there is room for that nobody asked for.
const mostAhead = 256

// mostRoom is how many bytes of groups memory may have that waits for another document.
const mostRoom = 1 << 18

var memories = sync.Pool{New: func() any { return new(Memory) }}

// NewMemory is memory for the groups of one document.
func NewMemory() *Memory { return memories.Get().(*Memory) }

// chunk is the chunk of a type.
func (m *Memory) chunk(t *Type) *chunk {
	if t.number >= len(m.chunks) {
		m.chunks = append(m.chunks, make([]chunk, int(typeNumbers.Load())-len(m.chunks))...)
	}
	return &m.chunks[t.number]
}

// take finds room for n groups beside each other, which are empty.
func (m *Memory) take(t *Type, n int) (c *chunk, from int) {
	c = m.chunk(t)
	if c.used+n > c.size {
		c.replace(t, max(n, min(c.made, mostAhead)))
	}
	if c.made == 0 {
		m.inUse = append(m.inUse, t.number)
	}
	from = c.used
	c.used += n
	c.made += n
	return c, from
}

// replace begins a new chunk. What was made in the last one stays there.
func (c *chunk) replace(t *Type, size int) {
	c.of, c.each, c.room = t, t.size, reflect.New(t.sliceType).Elem()
	c.room.Set(reflect.MakeSlice(t.sliceType, size, size))
	c.data, c.used, c.size = c.room.UnsafePointer(), 0, size
}

func (c *chunk) at(i int) unsafe.Pointer { return unsafe.Add(c.data, uintptr(i)*c.each) }

// New is a new group, which is empty.
func (m *Memory) New(t *Type) Object {
	c, at := m.take(t, 1)
	return Object{Type: t, ptr: c.at(at)}
}

// NewInvoice is a new invoice.
func (m *Memory) NewInvoice() *Invoice { return (*Invoice)(m.New(InvoiceType()).ptr) }

// EnsureGroup is Object.EnsureGroup of a group that was made in this memory.
func (m *Memory) EnsureGroup(o Object, f *Field) Object {
	slot := (*unsafe.Pointer)(o.at(f))
	if *slot == nil {
		*slot = m.New(f.Elem).ptr
	}
	return Object{Type: f.Elem, ptr: *slot}
}

// AppendGroup is Object.AppendGroup of a group that was made in this memory.
func (m *Memory) AppendGroup(o Object, f *Field) Object {
	list := (*sliceHeader)(o.at(f))
	n := list.len
	if n == list.cap {
		m.grow(o, f, n)
		list = (*sliceHeader)(o.at(f))
	}
	list.len = n + 1
	return Object{Type: f.Elem, ptr: unsafe.Add(list.data, uintptr(n)*f.Elem.size)}
}

// grow makes room in a list of n groups that is full: behind it if nothing was made there
// since, else for all of it again.
func (m *Memory) grow(o Object, f *Field, n int) {
	list := (*sliceHeader)(o.at(f))
	if c := m.chunk(f.Elem); n > 0 && n <= c.used && c.used < c.size && list.data == c.at(c.used-n) {
		c.used++
		c.made++
		list.cap++
		return
	}
	more := max(1, min(n, mostAhead+n/4))
	c, from := m.take(f.Elem, n+more)
	if n > 0 {
		reflect.Copy(c.room.Slice(from, from+n), reflect.NewAt(f.Elem.sliceType, o.at(f)).Elem())
	}
	*list = sliceHeader{data: c.at(from), len: n, cap: n + more}
}

// giveBack empties the memory and leaves it to another document.
func (m *Memory) giveBack(turn int64) {
	if !m.turn.CompareAndSwap(turn, turn+1) {
		return
	}
	room := 0
	for _, i := range m.inUse {
		c := &m.chunks[i]
		room += max(c.made, c.size) * int(c.each)
	}
	if room > mostRoom {
		return
	}
	for _, i := range m.inUse {
		c := &m.chunks[i]
		switch {
		case c.made > c.size: // one chunk for all of them the next time
			c.replace(c.of, c.made)
		case c.used > 0:
			c.room.SetLen(c.used)
			c.room.Clear()
			c.room.SetLen(c.size)
		}
		c.used, c.made = 0, 0
	}
	m.inUse = m.inUse[:0]
	memories.Put(m)
}
