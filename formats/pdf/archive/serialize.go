package archive

import (
	"bytes"
	"compress/zlib"
	"crypto/md5" //nolint:gosec // the file's identifier; it secures nothing
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The library's own writer puts its name, the time and a random identifier into
// what it writes, and leaves out an indirect AF. So the file is written here:
// everything that the catalog leads to, in the order in which it is met.

// perObjectStream is how many objects are compressed together.
const perObjectStream = 200

// deepest is how far objects may lie within one another.
const deepest = 200

// serializer writes the objects of a document.
type serializer struct {
	document *document
	numbers  map[int]int         // the new number of each object
	queue    []types.IndirectRef // objects that were referred to, and are to be written
	out      bytes.Buffer
	entries  []xrefEntry // by new number; the first is for the object 0
	objects  bytes.Buffer
	index    []int // pairs of number and offset, of the object stream at hand
	err      error
}

// An xrefEntry says where an object is: at an offset, or in an object stream.
type xrefEntry struct {
	kind         byte // 0 free, 1 at an offset, 2 in a stream
	where, index int
}

func (d *document) bytes() ([]byte, error) {
	s := &serializer{document: d, numbers: map[int]int{}, entries: []xrefEntry{{index: math.MaxUint16}}}
	s.out.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	root := s.reference(*d.Root)
	info := s.next()
	s.object(info, d.info)
	for len(s.queue) > 0 && s.err == nil {
		ref := s.queue[0]
		s.queue = s.queue[1:]
		o, err := d.Dereference(ref)
		if err != nil {
			return nil, err
		}
		s.object(s.numbers[ref.ObjectNumber.Value()], o)
	}
	s.closeObjectStream()
	s.close(root, info)
	return s.out.Bytes(), s.err
}

// next is a new number for an object.
func (s *serializer) next() int {
	s.entries = append(s.entries, xrefEntry{})
	return len(s.entries) - 1
}

// reference is the new number of an object that is referred to; 0 if it is not there.
func (s *serializer) reference(ref types.IndirectRef) int {
	old := ref.ObjectNumber.Value()
	if number, found := s.numbers[old]; found {
		return number
	}
	entry, found := s.document.FindTableEntryForIndRef(&ref)
	if !found || entry == nil || entry.Free || entry.Object == nil {
		return 0
	}
	s.numbers[old] = s.next()
	s.queue = append(s.queue, ref)
	return s.numbers[old]
}

// object writes an object: a stream by itself, all else into object streams.
func (s *serializer) object(number int, o types.Object) {
	if stream, ok := o.(types.StreamDict); ok {
		s.stream(number, stream.Dict, stream.Raw, stream.Content)
		return
	}
	s.entries[number] = xrefEntry{2, 0, len(s.index) / 2} // the stream is known when it is closed
	s.index = append(s.index, number, s.objects.Len())
	s.value(&s.objects, o, 0)
	s.objects.WriteByte('\n')
	if len(s.index) == 2*perObjectStream {
		s.closeObjectStream()
	}
}

// stream writes a stream with the data as encoded, or else encodes the content.
func (s *serializer) stream(number int, entries types.Dict, raw, content []byte) {
	entries = maps.Clone(entries)
	if raw == nil && content != nil {
		raw = deflate(content)
		entries["Filter"] = types.Name("FlateDecode")
		delete(entries, "DecodeParms")
	}
	entries["Length"] = types.Integer(len(raw))
	s.entries[number] = xrefEntry{1, s.out.Len(), 0}
	fmt.Fprintf(&s.out, "%d 0 obj\n", number)
	s.value(&s.out, entries, 0)
	s.out.WriteString("\nstream\n")
	s.out.Write(raw)
	s.out.WriteString("\nendstream\nendobj\n")
}

func (s *serializer) closeObjectStream() {
	if len(s.index) == 0 {
		return
	}
	number := s.next()
	var head bytes.Buffer
	for i := 0; i < len(s.index); i += 2 {
		s.entries[s.index[i]].where = number
		fmt.Fprintf(&head, "%d %d ", s.index[i], s.index[i+1])
	}
	entries := types.Dict{
		"Type": types.Name("ObjStm"), "N": types.Integer(len(s.index) / 2), "First": types.Integer(head.Len()),
	}
	s.stream(number, entries, nil, append(head.Bytes(), s.objects.Bytes()...))
	s.index = s.index[:0]
	s.objects.Reset()
}

// close writes the table of objects, as a stream. The identifier is made of
// everything before.
func (s *serializer) close(root, info int) {
	sum := md5.Sum(s.out.Bytes()) //nolint:gosec // see the import
	id := literal(sum[:])
	start := s.out.Len()
	number := s.next()
	s.entries[number] = xrefEntry{1, start, 0}
	var table []byte
	for _, e := range s.entries {
		table = append(table, e.kind)
		table = binary.BigEndian.AppendUint32(table, uint32(e.where))
		table = binary.BigEndian.AppendUint16(table, uint16(e.index))
	}
	s.numbers = nil // what follows refers to new numbers
	s.stream(number, types.Dict{
		"Type": types.Name("XRef"), "Size": types.Integer(len(s.entries)),
		"W":    types.Array{types.Integer(1), types.Integer(4), types.Integer(2)},
		"Root": newRef(root), "Info": newRef(info), "ID": types.Array{id, id},
	}, nil, table)
	fmt.Fprintf(&s.out, "startxref\n%d\n%%%%EOF\n", start)
}

// newRef refers to an object by its new number.
type newRef int

func (r newRef) Clone() types.Object { return r }
func (r newRef) String() string      { return r.PDFString() }
func (r newRef) PDFString() string   { return fmt.Sprintf("%d 0 R", int(r)) }

func (s *serializer) value(w *bytes.Buffer, o types.Object, depth int) {
	if depth > deepest {
		s.err = errors.New("the objects of the PDF lie too deep within one another")
		return
	}
	switch o := o.(type) {
	case types.Dict:
		w.WriteString("<<")
		for _, key := range slices.Sorted(maps.Keys(o)) {
			if o[key] == nil {
				continue
			}
			name(w, key)
			w.WriteByte(' ')
			s.value(w, o[key], depth+1)
		}
		w.WriteString(">>")
	case types.Array:
		w.WriteByte('[')
		for i, e := range o {
			if i > 0 {
				w.WriteByte(' ')
			}
			s.value(w, e, depth+1)
		}
		w.WriteByte(']')
	case types.IndirectRef:
		if number := s.reference(o); number > 0 {
			fmt.Fprintf(w, "%d 0 R", number)
		} else {
			w.WriteString("null")
		}
	case types.StringLiteral, types.HexLiteral:
		w.WriteByte('(')
		w.WriteString(string(literal(bytesOf(o))))
		w.WriteByte(')')
	case types.Name:
		name(w, string(o))
	case types.Float:
		w.WriteString(strconv.FormatFloat(float64(o), 'f', -1, 64))
	case types.Integer, types.Boolean, newRef:
		w.WriteString(o.PDFString())
	default: // nil, and what a sound object never holds
		w.WriteString("null")
	}
}

// name writes a name; what may not stand in one is written as its code.
func name(w *bytes.Buffer, s string) {
	w.WriteByte('/')
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || strings.IndexByte("#()<>[]{}/%", c) >= 0 {
			fmt.Fprintf(w, "#%02X", c)
		} else {
			w.WriteByte(c)
		}
	}
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(&b)
	_, _ = z.Write(data) // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// deflaters keeps compressors, each of which takes almost a megabyte.
var deflaters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}
