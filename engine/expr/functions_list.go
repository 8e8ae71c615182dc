package expr

import (
	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// Functions of lists.
var listFunctions = []function{
	{"size", "How many elements a list has, or how many characters a text.", `invoice.lines.size() >= 1 && "añb".size() == 3`,
		[]overload{
			member(ofText(func(s string) int64 { return int64(len([]rune(s))) }, asInt), types.IntType, types.StringType),
			member(func(a []compiled) compiled { return asInt(map1(a[0].list, listSize)) }, types.IntType, types.NewListType(anyType)),
		}},
	{"nested", "The groups of a list, each followed by those of its own kind inside it, at any depth: lines with their sub lines.", `invoice.lines.nested().size() >= invoice.lines.size()`,
		[]overload{{member: true, args: []*types.Type{listOfAny}, result: listOfAny, compile: compileNested}}},
	{"isDistinct", "Whether no text occurs twice in a list.", `["a", "b"].isDistinct() && !["a", "a"].isDistinct()`,
		[]overload{member(func(a []compiled) compiled { return asBool(map1(a[0].list, isDistinct)) }, types.BoolType, listOfText)}},
	{"first", "The first text of a list, or a default if it is empty.", `["a", "b"].first("") == "a"`,
		[]overload{member(func(a []compiled) compiled {
			return asText(map2(a[0].list, a[1].text, func(l list, otherwise string) string {
				if len(l.strs) == 0 {
					return otherwise
				}
				return l.strs[0]
			}))
		}, types.StringType, listOfText, types.StringType)}},
	{"last", "The last text of a list, or a default if it is empty.", `["a", "b"].last("") == "b"`,
		[]overload{member(func(a []compiled) compiled {
			return asText(map2(a[0].list, a[1].text, func(l list, otherwise string) string {
				if len(l.strs) == 0 {
					return otherwise
				}
				return l.strs[len(l.strs)-1]
			}))
		}, types.StringType, listOfText, types.StringType)}},
}

// listSize counts whichever part of the list is in use; the others are empty.
func listSize(l list) int64 {
	return int64(l.lenObjs() + len(l.strs) + len(l.decs) + len(l.nodes))
}

func compileNested(_ *Environment, args []compiled) (compiled, error) {
	over := args[0].list
	return compiled{typ: args[0].typ, list: func(act *Activation) (list, bool) {
		l, ok := over(act)
		if !ok || !hasNested(&l) {
			return l, ok
		}
		out := list{picked: true}
		for i := range l.lenObjs() {
			addNested(&out, l.objAt(i))
		}
		return out, true
	}}, nil
}

// nestedIn is the field of a type that holds a list of that same type, nil if
// there is none.
func nestedIn(t *model.Type) *model.Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Kind == model.KindList && f.Elem == t {
			return f
		}
	}
	return nil
}

func hasNested(l *list) bool {
	for i := range l.lenObjs() {
		o := l.objAt(i)
		field := nestedIn(o.Type)
		if field == nil {
			return false
		}
		if inner := o.List(field); inner.Len() > 0 {
			return true
		}
	}
	return false
}

func addNested(out *list, o model.Object) {
	out.objs = append(out.objs, o)
	field := nestedIn(o.Type)
	if field == nil {
		return
	}
	inner := o.List(field)
	for i := range inner.Len() {
		addNested(out, inner.At(i))
	}
}

func isDistinct(l list) bool {
	seen := make(map[string]bool, len(l.strs))
	for _, s := range l.strs {
		if seen[s] {
			return false
		}
		seen[s] = true
	}
	return true
}
