package xpath

import (
	"fmt"
	"math"
	"strconv"

	"einvoice/model/source"

	antchfx "github.com/antchfx/xpath"
)

// A navigator can describe the node that it is at.
type navigator interface {
	antchfx.NodeNavigator
	found() Found
}

// evaluateAntchfx evaluates an expression, which misread trusts antchfx/xpath
// with, from where a navigator is.
func (x *Expression) evaluateAntchfx(e *Evaluation, from navigator) (out *Result, err error) {
	if err := misread(&x.x); err != nil {
		return nil, err
	}
	compiled, err := antchfx.CompileWithNS(x.Text, source.Prefixes)
	if err != nil {
		return nil, &Error{Column: 1, Message: err.Error()}
	}
	defer func() { // it panics at arguments of a wrong type; misread refuses those that are known
		if cause := recover(); cause != nil {
			err = fmt.Errorf("antchfx/xpath cannot evaluate this: %v", cause)
		}
	}()
	out = &Result{}
	switch found := compiled.Evaluate(from).(type) {
	case bool:
		out.Value = strconv.FormatBool(found)
	case float64:
		out.Value = textOfFloat(found)
	case string:
		out.Value = found
	case *antchfx.NodeIterator:
		out.IsSet = true
		for found.MoveNext() && !e.Budget.Stopped() {
			out.Nodes = append(out.Nodes, found.Current().(navigator).found())
		}
		out.sort()
	}
	return out, e.Budget.Err()
}

// textOfFloat is how XPath writes a floating-point number.
func textOfFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]
	case f == 0:
		return "0"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
