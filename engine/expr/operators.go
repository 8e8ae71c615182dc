package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// numbers are the types that mix in arithmetic and comparison.
var numbers = []*types.Type{decimalType, types.IntType}

// operatorDeclarations tells the checker which operands each operator takes.
func operatorDeclarations() map[string][]cel.FunctionOpt {
	out := map[string][]cel.FunctionOpt{}
	add := func(name, id string, result *types.Type, args ...*types.Type) {
		out[name] = append(out[name], cel.Overload(name+id, args, result))
	}
	for _, name := range []string{operators.LogicalAnd, operators.LogicalOr} {
		add(name, "bool", types.BoolType, types.BoolType, types.BoolType)
	}
	for _, name := range []string{operators.LogicalNot, operators.NotStrictlyFalse} {
		add(name, "bool", types.BoolType, types.BoolType)
	}
	add(operators.Conditional, "any", anyType, types.BoolType, anyType, anyType)
	add(operators.In, "list", types.BoolType, anyType, listOfAny)
	add(operators.Index, "list", anyType, listOfAny, types.IntType)
	for _, t := range numbers {
		add(operators.Negate, t.TypeName(), t, t)
	}
	for _, name := range []string{operators.Equals, operators.NotEquals} {
		for _, t := range []*types.Type{types.BoolType, types.StringType, dateType, elementType} {
			add(name, t.TypeName(), types.BoolType, t, t)
		}
		numberPairs(func(a, b *types.Type) { add(name, a.TypeName()+b.TypeName(), types.BoolType, a, b) })
	}
	for name := range orderings {
		numberPairs(func(a, b *types.Type) { add(name, a.TypeName()+b.TypeName(), types.BoolType, a, b) })
		add(name, "date", types.BoolType, dateType, dateType)
		add(name, "string", types.BoolType, types.StringType, types.StringType)
	}
	for name := range onDecimals {
		numberPairs(func(a, b *types.Type) {
			result := decimalType
			if a == types.IntType && b == types.IntType {
				result = types.IntType
			}
			add(name, a.TypeName()+b.TypeName(), result, a, b)
		})
	}
	add(operators.Modulo, "int", types.IntType, types.IntType, types.IntType)
	add(operators.Add, "string", types.StringType, types.StringType, types.StringType)
	add(operators.Add, "list", listOfAny, listOfAny, listOfAny)
	return out
}

func numberPairs(yield func(a, b *types.Type)) {
	for _, a := range numbers {
		for _, b := range numbers {
			yield(a, b)
		}
	}
}

// operator compiles an operator; the zero compiled means that it is none, or
// none for these operands.
func operator(name string, args []compiled) compiled {
	switch name {
	case operators.LogicalAnd:
		return boolean(and(args[0].boolean, args[1].boolean))
	case operators.LogicalOr:
		return boolean(or(args[0].boolean, args[1].boolean))
	case operators.LogicalNot:
		return boolean(not(args[0].boolean))
	case operators.NotStrictlyFalse:
		return boolean(notStrictlyFalse(args[0].boolean))
	case operators.Conditional:
		return conditional(args[0], args[1], args[2])
	case operators.Equals:
		return boolean(equal(args[0], args[1]))
	case operators.NotEquals:
		if same := equal(args[0], args[1]); same != nil {
			return boolean(not(same))
		}
		return compiled{}
	case operators.In:
		return boolean(isIn(args[0], args[1]))
	case operators.Index:
		return elementAt(args[0], args[1])
	case operators.Negate:
		return negate(args[0])
	}
	if decide, ok := orderings[name]; ok {
		return boolean(ordered(args[0], args[1], decide))
	}
	if onIntegers[name] != nil {
		return compute(args[0], args[1], name)
	}
	return compiled{}
}

func boolean(f fn[bool]) compiled {
	if f == nil {
		return compiled{}
	}
	return compiled{typ: types.BoolType, boolean: f}
}
