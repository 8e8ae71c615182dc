package archive

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the identifier of the file; it secures nothing
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"einvoice/formats/pdf"
	"einvoice/model/problem"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The writer of pdfcpu is not used: it puts its name, the time and a random
// identifier into the file, and leaves out an indirect AF.

// objectsPerStream is how many objects are compressed together.
const objectsPerStream = 200

// maxNesting is how deep objects may be nested.
const maxNesting = 200

// A serializer writes the objects that the catalog leads to, in the order in which
// they are met, with new numbers.
type serializer struct {
	document *pdf.Document
	numbers  map[int]int         // the new number of each object, by its old number
	queue    []types.IndirectRef // objects that have a number and are not written yet
	out      bytes.Buffer
	entries  []xrefEntry // of the cross-reference table, by new number
	objects  bytes.Buffer
	index    []int    // pairs of number and offset, of the current object stream
	keys     []string // of the dictionaries that are being written, one within another
	err      error
}

// An xrefEntry is the place of an object in the file.
type xrefEntry struct {
	kind         byte // 0 free, 1 at an offset, 2 in an object stream
	where, index int  // the offset, or the number of the object stream and the index in it
}

// bytes writes the file.
func (o *output) bytes(ended func() error) ([]byte, error) {
	s := &serializer{document: o.Document, numbers: map[int]int{}, entries: []xrefEntry{{index: math.MaxUint16}}}
	s.out.WriteString("%PDF-" + o.version + "\n%\xE2\xE3\xCF\xD3\n")
	root := s.reference(o.root)
	info := 0
	if o.info != nil {
		info = s.next()
		s.object(info, o.info)
	}
	for most := pdf.DefaultLimits().Objects; len(s.queue) > 0 && s.err == nil; {
		if len(s.entries) > most {
			return nil, &problem.Error{
				Code: pdf.CodeLimit, Message: fmt.Sprintf("the PDF would have more than the %d objects that are read", most),
				Remedy: "split the invoice, or take it as XML",
			}
		}
		if err := ended(); err != nil {
			return nil, err
		}
		ref := s.queue[0]
		s.queue = s.queue[1:]
		object, err := s.document.Object(ref)
		if err != nil {
			return nil, err
		}
		s.object(s.numbers[ref.ObjectNumber.Value()], object)
	}
	s.closeObjectStream()
	s.close(root, info)
	return s.out.Bytes(), s.err
}

// next is the next new number.
func (s *serializer) next() int {
	s.entries = append(s.entries, xrefEntry{})
	return len(s.entries) - 1
}

// reference is the new number of an object that is referred to; 0 if the object is
// not there.
func (s *serializer) reference(ref types.IndirectRef) int {
	old := ref.ObjectNumber.Value()
	if number, found := s.numbers[old]; found {
		return number
	}
	if !s.document.Contains(ref) {
		return 0
	}
	s.numbers[old] = s.next()
	s.queue = append(s.queue, ref)
	return s.numbers[old]
}

// object writes an object: a stream into the file, all others into object streams.
func (s *serializer) object(number int, o types.Object) {
	if stream, ok := o.(types.StreamDict); ok {
		s.stream(number, stream.Dict, stream.Raw, stream.Content)
		return
	}
	s.entries[number] = xrefEntry{2, 0, len(s.index) / 2} // the number of the object stream is set when it is closed
	s.index = append(s.index, number, s.objects.Len())
	s.value(&s.objects, o, 0)
	s.objects.WriteByte('\n')
	if len(s.index) == 2*objectsPerStream {
		s.closeObjectStream()
	}
}

// stream writes a stream with its encoded data; if it has none, its content is
// compressed.
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

// close writes the cross-reference stream. The identifier of the file is a hash of
// everything before it.
func (s *serializer) close(root, info int) {
	sum := md5.Sum(s.out.Bytes()) //nolint:gosec // see the import
	id := literalString(sum[:])
	start := s.out.Len()
	number := s.next()
	s.entries[number] = xrefEntry{1, start, 0}
	var table []byte
	for _, e := range s.entries {
		table = append(table, e.kind)
		table = binary.BigEndian.AppendUint32(table, uint32(e.where))
		table = binary.BigEndian.AppendUint16(table, uint16(e.index))
	}
	s.numbers = nil // the trailer refers to new numbers
	trailer := types.Dict{
		"Type": types.Name("XRef"), "Size": types.Integer(len(s.entries)),
		"W":    types.Array{types.Integer(1), types.Integer(4), types.Integer(2)},
		"Root": newRef(root), "ID": types.Array{id, id},
	}
	if info > 0 {
		trailer["Info"] = newRef(info)
	}
	s.stream(number, trailer, nil, table)
	fmt.Fprintf(&s.out, "startxref\n%d\n%%%%EOF\n", start)
}

// A newRef is a reference by new number.
type newRef int

func (r newRef) Clone() types.Object { return r }
func (r newRef) String() string      { return r.PDFString() }
func (r newRef) PDFString() string   { return fmt.Sprintf("%d 0 R", int(r)) }

func (s *serializer) value(w *bytes.Buffer, o types.Object, depth int) {
	if depth > maxNesting {
		s.err = errors.New("the objects of the PDF lie too deep within one another")
		return
	}
	switch o := o.(type) {
	case types.Dict:
		w.WriteString("<<")
		s.entriesOf(w, o, depth)
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
			w.Write(append(strconv.AppendInt(w.AvailableBuffer(), int64(number), 10), " 0 R"...))
		} else {
			w.WriteString("null")
		}
	case types.StringLiteral, types.HexLiteral:
		w.WriteByte('(')
		w.WriteString(string(literalString(stringBytes(o))))
		w.WriteByte(')')
	case types.Name:
		writeName(w, string(o))
	case types.Float:
		w.Write(strconv.AppendFloat(w.AvailableBuffer(), float64(o), 'f', -1, 64))
	case types.Integer:
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(o), 10))
	case types.Boolean, newRef:
		w.WriteString(o.PDFString())
	default: // nil, and what no sound object contains
		w.WriteString("null")
	}
}

// entriesOf writes the entries of a dictionary, by their names.
func (s *serializer) entriesOf(w *bytes.Buffer, d types.Dict, depth int) {
	from := len(s.keys)
	for key, value := range d {
		if value != nil {
			s.keys = append(s.keys, key)
		}
	}
	to := len(s.keys)
	slices.Sort(s.keys[from:])
	for i := from; i < to; i++ { // what is within appends to the keys
		key := s.keys[i]
		writeName(w, key)
		w.WriteByte(' ')
		s.value(w, d[key], depth+1)
	}
	s.keys = s.keys[:from]
}

// writeName writes a name; a character that it cannot contain is written as its code.
func writeName(w *bytes.Buffer, s string) {
	w.WriteByte('/')
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || strings.IndexByte("#()<>[]{}/%", c) >= 0 {
			fmt.Fprintf(w, "#%02X", c)
		} else {
			w.WriteByte(c)
		}
	}
}
