package model

import (
	"reflect"
	"unsafe"

	"einvoice/model/source"
)

// An Object is a group of an invoice together with its Type. By it, engine and formats
// read and write terms by name. The field offsets are those of the Go type, so an
// Object can only access its own fields. The zero Object is an absent group, in which
// everything is absent.
type Object struct {
	Type *Type
	ptr  unsafe.Pointer
}

// ObjectOf makes the Object of a group; nil is an absent group.
func ObjectOf[T any](group *T) Object {
	return Object{Type: TypeOf[T](), ptr: unsafe.Pointer(group)}
}

// Present reports whether the group exists.
func (o Object) Present() bool { return o.ptr != nil }

// Ref is the element that the group was read from.
func (o Object) Ref() source.Ref {
	if o.ptr == nil {
		return 0
	}
	return (*Group)(o.ptr).Ref
}

// SetRef sets the element that the group was read from.
func (o Object) SetRef(ref source.Ref) { (*Group)(o.ptr).Ref = ref }

// Absent leaves, so that callers can read inside an absent group.
var (
	noText   Text
	noBinary Binary
	noAmount Amount
	noDate   Date
)

func (o Object) at(f *Field) unsafe.Pointer { return unsafe.Add(o.ptr, f.offset) }

// Text returns the leaf in a field of KindText.
func (o Object) Text(f *Field) *Text {
	if o.ptr == nil {
		return &noText
	}
	return (*Text)(o.at(f))
}

// Binary returns the leaf in a field of KindBinary.
func (o Object) Binary(f *Field) *Binary {
	if o.ptr == nil {
		return &noBinary
	}
	return (*Binary)(o.at(f))
}

// Number returns the leaf in a field of KindNumber, or the number in one of KindAmount.
func (o Object) Number(f *Field) *Number {
	if o.ptr == nil {
		return &noAmount.Number
	}
	return (*Number)(o.at(f)) // an Amount begins with its Number
}

// Amount returns the leaf in a field of KindAmount.
func (o Object) Amount(f *Field) *Amount {
	if o.ptr == nil {
		return &noAmount
	}
	return (*Amount)(o.at(f))
}

// Date returns the leaf in a field of KindDate.
func (o Object) Date(f *Field) *Date {
	if o.ptr == nil {
		return &noDate
	}
	return (*Date)(o.at(f))
}

// Group returns the group in a field of KindGroup; it may be absent.
func (o Object) Group(f *Field) Object {
	if o.ptr == nil {
		return Object{Type: f.Elem}
	}
	return Object{Type: f.Elem, ptr: *(*unsafe.Pointer)(o.at(f))}
}

// EnsureGroup returns the group in a field of KindGroup, which it makes if it is absent.
func (o Object) EnsureGroup(f *Field) Object {
	slot := (*unsafe.Pointer)(o.at(f))
	if *slot == nil {
		*slot = reflect.New(f.Elem.goType).UnsafePointer()
	}
	return Object{Type: f.Elem, ptr: *slot}
}

// List returns the groups in a field of KindList.
func (o Object) List(f *Field) List {
	if o.ptr == nil {
		return List{Type: f.Elem}
	}
	header := (*sliceHeader)(o.at(f))
	return List{Type: f.Elem, data: header.data, len: header.len}
}

// AppendGroup appends a group to a field of KindList. Objects that were returned before
// may be copies that are no longer in the list.
func (o Object) AppendGroup(f *Field) Object {
	slice := reflect.NewAt(f.Elem.sliceType, o.at(f)).Elem()
	n := slice.Len()
	slice.Grow(1)
	slice.SetLen(n + 1)
	return o.List(f).At(n)
}

// makeList makes an absent field of KindList a list of n groups.
func (o Object) makeList(f *Field, n int) {
	if n > 0 {
		slice := reflect.NewAt(f.Elem.sliceType, o.at(f)).Elem()
		slice.Set(reflect.MakeSlice(slice.Type(), n, n))
	}
}

// Has reports whether a field is present: a leaf that is present, a group that exists, a
// list with at least one group.
func (o Object) Has(f *Field) bool {
	if o.ptr == nil {
		return false
	}
	switch f.Kind {
	case KindText:
		return o.Text(f).Present
	case KindBinary:
		return o.Binary(f).Present
	case KindNumber, KindAmount:
		return o.Number(f).Present
	case KindDate:
		return o.Date(f).Present
	case KindGroup:
		return o.Group(f).Present()
	default:
		return o.List(f).Len() > 0
	}
}

// Set sets a leaf to a value as JSON has it (dates in ISO 8601). A value that is not
// valid for the leaf is kept as Raw.
func (o Object) Set(f *Field, raw string) {
	switch f.Kind {
	case KindText:
		*o.Text(f) = NewText(raw)
	case KindBinary:
		*o.Binary(f) = Binary{Raw: raw, Present: true}
	case KindNumber, KindAmount:
		*o.Number(f) = NewNumber(raw)
	case KindDate:
		*o.Date(f) = NewDate(raw)
	default:
		panic("model: Set on " + f.Name + ", which is not a leaf")
	}
}

// CopyLeaf copies a leaf from another group of the same type.
func (o Object) CopyLeaf(f *Field, from Object) {
	switch f.Kind {
	case KindText:
		*o.Text(f) = *from.Text(f)
	case KindBinary:
		*o.Binary(f) = *from.Binary(f)
	case KindNumber:
		*o.Number(f) = *from.Number(f)
	case KindAmount:
		*o.Amount(f) = *from.Amount(f)
	case KindDate:
		*o.Date(f) = *from.Date(f)
	default:
		panic("model: CopyLeaf on " + f.Name + ", which is not a leaf")
	}
}

// Clear makes a field absent.
func (o Object) Clear(f *Field) {
	reflect.NewAt(o.Type.goType, o.ptr).Elem().FieldByIndex(f.index).SetZero()
}

// Raw is the text of a leaf as written; empty for groups and lists.
func (o Object) Raw(f *Field) string {
	switch f.Kind {
	case KindText:
		return o.Text(f).Raw
	case KindBinary:
		return o.Binary(f).Raw
	case KindNumber, KindAmount:
		return o.Number(f).Raw
	case KindDate:
		return o.Date(f).Raw
	}
	return ""
}

// RefOf is the element or attribute that a field was read from: that of the leaf or
// group, or that of the first group of a list; zero if the field is absent.
func (o Object) RefOf(f *Field) source.Ref {
	switch f.Kind {
	case KindText:
		return o.Text(f).Ref
	case KindBinary:
		return o.Binary(f).Ref
	case KindNumber, KindAmount:
		return o.Number(f).Ref
	case KindDate:
		return o.Date(f).Ref
	case KindGroup:
		return o.Group(f).Ref()
	default:
		if l := o.List(f); l.Len() > 0 {
			return l.At(0).Ref()
		}
		return 0
	}
}

// sliceHeader is the memory layout of a slice.
type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

// A List is the groups in a field of KindList.
type List struct {
	Type *Type
	data unsafe.Pointer
	len  int
}

// Len is the number of groups.
func (l List) Len() int { return l.len }

// At returns the group at index i.
func (l List) At(i int) Object {
	if uint(i) >= uint(l.len) {
		panic("model: list index out of range")
	}
	return Object{Type: l.Type, ptr: unsafe.Add(l.data, uintptr(i)*l.Type.size)}
}
