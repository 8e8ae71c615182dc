package expr_test

import (
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	re "regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/model"

	celexpr "cel.dev/expr"
	_ "cel.dev/expr/conformance/proto2" // types that the files name
	_ "cel.dev/expr/conformance/proto3"
	spec "cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/prototext"
)

var celSpec = flag.String("cel-spec", "", "the folder tests/simple/testdata of a checkout of google/cel-spec")

// noInfinity are the cases whose result is no number: decimals have neither infinity nor NaN,
// and a division by zero is an error.
var noInfinity = []string{
	"comparisons/eq_literal/not_eq_double_nan", "comparisons/ne_literal/not_ne_double_nan",
	"comparisons/ne_literal/ne_double_nan", "fp_math/fp_math/divide_zero",
}

// quotedWord is what differs between refusals of a kind.
var quotedWord = re.MustCompile(`["'\x60][^"'\x60]*["'\x60]|\b[a-z0-9_.]+[_.][A-Za-z0-9_.]+|[-0-9.]+`)

// Every case of cel-spec is refused with a reason, or has the value that the specification
// gives it. What is refused is counted by reason.
func TestCELSpec(t *testing.T) {
	if *celSpec == "" {
		t.Skip("say where cel-spec is: -cel-spec FOLDER")
	}
	files, err := filepath.Glob(filepath.Join(*celSpec, "*.textproto"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.textproto in %s: %v", *celSpec, err)
	}
	v, doc := &evaluator{env: environment()}, &model.Document{Invoice: &model.Invoice{}}
	counts, refused := map[string]int{}, map[string]int{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := &spec.SimpleTestFile{}
		if err := prototext.Unmarshal(data, file); err != nil {
			t.Fatal(name, err)
		}
		for _, section := range file.GetSection() {
			for _, c := range section.GetTest() {
				counts["cases"]++
				if len(c.GetBindings()) > 0 || len(c.GetTypeEnv()) > 0 {
					counts["with variables, which rules do not have"]++
					continue
				}
				where := file.GetName() + "/" + section.GetName() + "/" + c.GetName()
				got, err := v.value(c.GetExpr(), doc, model.ObjectOf(doc.Invoice))
				switch {
				case errors.Is(err, errRefused):
					counts["refused"]++
					reason := strings.TrimPrefix(err.Error(), errRefused.Error()+": ")
					refused[quotedWord.ReplaceAllString(reason, "…")]++
				case errors.Is(err, budget.ErrSteps):
					t.Errorf("%s: %s needs too many steps", where, c.GetExpr())
				case c.GetEvalError() != nil || c.GetAnyEvalErrors() != nil:
					if counts["evaluated"]++; err == nil {
						t.Errorf("%s: %s gives %v; it is an error in CEL", where, c.GetExpr(), got)
					}
				case slices.Contains(noInfinity, where):
					if counts["without infinity and NaN"]++; err == nil {
						t.Errorf("%s: %s gives %v, and should be an error", where, c.GetExpr(), got)
					}
				case err != nil:
					t.Errorf("%s: %s: %v", where, c.GetExpr(), err)
				default:
					want := c.GetValue()
					if want == nil {
						want = c.GetTypedResult().GetResult()
					}
					if counts["evaluated"]++; want == nil && got != true || want != nil && !isValue(got, want) {
						t.Errorf("%s: %s gives %v, want %v", where, c.GetExpr(), got, want)
					}
				}
			}
		}
	}
	t.Log(counts)
	for _, reason := range slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] }) {
		t.Logf("%4d refused: %s", refused[reason], reason)
	}
	if counts["evaluated"] < 300 {
		t.Errorf("only %d cases were evaluated", counts["evaluated"])
	}
}

// isValue compares a value with that of the specification. Its doubles are decimals here.
func isValue(got any, want *celexpr.Value) bool {
	switch w := want.GetKind().(type) {
	case *celexpr.Value_BoolValue:
		return got == w.BoolValue
	case *celexpr.Value_Int64Value:
		return got == w.Int64Value
	case *celexpr.Value_StringValue:
		return got == w.StringValue
	case *celexpr.Value_DoubleValue:
		d, is := got.(model.Decimal)
		return is && d.Equal(model.NewNumber(strconv.FormatFloat(w.DoubleValue, 'f', -1, 64)).Value)
	case *celexpr.Value_ListValue:
		list, is := got.([]any)
		return is && slices.EqualFunc(list, w.ListValue.GetValues(), isValue)
	}
	return false
}
