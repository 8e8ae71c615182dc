package expr

import (
	"sync"

	"einvoice/engine/xpath"
	"einvoice/model"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// The types of the rule language beside those of CEL.
var (
	decimalType = types.NewOpaqueType("decimal")
	dateType    = types.NewOpaqueType("date")
	binaryType  = types.NewOpaqueType("binary")
	elementType = types.NewOpaqueType("element") // an element of the source document
	anyType     = types.NewTypeParamType("A")
)

// This is the type that the variable this has in an expression.
type This struct {
	typ *types.Type
	env *Environment // that knows the tables; nil where that does not matter
}

// Group says that this is a group of the model.
func Group(t *model.Type) This { return This{typ: types.NewObjectType(t.Name)} }

// Element says that this is an element of the source document.
func Element() This { return This{typ: elementType} }

// modelProvider tells cel-go's checker the groups and terms of the model.
type modelProvider struct{ byName map[string]*model.Type }

var provider = sync.OnceValue(func() *modelProvider {
	p := &modelProvider{byName: map[string]*model.Type{}}
	for _, root := range xpath.Roots() {
		p.add(root.Type)
	}
	return p
})

func (p *modelProvider) add(t *model.Type) {
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

func celTypeOf(f *model.Field) *types.Type {
	switch f.Kind {
	case model.KindText:
		return types.StringType
	case model.KindBinary:
		return binaryType
	case model.KindNumber, model.KindAmount:
		return decimalType
	case model.KindDate:
		return dateType
	case model.KindGroup:
		return types.NewObjectType(f.Elem.Name)
	default:
		return types.NewListType(types.NewObjectType(f.Elem.Name))
	}
}

func (p *modelProvider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.byName[name]; !ok {
		return nil, false
	}
	return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
}

func (p *modelProvider) FindStructFieldNames(name string) ([]string, bool) {
	t, ok := p.byName[name]
	if !ok {
		return nil, false
	}
	names := make([]string, len(t.Fields))
	for i := range t.Fields {
		names[i] = t.Fields[i].Name
	}
	return names, true
}

func (p *modelProvider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	t, ok := p.byName[name]
	if !ok {
		return nil, false
	}
	f, ok := t.Field(field)
	if !ok {
		return nil, false
	}
	return &types.FieldType{Type: celTypeOf(f)}, true
}

func (p *modelProvider) FindIdent(string) (ref.Val, bool) { return nil, false }

func (p *modelProvider) EnumValue(name string) ref.Val {
	return types.NewErr("unknown enum %q", name)
}

func (p *modelProvider) NewValue(name string, _ map[string]ref.Val) ref.Val {
	return types.NewErr("a rule cannot make a %s", name)
}
