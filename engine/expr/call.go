package expr

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

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
				out[f.name] = append(out[f.name], cel.Overload(id, o.args, o.result))
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
	out, err := s.operator(n.name, args)
	if err == nil && out.typ == nil {
		out, err = s.function(n.name, args)
	}
	if err != nil {
		return compiled{}, n.errorf("%v", err)
	}
	return out, nil
}

func boolean(f fn[bool]) compiled {
	if f == nil {
		return compiled{}
	}
	return compiled{typ: types.BoolType, boolean: f}
}

// operator compiles an operator; the zero compiled means that it is none, or none
// for these operands.
func (s *scope) operator(name string, args []compiled) (compiled, error) {
	switch name {
	case opAnd:
		return boolean(and(args[0].boolean, args[1].boolean)), nil
	case opOr:
		return boolean(or(args[0].boolean, args[1].boolean)), nil
	case opNot:
		return boolean(not(args[0].boolean)), nil
	case opTruth:
		x := args[0].boolean
		return boolean(func(act *Activation) (bool, bool) {
			v, ok := x(act)
			return v || !ok, !act.stopped()
		}), nil
	case opConditional:
		return conditional(args[0], args[1], args[2]), nil
	case opEqual:
		return boolean(equal(args[0], args[1])), nil
	case opNotEqual:
		if eq := equal(args[0], args[1]); eq != nil {
			return boolean(not(eq)), nil
		}
		return compiled{}, nil
	case opIn:
		return boolean(contains(args[0], args[1])), nil
	case opNegate:
		if i, ok := args[0].literal.(int64); ok {
			return integerLiteral(-i), nil
		}
		return compute(integerLiteral(0), args[0], "_-_"), nil
	}
	if decide, ok := orderings[name]; ok {
		return boolean(ordered(args[0], args[1], decide)), nil
	}
	if _, ok := arithmetic[name]; ok {
		return compute(args[0], args[1], name), nil
	}
	return compiled{}, nil
}

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

// explain turns the checker's message into one for people who write rules, with
// the nearest field name where one was misspelt.
func explain(message string, this This) string {
	field, found := strings.CutPrefix(message, "undefined field '")
	if !found {
		return message
	}
	field = strings.TrimSuffix(field, "'")
	for _, name := range []string{this.typ.TypeName(), "Invoice"} {
		if t := provider().byName[name]; t != nil {
			if near := t.Nearest(field); near != "" {
				return message + ": did you mean " + near + "?"
			}
		}
	}
	return message
}
