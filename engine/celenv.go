package engine

import (
	"sync"

	"einvoice/model"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// cel-go parses and type-checks the assertions; expr.go and what belongs to it
// turn the checked tree into closures over the model's own types, because that
// runs many times faster than boxing every value (docs/adr/0003-cel.md).

var (
	decimalType = types.NewOpaqueType("decimal")
	dateType    = types.NewOpaqueType("date")
	binaryType  = types.NewOpaqueType("binary")
	elementType = types.NewOpaqueType("element") // an element of the source document
	anyType     = types.NewTypeParamType("A")
)

// Names of the two variables that every assertion has.
const (
	varThis    = "this"
	varInvoice = "invoice"
)

// modelProvider tells the checker the groups and terms of the model.
type modelProvider struct{ byName map[string]*model.Type }

var provider = sync.OnceValue(func() *modelProvider {
	p := &modelProvider{byName: map[string]*model.Type{}}
	var walk func(t *model.Type)
	walk = func(t *model.Type) {
		if p.byName[t.Name] != nil {
			return
		}
		p.byName[t.Name] = t
		for i := range t.Fields {
			if elem := t.Fields[i].Elem; elem != nil {
				walk(elem)
			}
		}
	}
	for _, root := range roots {
		walk(root.typ)
	}
	return p
})

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

// baseEnv knows every operator, function and macro of the rule language, and no
// variable yet.
var baseEnv = sync.OnceValues(func() (*cel.Env, error) {
	options := []cel.EnvOption{
		cel.CustomTypeProvider(types.Provider(provider())),
		cel.Macros(append(cel.StandardMacros, sumMacro, sumWhereMacro)...),
		cel.ParserExpressionSizeLimit(20_000),
		cel.ParserRecursionLimit(100),
	}
	for name, overloads := range declarations() {
		options = append(options, cel.Function(name, overloads...))
	}
	return cel.NewCustomEnv(options...)
})

var envs sync.Map // string -> *cel.Env

// envFor is the environment in which this has the given type.
func envFor(this *types.Type) (*cel.Env, error) {
	if env, ok := envs.Load(this.String()); ok {
		return env.(*cel.Env), nil
	}
	base, err := baseEnv()
	if err != nil {
		return nil, err
	}
	env, err := base.Extend(
		cel.Variable(varThis, this),
		cel.Variable(varInvoice, types.NewObjectType(model.InvoiceType().Name)),
	)
	if err != nil {
		return nil, err
	}
	envs.Store(this.String(), env)
	return env, nil
}

// The sum macros: list.sum(x, amount) and list.sum(x, condition, amount).
var (
	sumMacro      = cel.ReceiverMacro("sum", 2, expandSum)
	sumWhereMacro = cel.ReceiverMacro("sum", 3, expandSum)
)

func expandSum(eh cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	if args[0].Kind() != ast.IdentKind {
		return nil, eh.NewError(args[0].ID(), "the first argument of sum must be a variable name")
	}
	accu := eh.AccuIdentName()
	step := eh.NewCall("_+_", eh.NewAccuIdent(), args[len(args)-1])
	if len(args) == 3 {
		step = eh.NewCall("_?_:_", args[1], step, eh.NewAccuIdent())
	}
	return eh.NewComprehension(target, args[0].AsIdent(), accu,
		eh.NewCall("decimal", eh.NewLiteral(types.Int(0))),
		eh.NewLiteral(types.True), step, eh.NewAccuIdent()), nil
}
