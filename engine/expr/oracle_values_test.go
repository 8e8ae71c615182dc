package expr_test

import (
	"errors"
	"fmt"
	"reflect"

	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// The values of the rule language as cel-go's interpreter sees them: each a
// ref.Val that does with operators what its traits say.

var (
	celDecimal = types.NewOpaqueType("decimal")
	celDate    = types.NewOpaqueType("date")
	celBinary  = types.NewOpaqueType("binary")
	celElement = types.NewOpaqueType("element")
)

// decimal's type as a value of the interpreter, with the operators it has.
var decimalTraits = types.NewObjectType("decimal", traits.AdderType, traits.SubtractorType, traits.MultiplierType,
	traits.DividerType, traits.NegatorType, traits.ComparerType)

type decimalVal struct{ model.Decimal }

func (d decimalVal) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (d decimalVal) ConvertToType(ref.Type) ref.Val            { return types.NewErr("no conversion") }
func (d decimalVal) Type() ref.Type                            { return decimalTraits }
func (d decimalVal) Value() any                                { return d.Decimal }

func (d decimalVal) Equal(other ref.Val) ref.Val {
	e, ok := other.(decimalVal)
	return types.Bool(ok && d.Decimal.Equal(e.Decimal))
}

func (d decimalVal) Compare(other ref.Val) ref.Val {
	e, ok := other.(decimalVal)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Int(d.Cmp(e.Decimal))
}

// with computes with another decimal.
func (d decimalVal) with(other ref.Val, operator func(a, b model.Decimal) (model.Decimal, error)) ref.Val {
	e, ok := other.(decimalVal)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	out, err := operator(d.Decimal, e.Decimal)
	if err != nil {
		return types.WrapErr(err)
	}
	if out.Length() > 2000 {
		return types.NewErr("too many digits")
	}
	return decimalVal{out}
}

func exactly(operator func(a, b model.Decimal) model.Decimal) func(a, b model.Decimal) (model.Decimal, error) {
	return func(a, b model.Decimal) (model.Decimal, error) { return operator(a, b), nil }
}

func (d decimalVal) Add(other ref.Val) ref.Val { return d.with(other, exactly(model.Decimal.Add)) }
func (d decimalVal) Subtract(other ref.Val) ref.Val {
	return d.with(other, exactly(model.Decimal.Sub))
}
func (d decimalVal) Multiply(other ref.Val) ref.Val {
	return d.with(other, exactly(model.Decimal.Mul))
}
func (d decimalVal) Divide(other ref.Val) ref.Val { return d.with(other, model.Decimal.Div) }
func (d decimalVal) Negate() ref.Val              { return decimalVal{d.Neg()} }

var dateTraits = types.NewObjectType("date", traits.ComparerType)

type dateVal struct{ model.Date }

func (d dateVal) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (d dateVal) ConvertToType(ref.Type) ref.Val            { return types.NewErr("no conversion") }
func (d dateVal) Type() ref.Type                            { return dateTraits }
func (d dateVal) Value() any                                { return d.Date }

func (d dateVal) Equal(other ref.Val) ref.Val {
	e, ok := other.(dateVal)
	return types.Bool(ok && d.Date.Compare(e.Date) == 0)
}

func (d dateVal) Compare(other ref.Val) ref.Val {
	e, ok := other.(dateVal)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Int(d.Date.Compare(e.Date))
}

// opaque is a value that operators only compare.
type opaque struct {
	typ   *types.Type
	value any // comparable
}

func (o opaque) ConvertToNative(reflect.Type) (any, error) { return nil, errors.ErrUnsupported }
func (o opaque) ConvertToType(ref.Type) ref.Val            { return types.NewErr("no conversion") }
func (o opaque) Type() ref.Type                            { return o.typ }
func (o opaque) Value() any                                { return o.value }

func (o opaque) Equal(other ref.Val) ref.Val {
	p, ok := other.(opaque)
	return types.Bool(ok && o.value == p.value)
}

// An elementVal is an element with its document.
type elementVal struct {
	tree *source.Tree
	node source.Node
}

func element(t *source.Tree, n source.Node) ref.Val { return opaque{celElement, elementVal{t, n}} }

func group(o model.Object) ref.Val { return opaque{types.NewObjectType(o.Type.Name), o} }

// fromCEL is a value of the interpreter as Program.Value gives it.
func fromCEL(v ref.Val) (any, error) {
	switch v := v.(type) {
	case *types.Err:
		return nil, v
	case types.Bool:
		return bool(v), nil
	case types.Int:
		return int64(v), nil
	case types.String:
		return string(v), nil
	case decimalVal:
		return v.Decimal, nil
	case dateVal:
		return v.Date, nil
	case opaque:
		if e, ok := v.value.(elementVal); ok {
			return e.node, nil
		}
		return v.value, nil
	case traits.Lister:
		out := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			item, err := fromCEL(it.Next())
			if err != nil {
				return nil, err
			}
			out = append(out, item)
		}
		return out, nil
	}
	return nil, fmt.Errorf("a value of type %s", v.Type().TypeName())
}

// same compares values; decimals to the last digit as written.
func same(a, b any) bool {
	switch x := a.(type) {
	case model.Decimal:
		y, ok := b.(model.Decimal)
		return ok && x.String() == y.String()
	case model.Date:
		y, ok := b.(model.Date)
		return ok && x.Compare(y) == 0
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return a == b
}

// modelTypes gives cel-go the groups of the model, with closures that read them.
type modelTypes struct{ byName map[string]*model.Type }

func newModelTypes() *modelTypes {
	p := &modelTypes{map[string]*model.Type{}}
	p.add(model.InvoiceType())
	p.add(model.ContainerType())
	p.add(model.BatchType())
	return p
}

func (p *modelTypes) add(t *model.Type) {
	if p.byName[t.Name] != nil {
		return
	}
	p.byName[t.Name] = t
	for i := range t.Fields {
		if elem := t.Fields[i].Elem; elem != nil {
			p.add(elem)
		}
	}
}

func (p *modelTypes) FindStructType(name string) (*types.Type, bool) {
	_, ok := p.byName[name]
	return types.NewTypeTypeWithParam(types.NewObjectType(name)), ok
}

func (p *modelTypes) FindStructFieldNames(name string) ([]string, bool) {
	t, ok := p.byName[name]
	if !ok {
		return nil, false
	}
	var names []string
	for i := range t.Fields {
		names = append(names, t.Fields[i].Name)
	}
	return names, true
}

func (p *modelTypes) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	t, ok := p.byName[name]
	if !ok {
		return nil, false
	}
	f, ok := t.Field(field)
	if !ok {
		return nil, false
	}
	return &types.FieldType{
		Type:    celType(f),
		IsSet:   func(of any) bool { return of.(model.Object).Has(f) },
		GetFrom: func(of any) (any, error) { return get(of.(model.Object), f) },
	}, true
}

func (p *modelTypes) FindIdent(string) (ref.Val, bool) { return nil, false }
func (p *modelTypes) EnumValue(string) ref.Val         { return types.NewErr("no enum") }
func (p *modelTypes) NewValue(string, map[string]ref.Val) ref.Val {
	return types.NewErr("no new group")
}
func (p *modelTypes) NativeToValue(value any) ref.Val {
	return types.DefaultTypeAdapter.NativeToValue(value)
}

func celType(f *model.Field) *types.Type {
	switch f.Kind {
	case model.KindText:
		return types.StringType
	case model.KindBinary:
		return celBinary
	case model.KindNumber, model.KindAmount:
		return celDecimal
	case model.KindDate:
		return celDate
	case model.KindGroup:
		return types.NewObjectType(f.Elem.Name)
	}
	return types.NewListType(types.NewObjectType(f.Elem.Name))
}

var (
	errAbsent  = errors.New("the term is absent")
	errInvalid = errors.New("the term is not a value of its type")
)

// get reads a field: an absent group reads as an empty one, an absent list as
// one without elements, an absent term has no value.
func get(o model.Object, f *model.Field) (any, error) {
	switch f.Kind {
	case model.KindGroup:
		return group(o.Group(f)), nil
	case model.KindList:
		list := o.List(f)
		out := make([]ref.Val, list.Len())
		for i := range out {
			out[i] = group(list.At(i))
		}
		return types.NewRefValList(types.DefaultTypeAdapter, out), nil
	}
	if !o.Has(f) {
		return nil, errAbsent
	}
	switch f.Kind {
	case model.KindText:
		return types.String(o.Text(f).Raw), nil
	case model.KindBinary:
		return opaque{celBinary, expr.Binary(o.Binary(f).Raw)}, nil
	case model.KindDate:
		if d := o.Date(f); d.Valid {
			return dateVal{*d}, nil
		}
		return nil, errInvalid
	}
	if n := o.Number(f); n.Valid {
		return decimalVal{n.Value}, nil
	}
	return nil, errInvalid
}
