package expr

import (
	"fmt"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
)

// elementAt compiles list[i]. As in CEL, an index that the list does not have is
// an error.
func elementAt(of, index compiled) compiled {
	if of.list == nil || index.integer == nil {
		return compiled{}
	}
	typ := of.typ.Parameters()[0]
	switch slotKind(typ) {
	case kindObject:
		return compiled{typ: typ, object: at(of.list, index.integer, func(l *list, i int) model.Object { return l.group(i) })}
	case kindElement:
		return compiled{typ: typ, element: at(of.list, index.integer, func(l *list, i int) source.Node { return l.all().elements[i] })}
	case kindText:
		return compiled{typ: typ, text: at(of.list, index.integer, func(l *list, i int) string { return l.all().texts[i] })}
	case kindDecimal:
		return compiled{typ: typ, decimal: at(of.list, index.integer, func(l *list, i int) model.Decimal { return l.all().decimals[i] })}
	case kindInteger:
		return compiled{typ: types.IntType, integer: at(of.list, index.integer, func(l *list, i int) int64 { return l.all().integers[i] })}
	}
	return compiled{}
}

func at[T any](of fn[list], index fn[int64], get func(*list, int) T) fn[T] {
	return func(act *Activation) (out T, ok bool) {
		l, ok := of(act)
		if !ok {
			return out, false
		}
		i, ok := index(act)
		if !ok {
			return out, false
		}
		if i < 0 || i >= int64(l.len()) {
			act.fail(errOther, nil, fmt.Sprintf("the list has no element %d, its last is %d", i, l.len()-1))
			return out, false
		}
		return get(&l, int(i)), true
	}
}
