package engine

import (
	"fmt"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// Functions about a term itself rather than its value. Their argument must be a
// term of the invoice, such as this.totals.paidAmount.
var termFunctions = []function{
	{"filled", "Whether a term is there and holds more than white space.", `filled(invoice.number) && !filled(invoice.buyerReference)`,
		ofTerm(types.BoolType, func(l *leaf) expr {
			return asBool(func(f *frame) (bool, bool) {
				o, ok := l.of(f)
				return ok && o.Has(l.field) && !model.NewText(o.Raw(l.field)).Blank(), ok
			})
		})},
	{"raw", "A term as it was written, before it became a number or a date.", `raw(invoice.totals.amountDueForPayment) == "119.00"`,
		ofTerm(types.StringType, func(l *leaf) expr {
			return asText(func(f *frame) (string, bool) {
				o, ok := l.of(f)
				if ok && !o.Has(l.field) {
					f.fail(errAbsent, l.field, "")
					return "", false
				}
				return o.Raw(l.field), ok
			})
		})},
	{"valid", "Whether a term is there and what is written is a value of its type.", `valid(invoice.issueDate) && !valid(invoice.vatPointDate)`,
		ofTerm(types.BoolType, func(l *leaf) expr {
			return asBool(func(f *frame) (bool, bool) {
				o, ok := l.of(f)
				return ok && validLeaf(o, l.field), ok
			})
		})},
	{"currencyOf", "The currency code written at an amount, empty if there is none.", `currencyOf(invoice.totals.taxTotalAmount) == "EUR"`,
		[]overload{{args: []*types.Type{decimalType}, result: types.StringType, compile: func(_ *Library, args []expr) (expr, error) {
			l := args[0].leaf
			if l == nil || l.field.Kind != model.KindAmount {
				return expr{}, fmt.Errorf("currencyOf needs an amount of the invoice, such as this.netAmount")
			}
			return asText(func(f *frame) (string, bool) {
				o, ok := l.of(f)
				if !ok {
					return "", false
				}
				return o.Amount(l.field).Currency.Raw, true
			}), nil
		}}}},
}

func validLeaf(o model.Object, f *model.Field) bool {
	switch f.Kind {
	case model.KindNumber, model.KindAmount:
		return o.Number(f).Valid
	case model.KindDate:
		return o.Date(f).Valid
	case model.KindBinary:
		_, err := o.Binary(f).Decode()
		return o.Has(f) && err == nil
	}
	return o.Has(f)
}

// ofTerm declares a function for terms of every type.
func ofTerm(result *types.Type, build func(*leaf) expr) []overload {
	var out []overload
	for _, t := range []*types.Type{types.StringType, decimalType, dateType, binaryType} {
		out = append(out, overload{args: []*types.Type{t}, result: result, compile: func(_ *Library, args []expr) (expr, error) {
			if args[0].leaf == nil {
				return expr{}, fmt.Errorf("this function needs a term of the invoice, such as this.number, not a computed value")
			}
			return build(args[0].leaf), nil
		}})
	}
	return out
}
