package model

import (
	"einvoice/model/nearest"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Kind is the kind of value that a field holds.
type Kind uint8

// The kinds of fields: first the leaves, then those that hold groups.
const (
	KindText Kind = iota + 1
	KindBinary
	KindNumber
	KindAmount
	KindDate
	KindGroup // one struct, a nil pointer when absent
	KindList  // any number of structs
)

// Classes of texts that are more than texts: those that are true or false, and those of a
// list.
const (
	ClassIndicator = "indicator"
	ClassCode      = "code"
)

// IsLeaf reports whether the field holds a value, not groups.
func (k Kind) IsLeaf() bool { return k < KindGroup }

// A Type describes a struct of the model by its tags. Types are made once, by
// reflection. Reading and setting terms by them uses no reflection.
type Type struct {
	Name   string // of the Go struct
	Fields []Field
	byName map[string]*Field
	goType reflect.Type
	size   uintptr

	places    []place      // by field
	sliceType reflect.Type // of lists
	number    int          // of the type, for Memory
}

// A place is where a group has what says that a field is there: the element or attribute that
// a leaf was read from, the pointer to a group or the length of a list.
type place struct {
	offset uint16
	kind   Kind // KindText for every leaf
}

// typeNumbers counts types, and some that were made twice at a time.
var typeNumbers atomic.Int64

// A Field describes one term or group within a Type.
//
// What reading and rules ask of every field is apart from what few ask, so that the fields of
// a group are in few lines of the processor's cache.
type Field struct {
	Elem   *Type // of groups and lists
	offset uintptr
	Kind   Kind
	*FieldInfo
}

// A FieldInfo is what the standard says of a field.
type FieldInfo struct {
	Name  string // in JSON, XPath, CEL and findings
	BT    string // code in the standard, such as BT-106 or BG-23; empty for groups that it does not have
	Term  string // name in the standard
	Class string // semantic data type: text, identifier, code, amount, date ...
	Card  string // cardinality in the standard, such as 0..1
	// Extension is the extension of EN 16931 that the term or group belongs to, such as
	// EXTENDED for that of Factur-X; empty for what belongs to the standard itself. All
	// that is inside such a group belongs to the extension as well.
	Extension string

	index []int // of the Go field, through structs that are embedded
}

// Field finds a field by its name.
func (t *Type) Field(name string) (*Field, bool) {
	f, ok := t.byName[name]
	return f, ok
}

// StepsTo are the fields on the way from a group to the one with a code, or to the list around
// it; nil if there is none.
func (t *Type) StepsTo(code string) []*Field { return t.stepsTo(code, nil) }

func (t *Type) stepsTo(code string, around []*Type) []*Field {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.BT == code {
			return []*Field{f}
		}
		if f.Kind.IsLeaf() || slices.Contains(around, t) {
			continue
		}
		if steps := f.Elem.stepsTo(code, append(around, t)); steps != nil && f.Kind == KindList {
			return []*Field{f}
		} else if steps != nil {
			return append([]*Field{f}, steps...)
		}
	}
	return nil
}

// Size is the memory of one group in bytes, without the memory that it points to.
func (t *Type) Size() int { return int(t.size) }

// Nearest is the field name that is most similar to a misspelt one; empty if none is.
func (t *Type) Nearest(name string) string {
	names := make([]string, len(t.Fields))
	for i := range t.Fields {
		names[i] = t.Fields[i].Name
	}
	return nearest.Of(name, names)
}

var types sync.Map // reflect.Type -> *Type

// TypeOf is the Type of a struct of the model.
func TypeOf[T any]() *Type {
	goType := reflect.TypeFor[T]()
	if t, ok := types.Load(goType); ok {
		return t.(*Type)
	}
	return describe(goType, map[reflect.Type]*Type{})
}

// InvoiceType is the Type of the invoice.
func InvoiceType() *Type { return TypeOf[Invoice]() }

// ContainerType is the Type of the PDF around an invoice.
func ContainerType() *Type { return TypeOf[Container]() }

// describe makes the Type of a Go type, and stores it when it is complete. seen are the
// types that are being made, because lines contain lines.
func describe(goType reflect.Type, seen map[reflect.Type]*Type) *Type {
	if t, ok := types.Load(goType); ok {
		return t.(*Type)
	}
	if t, ok := seen[goType]; ok {
		return t
	}
	t := &Type{Name: goType.Name(), byName: map[string]*Field{}, goType: goType, size: goType.Size(), sliceType: reflect.SliceOf(goType), number: int(typeNumbers.Add(1)) - 1}
	seen[goType] = t
	t.addFields(goType, nil, 0, seen)
	for i := range t.Fields {
		f := &t.Fields[i]
		t.byName[f.Name] = f
		t.places = append(t.places, placeOf(f))
	}
	actual, _ := types.LoadOrStore(goType, t)
	return actual.(*Type)
}

// placeOf is the place of a field. Groups are far smaller than its offsets can say.
func placeOf(f *Field) place {
	at, kind := f.offset, f.Kind
	switch {
	case kind.IsLeaf():
		at, kind = at+refOffsets[kind], KindText
	case kind == KindList:
		at += unsafe.Offsetof(sliceHeader{}.len)
	}
	if at > math.MaxUint16 {
		panic(fmt.Sprintf("model: field %s is at offset %d, further than a place can say", f.Name, at))
	}
	return place{uint16(at), kind}
}

// addFields adds the fields of a struct. Those of a struct that is embedded in it, at
// an index and offset of the group, are fields of the group itself.
func (t *Type) addFields(of reflect.Type, index []int, offset uintptr, seen map[reflect.Type]*Type) {
	for i := range of.NumField() {
		f := of.Field(i)
		at := append(slices.Clip(index), i)
		switch {
		case f.Type == reflect.TypeFor[Group]():
		case f.Anonymous:
			t.addFields(f.Type, at, offset+f.Offset, seen)
		default:
			field := describeField(f, seen)
			field.index, field.offset = at, offset+f.Offset
			t.Fields = append(t.Fields, field)
		}
	}
}

// refOffsets are where leaves of each kind have their Ref.
var refOffsets = [...]uintptr{
	KindText:   unsafe.Offsetof(Text{}.Ref),
	KindBinary: unsafe.Offsetof(Binary{}.Ref),
	KindNumber: unsafe.Offsetof(Number{}.Ref),
	KindAmount: unsafe.Offsetof(Amount{}.Number) + unsafe.Offsetof(Number{}.Ref),
	KindDate:   unsafe.Offsetof(Date{}.Ref),
}

func describeField(f reflect.StructField, seen map[reflect.Type]*Type) Field {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	d := Field{FieldInfo: &FieldInfo{
		Name: name, BT: f.Tag.Get("bt"), Term: f.Tag.Get("term"),
		Class: f.Tag.Get("type"), Card: f.Tag.Get("card"), Extension: f.Tag.Get("ext"),
	}}
	class := ""
	switch f.Type {
	case reflect.TypeFor[Text]():
		d.Kind, class = KindText, "text"
	case reflect.TypeFor[Binary]():
		d.Kind, class = KindBinary, "binary object"
	case reflect.TypeFor[Number]():
		d.Kind, class = KindNumber, "number"
	case reflect.TypeFor[Amount]():
		d.Kind, class = KindAmount, "amount"
	case reflect.TypeFor[Date]():
		d.Kind, class = KindDate, "date"
	default:
		class = "group"
		switch f.Type.Kind() {
		case reflect.Pointer:
			d.Kind = KindGroup
		case reflect.Slice:
			d.Kind = KindList
		default:
			panic(fmt.Sprintf("model: field %s has type %s, which is not a leaf, group or list", f.Name, f.Type))
		}
		d.Elem = describe(f.Type.Elem(), seen)
	}
	if d.Class == "" {
		d.Class = class
	}
	return d
}
