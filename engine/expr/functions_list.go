package expr

import (
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// Functions of lists.
var listFunctions = []function{
	{"size", "How many elements a list has, or how many characters a text.", `invoice.lines.size() >= 1 && "añb".size() == 3 && size([1, 2]) == 2`,
		[]overload{
			member(sizeOfText, types.IntType, types.StringType),
			member(sizeOfList, types.IntType, listOfAny),
			global(sizeOfText, types.IntType, types.StringType),
			global(sizeOfList, types.IntType, listOfAny),
		}},
	{"nested", "The groups of a list, each followed by those of its own kind inside it, at any depth: lines with their sub lines.", `invoice.lines.nested().size() >= invoice.lines.size()`,
		[]overload{{member: true, args: []*types.Type{listOfAny}, result: listOfAny, compile: compileNested}}},
	{"isDistinct", "Whether no text occurs twice in a list.", `["a", "b"].isDistinct() && !["a", "a"].isDistinct()`,
		[]overload{member(func(a []compiled) compiled { return asBool(isDistinct(a[0].list)) }, types.BoolType, listOfText)}},
	{"join", "The texts of a list, one after the other, with a text between them.", `["a", "b"].join("-") == "a-b" && ["a", "b"].join() == "ab"`,
		[]overload{
			member(func(a []compiled) compiled { return asText(joinOf(a[0].list, nil)) }, types.StringType, listOfText),
			member(func(a []compiled) compiled { return asText(joinOf(a[0].list, a[1].text)) }, types.StringType, listOfText, types.StringType),
		}},
	{"distinct", "The texts of a list, each once.", `["a", "b", "a"].distinct().size() == 2`,
		[]overload{member(func(a []compiled) compiled { return asList(distinctOf(a[0].list)) }, listOfText, listOfText)}},
	{"firstOr", "The first text of a list, or a default if it is empty.", `["a", "b"].firstOr("") == "a"`,
		[]overload{member(func(a []compiled) compiled {
			return asText(map2(a[0].list, a[1].text, func(l list, otherwise string) string {
				if texts := l.all().texts; len(texts) > 0 {
					return texts[0]
				}
				return otherwise
			}))
		}, types.StringType, listOfText, types.StringType)}},
	{"lastOr", "The last text of a list, or a default if it is empty.", `["a", "b"].lastOr("") == "b"`,
		[]overload{member(func(a []compiled) compiled {
			return asText(map2(a[0].list, a[1].text, func(l list, otherwise string) string {
				if texts := l.all().texts; len(texts) > 0 {
					return texts[len(texts)-1]
				}
				return otherwise
			}))
		}, types.StringType, listOfText, types.StringType)}},
}

func sizeOfText(a []compiled) compiled {
	return asInt(texts1(a[0].text, func(s string) int64 { return int64(utf8.RuneCountInString(s)) }))
}

func sizeOfList(a []compiled) compiled {
	return asInt(map1(a[0].list, func(l list) int64 { return int64(l.len()) }))
}

func compileNested(_ *Environment, args []compiled) (compiled, error) {
	over := args[0].list
	return compiled{typ: args[0].typ, list: func(act *Activation) (list, bool) {
		l, ok := over(act)
		if !ok || !act.hasNested(&l) {
			return l, ok
		}
		out := list{items: new(items)}
		for i := range l.lenGroups() {
			if !act.addNested(&out, l.group(i)) {
				return list{}, false
			}
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

func (act *Activation) hasNested(l *list) bool {
	for i := range l.lenGroups() {
		o := l.group(i)
		field := nestedIn(o.Type)
		if field == nil || !act.step() {
			return false
		}
		if inner := o.List(field); inner.Len() > 0 {
			return true
		}
	}
	return false
}

func (act *Activation) addNested(out *list, o model.Object) bool {
	if !act.step() {
		return false
	}
	out.items.groups = append(out.items.groups, o)
	field := nestedIn(o.Type)
	if field == nil {
		return true
	}
	inner := o.List(field)
	for i := range inner.Len() {
		if !act.addNested(out, inner.At(i)) {
			return false
		}
	}
	return true
}

func isDistinct(over fn[list]) fn[bool] {
	return func(act *Activation) (bool, bool) {
		l, ok := over(act)
		if !ok {
			return false, false
		}
		seen := make(map[string]bool)
		for _, s := range l.all().texts {
			if !act.step() || !act.pay(len(s)) {
				return false, false
			}
			if seen[s] {
				return false, true
			}
			seen[s] = true
		}
		return true, true
	}
}

func joinOf(over fn[list], between fn[string]) fn[string] {
	return func(act *Activation) (string, bool) {
		l, ok := over(act)
		if !ok {
			return "", false
		}
		separator := ""
		if between != nil {
			if separator, ok = between(act); !ok {
				return "", false
			}
		}
		texts := l.all().texts
		size := len(separator) * len(texts)
		for _, s := range texts {
			size += len(s)
		}
		if !act.pay(written * size) {
			return "", false
		}
		return strings.Join(texts, separator), true
	}
}

func distinctOf(over fn[list]) fn[list] {
	return func(act *Activation) (list, bool) {
		l, ok := over(act)
		if !ok || l.len() == 0 {
			return l, ok
		}
		var out list
		to := out.own(act)
		var seen map[string]bool // of a long list
		if l.len() > 16 {
			seen = make(map[string]bool)
		}
		for _, s := range l.all().texts {
			if !act.step() || !act.pay(len(s)) {
				return list{}, false
			}
			if seen[s] || seen == nil && slices.Contains(to.texts, s) {
				continue
			}
			if to.texts = append(to.texts, s); seen != nil {
				seen[s] = true
			}
		}
		return out, true
	}
}
