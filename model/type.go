package model

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Kind says what a field holds.
type Kind uint8

// The kinds of fields: leaves first, then what holds groups.
const (
	KindText Kind = iota + 1
	KindBinary
	KindNumber
	KindAmount
	KindDate
	KindGroup // one struct, a nil pointer when absent
	KindList  // any number of structs
)

// IsLeaf reports whether the field holds a value rather than groups.
func (k Kind) IsLeaf() bool { return k < KindGroup }

// A Type describes a struct of the model by its tags. Types are made once, by
// reflection; reading and writing through them uses none.
type Type struct {
	Name   string // of the Go struct
	Fields []Field
	byName map[string]*Field
	goType reflect.Type
	size   uintptr
}

// A Field describes one term or group within a Type.
type Field struct {
	Name  string // in JSON, XPath, CEL and findings
	BT    string // code in the standard, such as BT-106 or BG-23; empty for terms that only belong together
	Term  string // name in the standard
	Class string // semantic data type: text, identifier, code, amount, date ...
	Card  string // cardinality in the standard, such as 0..1
	Kind  Kind
	Elem  *Type // of groups and lists

	index  int // of the Go field
	offset uintptr
}

// Field finds a field by its name.
func (t *Type) Field(name string) (*Field, bool) {
	f, ok := t.byName[name]
	return f, ok
}

// Size is the memory of one such group in bytes, without what it refers to.
func (t *Type) Size() int { return int(t.size) }

// Nearest is the field name most like a misspelt one, "" if none is close.
func (t *Type) Nearest(name string) string {
	best, distance := "", len(name)/2+1
	for i := range t.Fields {
		candidate := t.Fields[i].Name
		d := editDistance(name, candidate)
		if strings.HasPrefix(candidate, name) || strings.HasPrefix(name, candidate) {
			d = 1
		}
		if d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

var types sync.Map // reflect.Type -> *Type

// TypeOf describes a struct of the model.
func TypeOf[T any]() *Type {
	goType := reflect.TypeFor[T]()
	if t, ok := types.Load(goType); ok {
		return t.(*Type)
	}
	return describe(goType, map[reflect.Type]*Type{})
}

// InvoiceType describes the invoice as a whole.
func InvoiceType() *Type { return TypeOf[Invoice]() }

// ContainerType describes the PDF around an invoice.
func ContainerType() *Type { return TypeOf[Container]() }

// describe publishes a type only when it is complete; seen breaks the recursion
// of lines within lines.
func describe(goType reflect.Type, seen map[reflect.Type]*Type) *Type {
	if t, ok := types.Load(goType); ok {
		return t.(*Type)
	}
	if t, ok := seen[goType]; ok {
		return t
	}
	t := &Type{Name: goType.Name(), byName: map[string]*Field{}, goType: goType, size: goType.Size()}
	seen[goType] = t
	for i := range goType.NumField() {
		f := goType.Field(i)
		if f.Type == reflect.TypeFor[Group]() {
			continue
		}
		field := describeField(f, seen)
		field.index = i
		t.Fields = append(t.Fields, field)
	}
	for i := range t.Fields {
		t.byName[t.Fields[i].Name] = &t.Fields[i]
	}
	actual, _ := types.LoadOrStore(goType, t)
	return actual.(*Type)
}

func describeField(f reflect.StructField, seen map[reflect.Type]*Type) Field {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	d := Field{
		Name: name, BT: f.Tag.Get("bt"), Term: f.Tag.Get("term"),
		Class: f.Tag.Get("type"), Card: f.Tag.Get("card"), offset: f.Offset,
	}
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
			panic(fmt.Sprintf("model: field %s has type %s, which is no leaf, group or list", f.Name, f.Type))
		}
		d.Elem = describe(f.Type.Elem(), seen)
	}
	if d.Class == "" {
		d.Class = class
	}
	return d
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		previous := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := previous
			if lower(a[i-1]) != lower(b[j-1]) {
				cost++
			}
			previous = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
