package expr

import (
	"errors"
	"fmt"

	"einvoice/engine/xpath"
	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

var errNoTerm = errors.New("this function needs a term of the invoice, such as this.number, not a computed value")

// Functions about a term itself rather than its value. Their argument must be a
// term of the invoice, such as this.totals.paidAmount.
var termFunctions = []function{
	{"filled", "Whether a term is there and holds more than white space.", `filled(invoice.number) && !filled(invoice.buyerReference)`,
		ofTerm(types.BoolType, func(l *term) compiled {
			return asBool(func(act *Activation) (bool, bool) {
				o, ok := l.of(act)
				return ok && o.Has(l.field) && !model.NewText(o.Raw(l.field)).Blank(), ok
			})
		})},
	{"is", "Whether a term is there and holds this text, white space around it aside.", `is(invoice.typeCode, "380") && !is(invoice.buyerReference, "380")`,
		[]overload{{args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileIs}}},
	{"orElse", "A term, or a default where it is absent.", `orElse(invoice.totals.paidAmount, 0) == 0 && orElse(invoice.buyerReference, "none") == "none"`,
		[]overload{
			{args: []*types.Type{decimalType, decimalType}, result: decimalType, compile: compileOrElse},
			{args: []*types.Type{decimalType, types.IntType}, result: decimalType, compile: compileOrElse},
			{args: []*types.Type{types.StringType, types.StringType}, result: types.StringType, compile: compileOrElse},
		}},
	{"raw", "A term as it was written, before it became a number or a date. A date is written 2026-11-20 in UBL and 20261120 in CII: compare dates as dates.", `raw(invoice.totals.amountDueForPayment) == "119.00"`,
		ofTerm(types.StringType, func(l *term) compiled {
			return asText(func(act *Activation) (string, bool) {
				o, ok := l.of(act)
				if ok && !o.Has(l.field) {
					act.fail(errAbsent, l.field, "")
					return "", false
				}
				return o.Raw(l.field), ok
			})
		})},
	{"valid", "Whether a term is there and what is written is a value of its type.", `valid(invoice.issueDate) && !valid(invoice.vatPointDate)`,
		ofTerm(types.BoolType, func(l *term) compiled {
			return asBool(func(act *Activation) (bool, bool) {
				o, ok := l.of(act)
				return ok && validTerm(o, l.field), ok
			})
		})},
	{"currencyOf", "The currency code written at an amount, empty if there is none.", `currencyOf(invoice.totals.taxTotalAmount) == "EUR"`,
		[]overload{{args: []*types.Type{decimalType}, result: types.StringType, compile: func(_ *Environment, args []compiled) (compiled, error) {
			l := args[0].term
			if l == nil || l.field.Kind != model.KindAmount {
				return compiled{}, fmt.Errorf("currencyOf needs an amount of the invoice, such as this.netAmount")
			}
			return asText(func(act *Activation) (string, bool) {
				o, ok := l.of(act)
				if !ok {
					return "", false
				}
				return o.Amount(l.field).Currency.Raw, true
			}), nil
		}}}},
}

func validTerm(o model.Object, f *model.Field) bool {
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

func compileIs(_ *Environment, args []compiled) (compiled, error) {
	l := args[0].term
	if l == nil {
		return compiled{}, errNoTerm
	}
	want := args[1].text
	return asBool(func(act *Activation) (bool, bool) {
		o, ok := l.of(act)
		if !ok || !o.Has(l.field) {
			return false, ok
		}
		s, ok := want(act)
		return ok && xpath.NormalizeSpace(o.Raw(l.field)) == s, ok
	}), nil
}

// compileOrElse reads the default only where the term is absent; a term that
// holds no value of its type is not absent.
func compileOrElse(_ *Environment, args []compiled) (compiled, error) {
	l := args[0].term
	if l == nil {
		return compiled{}, errNoTerm
	}
	present := func(act *Activation) (bool, bool) {
		o, ok := l.of(act)
		return ok && o.Has(l.field), ok
	}
	if args[0].text != nil {
		return asText(choose(present, args[0].text, args[1].text)), nil
	}
	return asNumber(choose(present, args[0].decimal, asDecimal(args[1]))), nil
}

// ofTerm declares a function for terms of every type.
func ofTerm(result *types.Type, build func(*term) compiled) []overload {
	var out []overload
	for _, t := range []*types.Type{types.StringType, decimalType, dateType, binaryType} {
		out = append(out, overload{args: []*types.Type{t}, result: result, compile: func(_ *Environment, args []compiled) (compiled, error) {
			if args[0].term == nil {
				return compiled{}, errNoTerm
			}
			return build(args[0].term), nil
		}})
	}
	return out
}
