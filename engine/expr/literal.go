package expr

import (
	"strings"

	"einvoice/model"
	"einvoice/model/quote"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// exactNumbers makes every number with a point the exact decimal that its author
// wrote: 0.10 becomes decimal("0.10") before the checker sees it, so that there
// are no doubles in the rule language. It returns the first that is not a decimal.
func exactNumbers(parsed *ast.AST, text string) error {
	runes := []rune(text)
	factory := ast.NewExprFactory()
	info := parsed.SourceInfo()
	next := ast.MaxID(parsed)
	var mistake error
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind || e.AsLiteral().Type() != types.DoubleType || mistake != nil {
			return
		}
		at, _ := info.GetOffsetRange(e.ID())
		number := numberAt(runes, int(at.Start))
		if _, err := model.ParseDecimal(number); err != nil {
			where := info.GetStartLocation(e.ID())
			mistake = &Error{Line: where.Line(), Column: where.Column() + 1, Message: "write the number " + quote.Shorten(number, 40) + " with at most 200 digits and without an exponent"}
			return
		}
		literal := factory.NewLiteral(next, types.String(number))
		info.SetOffsetRange(next, at)
		next++
		e.SetKindCase(factory.NewCall(e.ID(), "decimal", literal))
	}))
	return mistake
}

// numberAt is the number with a point, an exponent or both that begins at a
// place of the text.
func numberAt(text []rune, start int) string {
	var b strings.Builder
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E':
		case (c == '-' || c == '+') && (b.Len() == 0 || text[i-1] == 'e' || text[i-1] == 'E'):
		case (c == ' ' || c == '\t' || c == '\r' || c == '\n') && b.String() == "-":
			continue // between the sign and the digits
		default:
			return b.String()
		}
		b.WriteRune(text[i])
	}
	return b.String()
}
