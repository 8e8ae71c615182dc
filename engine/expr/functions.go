package expr

import (
	"fmt"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// A function may be called by rules. The table below is the whole library; the
// documentation (docs/rule-language.md, `einvoice rules functions`) is printed
// from it, and a test runs every example. A function with a name of CEL, or of one
// of cel-go's extension libraries, is the same function; tests compare them.
type function struct {
	name      string
	doc       string
	example   string // an expression over the engine's example invoice that is true
	overloads []overload
}

type overload struct {
	member  bool
	args    []*types.Type
	result  *types.Type
	compile func(*Environment, []compiled) (compiled, error)
}

// member and global declare an overload whose compiled form follows from its
// arguments alone.
func member(compile func([]compiled) compiled, result *types.Type, args ...*types.Type) overload {
	return overload{member: true, args: args, result: result, compile: plain(compile)}
}

func global(compile func([]compiled) compiled, result *types.Type, args ...*types.Type) overload {
	return overload{args: args, result: result, compile: plain(compile)}
}

func plain(compile func([]compiled) compiled) func(*Environment, []compiled) (compiled, error) {
	return func(_ *Environment, args []compiled) (compiled, error) { return compile(args), nil }
}

var (
	listOfText = types.NewListType(types.StringType)
	listOfAny  = types.NewListType(anyType)
)

// functions is filled here rather than in its declaration, because compiling an
// example refers to it.
var functions []function

func init() {
	functions = append(functions, termFunctions...)
	functions = append(functions, textFunctions...)
	functions = append(functions, digitFunctions...)
	functions = append(functions, numberFunctions...)
	functions = append(functions, dateFunctions...)
	functions = append(functions, listFunctions...)
	functions = append(functions, elementFunctions...)
	functions = append(functions, lookupFunctions...)
}

// declarations are all operators and functions, for the checker.
func declarations() map[string][]cel.FunctionOpt {
	out := operatorDeclarations()
	for _, f := range functions {
		for _, o := range f.overloads {
			id := f.name
			for _, a := range o.args {
				id += "_" + a.String()
			}
			if o.member {
				out[f.name] = append(out[f.name], cel.MemberOverload(id, o.args, o.result))
			} else {
				out[f.name] = append(out[f.name], cel.Overload(id+"_global", o.args, o.result))
			}
		}
	}
	return out
}

// call compiles an operator or a function.
func (s *scope) call(n *node) (compiled, error) {
	args := make([]compiled, len(n.args))
	for i, operand := range n.args {
		var err error
		if args[i], err = s.compile(operand); err != nil {
			return compiled{}, err
		}
	}
	if isLookup(n.name) {
		return s.lookup(n, args)
	}
	out := operator(n.name, args)
	if out.typ == nil {
		var err error
		if out, err = s.function(n.name, args); err != nil {
			return compiled{}, n.errorf("%v", err)
		}
	}
	return out, nil
}

// function compiles a call of the table's overload that takes these arguments.
func (s *scope) function(name string, args []compiled) (compiled, error) {
	for i := range functions {
		if functions[i].name != name {
			continue
		}
		for _, o := range functions[i].overloads {
			if o.takes(args) {
				out, err := o.compile(s.environment, args)
				if out.typ == nil {
					out.typ = o.result
				}
				return out, err
			}
		}
	}
	names := make([]string, len(args))
	for i := range args {
		names[i] = typeName(args[i].typ)
	}
	return compiled{}, fmt.Errorf("%s cannot take %s", strings.Trim(name, "_@"), strings.Join(names, " and "))
}

func (o overload) takes(args []compiled) bool {
	if len(args) != len(o.args) {
		return false
	}
	for i, want := range o.args {
		if !accepts(want, args[i]) {
			return false
		}
	}
	return true
}

func accepts(want *types.Type, arg compiled) bool {
	switch {
	case want.IsExactType(decimalType):
		return arg.decimal != nil
	case want.IsExactType(types.IntType):
		return arg.integer != nil
	case want.IsExactType(types.StringType):
		return arg.text != nil
	case want.IsExactType(dateType):
		return arg.date != nil
	case want.IsExactType(binaryType):
		return arg.binary != nil
	case want.IsExactType(elementType):
		return arg.element != nil
	case want.Kind() == types.ListKind:
		return arg.list != nil && (want.Parameters()[0].Kind() == types.TypeParamKind || want.Parameters()[0].IsExactType(arg.typ.Parameters()[0]))
	}
	return false
}

// literalText is an argument that must be known when the rule loads.
func literalText(arg compiled, what string) (string, error) {
	text, ok := arg.literal.(string)
	if !ok {
		return "", fmt.Errorf("the %s must be a literal", what)
	}
	return text, nil
}

func asBool(f fn[bool]) compiled            { return compiled{boolean: f} }
func asText(f fn[string]) compiled          { return compiled{text: f} }
func asInt(f fn[int64]) compiled            { return compiled{integer: f} }
func asNumber(f fn[model.Decimal]) compiled { return compiled{decimal: f} }
func asList(f fn[list]) compiled            { return compiled{list: f} }

// typeName is how messages call a type.
func typeName(t *types.Type) string {
	switch {
	case t == nil:
		return "value"
	case t.Kind() == types.ListKind:
		return "list of " + typeName(t.Parameters()[0])
	case t.Kind() == types.StringKind:
		return "text"
	case t.Kind() == types.BoolKind:
		return "boolean"
	case t.Kind() == types.IntKind:
		return "integer"
	}
	return t.TypeName()
}
