package expr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	re "regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/model"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
)

// plainCEL is cel-go as it comes, with its strings extension and the invoice as
// JSON.
func plainCEL(t *testing.T) *cel.Env {
	t.Helper()
	env, err := cel.NewEnv(ext.Strings(), cel.Variable("invoice", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// inCEL is what cel-go makes of an expression: "refused", "error" or the value.
func inCEL(t *testing.T, env *cel.Env, expression string, doc *model.Document) (string, ref.Val) {
	t.Helper()
	checked, issues := env.Compile(expression)
	if issues.Err() != nil {
		return "refused", nil
	}
	program, err := env.Program(checked)
	if err != nil {
		return "refused", nil
	}
	data, err := json.Marshal(doc.Invoice)
	if err != nil {
		t.Fatal(err)
	}
	var invoice map[string]any
	if err := json.Unmarshal(data, &invoice); err != nil {
		t.Fatal(err)
	}
	out, _, err := program.Eval(map[string]any{"invoice": invoice})
	if err != nil {
		return "error", nil
	}
	return fmt.Sprint(out.Value()), out
}

// here is what the closures make of it.
func here(v *evaluator, expression string, doc *model.Document) (string, any) {
	out, err := v.value(expression, doc, model.ObjectOf(doc.Invoice))
	switch {
	case errors.Is(err, errRefused):
		return "refused", err
	case errors.Is(err, budget.ErrSteps):
		return "too many steps", nil
	case err != nil:
		return "error", err
	}
	if d, ok := out.(model.Decimal); ok {
		return d.String(), out
	}
	return fmt.Sprint(out), out
}

var tableRow = re.MustCompile("(?m)^\\| ([A-Z]) \\| `(.*)` \\| (.*) \\| (.*) \\|$")

// What differs from CEL is listed, and differs as the list says.
func TestListedDifferences(t *testing.T) {
	data, err := os.ReadFile("../../docs/adr/0003-cel.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := tableRow.FindAllStringSubmatch(string(data), -1)
	v, _ := judges(t, shippedLibrary(t))
	env, doc := plainCEL(t), example(t, "base-ubl.xml")
	letters := map[string]bool{}
	for _, row := range rows {
		letter, expression, wantHere, wantCEL := row[1], row[2], row[3], row[4]
		letters[letter] = true
		if got, out := here(v, expression, doc); got != wantHere {
			t.Errorf("%s: %s gives %s here (%v), listed is %s", letter, expression, got, out, wantHere)
		} else if got == "refused" {
			checkHint(t, expression, out.(error))
		}
		if letter == "I" {
			continue // it would take gigabytes
		}
		if got, _ := inCEL(t, env, expression, doc); got != wantCEL {
			t.Errorf("%s: %s gives %s in CEL, listed is %s", letter, expression, got, wantCEL)
		}
		if wantHere == wantCEL {
			t.Errorf("%s: %s is not a difference", letter, expression)
		}
	}
	for _, letter := range slices.Sorted(maps.Keys(letters)) {
		if !strings.Contains(string(data), "- **"+letter+". ") {
			t.Errorf("%s is not explained", letter)
		}
	}
	if len(letters) < 9 || len(rows) < 20 {
		t.Errorf("only %d differences in %d rows", len(letters), len(rows))
	}
}

// checkHint asks that a refusal says where.
func checkHint(t *testing.T, expression string, err error) {
	t.Helper()
	var mistake *expr.Error
	if !errors.As(err, &mistake) || mistake.Line == 0 || mistake.Column == 0 {
		t.Errorf("%s is refused without a place: %v", expression, err)
	}
}

// notHere are the types that the rule language does not have (difference F), and
// the functions that convert to them.
var (
	notHere     = []string{"uint", "bytes", "map", "google.protobuf.Timestamp", "google.protobuf.Duration", "type", "dyn", "null_type"}
	conversions = []string{"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)

// refusedFor is the letter of the difference that an overload of cel-go's
// standard library falls under; "" if it is the same here.
func refusedFor(function string, overload string, types []*cel.Type) string {
	if slices.Contains(conversions, function) {
		return "F"
	}
	for _, t := range types {
		if slices.Contains(notHere, t.TypeName()) {
			return "F"
		}
	}
	if strings.HasSuffix(overload, "_bool") && strings.Contains(function, "<") || strings.Contains(function, ">") && strings.HasSuffix(overload, "_bool") {
		return "D"
	}
	return ""
}

// Every example of cel-go's standard library, and of the functions of its
// strings extension that are here, gives the same value; or it falls under a
// listed difference and is refused.
func TestStandardLibrary(t *testing.T) {
	v, _ := judges(t, shippedLibrary(t))
	env, doc := plainCEL(t), example(t, "base-ubl.xml")
	same, refused := 0, map[string]int{}
	for name, function := range env.Functions() {
		for _, o := range function.OverloadDecls() {
			letter := refusedFor(name, o.ID(), append(o.ArgTypes(), o.ResultType()))
			for _, expression := range examplesOf(o.Examples()) {
				celSays, want := inCEL(t, env, expression, doc)
				hereSays, got := here(v, expression, doc)
				switch {
				case celSays == "refused":
					// an example in words
				case hereSays == "refused" && (letter != "" || beyond(name, expression)):
					refused[letter]++
				case hereSays != celSays && !closeTo(got, want):
					t.Errorf("%s: %s gives %s (%v), in CEL %s", o.ID(), expression, hereSays, got, celSays)
				default:
					same++
				}
			}
		}
	}
	for _, expression := range extensionExamples {
		celSays, _ := inCEL(t, env, expression, doc)
		if hereSays, got := here(v, expression, doc); hereSays != celSays || celSays == "refused" {
			t.Errorf("%s gives %s (%v), in CEL %s", expression, hereSays, got, celSays)
		}
		same++
	}
	t.Logf("%d are the same, refused are %v", same, refused)
	if same < 75 {
		t.Errorf("only %d examples are the same", same)
	}
}

// extensionExamples are those of the strings extension's documentation, and what
// they leave out.
var extensionExamples = []string{
	`"tacocat".substring(4)`, `"tacocat".substring(0, 4)`, `"tacocat".substring(-1)`, `"tacocat".substring(2, 1)`,
	`"DE12345".substring(1, 3)`, `"ta©o©αT".substring(2, 6)`, `"tacocat".substring(7)`, `"tacocat".substring(8)`, `"tacocat".substring(2, 8)`,
	`"".substring(0, 0)`, `"hello hello".replace("he", "we")`, `"hello hello".replace("he", "we", -1)`, `"hello hello".replace("he", "we", 1)`,
	`"hello hello".replace("he", "we", 0)`, `"hello hello".replace("", "_")`, `"hello hello".replace("h", "")`, `"a.b".replace(".", "$0")`,
	`"hello hello hello".split(" ")`, `"hello hello hello".split(" ", 0)`, `"hello hello hello".split(" ", 1)`, `"hello hello hello".split(" ", 2)`,
	`"hello hello hello".split(" ", -1)`, `"a.b.c".split(".")`, `"aß😀".split("")`, `"".split(",")`,
}

// beyond reports whether an example of an overload that is here is about
// something else that is not: a function of the strings extension, or types in
// an operator for all types.
func beyond(name, expression string) bool {
	known := slices.ContainsFunc(expr.Functions(), func(f expr.FunctionDoc) bool { return f.Name == name })
	isOperator := strings.ContainsAny(name, "_@")
	return !known && !isOperator || strings.ContainsAny(expression, "{") || slices.ContainsFunc(conversions, func(c string) bool { return strings.Contains(expression, c+"(") })
}

var comment = re.MustCompile(`(?m)//.*$`)

// examplesOf cuts the examples of an overload into expressions.
func examplesOf(examples []string) (out []string) {
	for _, text := range examples {
		text = strings.ReplaceAll(comment.ReplaceAllString(text, ""), "\n  ", " ")
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "error") {
				out = append(out, line)
			}
		}
	}
	return out
}

// closeTo compares a decimal with the double that CEL has in its place
// (difference A), and lists by their elements.
func closeTo(got any, want ref.Val) bool {
	if want == nil {
		return false
	}
	if d, ok := got.(model.Decimal); ok {
		f, isDouble := want.(types.Double)
		exact, err := strconv.ParseFloat(d.String(), 64)
		return isDouble && err == nil && math.Abs(exact-float64(f)) < 1e-9
	}
	value, err := fromCEL(want)
	return err == nil && same(got, value)
}

// No function of the rule language has the name of one of cel-go's extension
// libraries, unless it is the same function.
func TestNamesOfExtensions(t *testing.T) {
	plain, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	extended, err := cel.NewEnv(ext.Strings(), ext.Math(), ext.Lists(), ext.Sets(), ext.Encoders(), ext.Bindings(),
		cel.OptionalTypes(), ext.Regex(), ext.TwoVarComprehensions(), ext.Protos(), ext.Network())
	if err != nil {
		t.Fatal(err)
	}
	theSame := []string{"substring", "replace", "split", "join", "distinct"} // TestStandardLibrary and the generated expressions compare them
	seen := 0
	for name := range extended.Functions() {
		if _, standard := plain.Functions()[name]; standard || slices.Contains(theSame, name) {
			continue
		}
		seen++
		if slices.ContainsFunc(expr.Functions(), func(f expr.FunctionDoc) bool { return f.Name == name }) {
			t.Errorf("%s is the name of an extension of cel-go", name)
		}
	}
	if seen < 30 {
		t.Errorf("only %d names were compared", seen)
	}
}
