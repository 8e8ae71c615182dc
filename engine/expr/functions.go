package expr

import (
	"fmt"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// A function may be called by rules. The table below is the whole library; the
// documentation (docs/rule-language.md, `einvoice rules functions`) is printed
// from it, and a test runs every example.
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
	return compiled{}, fmt.Errorf("%s cannot take %s", strings.Trim(name, "_"), strings.Join(names, " and "))
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
		return asDecimal(arg) != nil
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
	functions = append(functions, listFunctions...)
	functions = append(functions, elementFunctions...)
}

func ofText[T any](g func(string) T, set func(fn[T]) compiled) func([]compiled) compiled {
	return func(args []compiled) compiled { return set(map1(args[0].text, g)) }
}

func ofTexts[T any](g func(a, b string) T, set func(fn[T]) compiled) func([]compiled) compiled {
	return func(args []compiled) compiled { return set(map2(args[0].text, args[1].text, g)) }
}

func asBool(f fn[bool]) compiled            { return compiled{boolean: f} }
func asText(f fn[string]) compiled          { return compiled{text: f} }
func asInt(f fn[int64]) compiled            { return compiled{integer: f} }
func asNumber(f fn[model.Decimal]) compiled { return compiled{decimal: f} }
func asList(f fn[list]) compiled            { return compiled{list: f} }
