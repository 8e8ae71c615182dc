package expr_test

import (
	"fmt"
	"math/rand/v2"
	re "regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/model"
	"einvoice/model/sampled"
)

// A generator writes well-typed expressions of the rule language, the same ones
// for the same seed.
type generator struct {
	*rand.Rand
	groups   []groupVar // variables that hold groups
	elements []string   // and elements of the source document
	values   map[kind][]string
	loops    int
}

type groupVar struct {
	name string
	typ  *model.Type
}

type kind int

const (
	boolean kind = iota
	integer
	decimal
	str
	date
)

func newGenerator(seed uint64, this any) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 16931)), values: map[kind][]string{}}
	g.groups = append(g.groups, groupVar{"invoice", model.InvoiceType()})
	if o, ok := this.(model.Object); ok {
		g.groups = append(g.groups, groupVar{"this", o.Type})
	} else {
		g.elements = append(g.elements, "this")
	}
	return g
}

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// expression is one of a kind; the deeper, the simpler.
func (g *generator) expression(k kind, depth int) string {
	if vars := g.values[k]; len(vars) > 0 && g.IntN(4) == 0 {
		return pick(g, vars...)
	}
	if depth <= 0 {
		return g.leaf(k)
	}
	if g.IntN(8) == 0 {
		return fmt.Sprintf("(%s ? %s : %s)", g.expression(boolean, depth-1), g.expression(k, depth-1), g.expression(k, depth-1))
	}
	switch k {
	case boolean:
		return g.condition(depth - 1)
	case integer:
		return g.integer(depth - 1)
	case decimal:
		return g.decimal(depth - 1)
	case str:
		return g.text(depth - 1)
	}
	return g.date(depth - 1)
}

func (g *generator) date(depth int) string {
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("addDays(%s, %s)", g.expression(date, depth), pick(g, "0", "1", "-1", "31", "-366", "146097", "5000000", g.expression(integer, depth)))
	case 1:
		return "firstOfMonth(" + g.expression(date, depth) + ")"
	case 2:
		return "lastOfMonth(" + g.expression(date, depth) + ")"
	}
	return g.leaf(date)
}

// leaf is a literal or a term.
func (g *generator) leaf(k kind) string {
	switch k {
	case boolean:
		if g.IntN(2) == 0 {
			return pick(g, "true", "false")
		}
		group, field := g.field(func(*model.Field) bool { return true })
		return "has(" + group + "." + field.Name + ")"
	case integer:
		return pick(g, "0", "1", "2", "-1", "7", "97", "0x1F", "9223372036854775807", "-9223372036854775808", "4611686018427387904")
	case decimal:
		if g.IntN(2) == 0 {
			return pick(g, "0.0", "0.10", "2.5", "-2.5", "19.0", "1000000.01", "0.000000000000000001", "123456789012345678901234567890.5")
		}
		return g.term(model.KindNumber, model.KindAmount)
	case str:
		if g.IntN(2) == 0 {
			return pick(g, `""`, `"S"`, `"EUR"`, `" 380 "`, `"ä€😀b"`, `r'a\b'`, `"x,y,,z"`, `'12.50'`, `"2026-11-20"`, `"DE12345"`, `"A\tb\n"`)
		}
		return g.term(model.KindText)
	}
	if g.IntN(2) == 0 {
		return `date(` + pick(g, `"2026-11-20"`, `"2026-12-01Z"`, `"no date".lowerCase()`) + `)`
	}
	return g.term(model.KindDate)
}

// group is an expression of a group.
func (g *generator) group() (string, *model.Type) {
	v := pick(g, g.groups...)
	text, t := v.name, v.typ
	for range g.IntN(3) {
		f := &t.Fields[g.IntN(len(t.Fields))]
		if f.Extension != "" { // the documents have none of an extension
			continue
		}
		switch f.Kind {
		case model.KindGroup:
			text, t = text+"."+f.Name, f.Elem
		case model.KindList:
			text, t = text+"."+f.Name+"["+pick(g, "0", "0", "1", "-1")+"]", f.Elem
		}
	}
	return text, t
}

// field is a group and a field of it that fits.
func (g *generator) field(fits func(*model.Field) bool) (string, *model.Field) {
	for {
		group, t := g.group()
		if f := &t.Fields[g.IntN(len(t.Fields))]; f.Extension == "" && fits(f) {
			return group, f
		}
	}
}

func (g *generator) term(kinds ...model.Kind) string {
	group, f := g.field(func(f *model.Field) bool {
		for _, k := range kinds {
			if f.Kind == k {
				return true
			}
		}
		return false
	})
	return group + "." + f.Name
}

func (g *generator) anyTerm() string {
	return g.term(model.KindText, model.KindNumber, model.KindAmount, model.KindDate, model.KindBinary)
}

func (g *generator) condition(depth int) string {
	two := func(k kind, operators ...string) string {
		return fmt.Sprintf("(%s %s %s)", g.expression(k, depth), pick(g, operators...), g.expression(k, depth))
	}
	switch g.IntN(14) {
	case 0:
		return "!" + g.expression(boolean, depth)
	case 1, 2:
		return two(boolean, "&&", "||", "&&", "||", "==", "!=")
	case 3:
		return two(pick(g, integer, decimal, str, date), "==", "!=", "<", "<=", ">", ">=")
	case 4:
		return fmt.Sprintf("(%s %s %s)", g.expression(pick(g, integer, decimal), depth), pick(g, "==", "!=", "<", "<=", ">", ">="), g.expression(pick(g, integer, decimal), depth))
	case 5:
		k := pick(g, integer, decimal, str)
		return fmt.Sprintf("(%s in %s)", g.expression(k, depth), g.list(k, depth))
	case 6, 7:
		return g.quantified(depth)
	case 8:
		return g.expression(str, depth) + pick(g, ".startsWith(", ".endsWith(", ".contains(") + g.expression(str, depth) + ")"
	case 9:
		return g.expression(str, depth) + pick(g, `.matches("^[A-Z]{2}")`, `.matches("\\s")`, `.isDecimal()`, `.isDate()`, `.isInCodeList("iso-4217")`)
	case 10:
		return pick(g, "filled(", "valid(") + g.anyTerm() + ")"
	case 11:
		return "is(" + g.term(model.KindText) + ", " + g.expression(str, depth) + ")"
	case 12:
		return g.list(str, depth) + ".isDistinct()"
	}
	if len(g.elements) == 0 {
		return g.leaf(boolean)
	}
	return pick(g, g.elements...) + pick(g, `.has("cbc:ID")`, `.has("@currencyID")`, `.inside("cac:InvoiceLine")`, `.has("ram:ID")`, `.elements("*").has("cbc:ID")`, `.has("cbc:Note | ancestor::cac:InvoiceLine")`)
}

// quantified is a macro over groups, elements or values.
func (g *generator) quantified(depth int) string {
	return g.over(depth, func(name string, list string) string {
		return fmt.Sprintf("%s.%s(%s, %s)", list, pick(g, "all", "exists", "exists_one"), name, g.expression(boolean, depth))
	})
}

// over writes a loop with a variable of its own.
func (g *generator) over(depth int, write func(name, list string) string) string {
	if g.loops == 3 {
		return write("unused", `["a"]`)
	}
	name := "v" + strconv.Itoa(g.loops)
	g.loops++
	defer func() { g.loops-- }()
	if len(g.elements) > 0 && g.IntN(3) == 0 {
		list := g.elementList()
		g.elements = append(g.elements, name)
		defer func() { g.elements = g.elements[:len(g.elements)-1] }()
		return write(name, list)
	}
	if g.IntN(3) > 0 {
		list, t := g.groupList(depth)
		g.groups = append(g.groups, groupVar{name, t})
		defer func() { g.groups = g.groups[:len(g.groups)-1] }()
		return write(name, list)
	}
	k := pick(g, integer, decimal, str)
	list := g.list(k, depth)
	g.values[k] = append(g.values[k], name)
	defer func() { g.values[k] = g.values[k][:len(g.values[k])-1] }()
	return write(name, list)
}

func (g *generator) groupList(depth int) (string, *model.Type) {
	group, f := g.field(func(f *model.Field) bool { return f.Kind == model.KindList })
	text := group + "." + f.Name
	switch g.IntN(5) {
	case 0:
		text += ".nested()"
	case 1:
		text = "(" + text + " + " + text + ")"
	case 2:
		if g.loops < 3 {
			name := "f" + strconv.Itoa(g.loops)
			g.loops++
			g.groups = append(g.groups, groupVar{name, f.Elem})
			text = fmt.Sprintf("%s.filter(%s, %s)", text, name, g.expression(boolean, depth-1))
			g.groups = g.groups[:len(g.groups)-1]
			g.loops--
		}
	}
	return text, f.Elem
}

func (g *generator) elementList() string {
	return pick(g, g.elements...) + pick(g, `.elements("cac:InvoiceLine")`, `.elements("*")`, `.elements("//cbc:ID")`, `.elements("..")`, `.elements("//ram:TypeCode")`, `.elements("cac:InvoiceLine | ancestor::* | //cbc:ID/..")`, `.elements("following-sibling::*")`, `.elements("*").elements("preceding-sibling::*[1] | *")`, `.elements("cac:InvoiceLine").elements("cac:Item")`)
}

// list is a list of values.
func (g *generator) list(k kind, depth int) string {
	switch g.IntN(6) {
	case 0:
		if depth > 0 && g.loops < 3 {
			return g.over(depth-1, func(name, list string) string {
				if g.IntN(2) == 0 {
					return fmt.Sprintf("%s.map(%s, %s)", list, name, g.expression(k, depth-1))
				}
				return fmt.Sprintf("%s.map(%s, %s, %s)", list, name, g.expression(boolean, depth-1), g.expression(k, depth-1))
			})
		}
	case 1:
		if depth > 0 {
			return "(" + g.list(k, depth-1) + " + " + g.list(k, depth-1) + ")"
		}
	case 2:
		if k == str {
			return g.expression(str, depth-1) + pick(g, `.split(",")`, `.split("")`, `.split(",", 2)`, `.split(",", 0)`, `.split("é", -5)`, `.splitMatches("[,.]")`)
		}
	case 3:
		if k == str && len(g.elements) > 0 {
			return pick(g, g.elements...) + pick(g, `.texts("cac:InvoiceLine/cbc:ID")`, `.texts("//@currencyID")`, `.texts("ram:ID")`, `.texts("cbc:Note | cbc:ID")`, `.elements("*").texts("cbc:ID")`, `.texts("//@currencyID").distinct()`)
		}
	}
	text := "[" + g.expression(k, depth-1)
	for range g.IntN(3) {
		text += ", " + g.expression(k, depth-1)
	}
	return text + "]"
}

func (g *generator) integer(depth int) string {
	if g.IntN(12) == 0 {
		return fmt.Sprintf("daysBetween(%s, %s)", g.expression(date, depth), g.expression(date, depth))
	}
	switch g.IntN(9) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", g.expression(integer, depth), pick(g, "+", "-", "*", "/", "%"), g.expression(integer, depth))
	case 3:
		return "-(" + g.expression(integer, depth) + ")"
	case 4:
		if g.IntN(2) == 0 {
			return "size(" + g.expression(str, depth) + ")"
		}
		return g.expression(str, depth) + ".size()"
	case 5:
		k := pick(g, integer, decimal, str)
		if g.IntN(2) == 0 {
			return "size(" + g.list(k, depth) + ")"
		}
		list, _ := g.groupList(depth)
		return list + ".size()"
	case 6:
		return g.list(integer, depth) + "[" + g.expression(integer, 0) + "]"
	case 7:
		return "fractionDigits(" + g.expression(decimal, depth) + ")"
	}
	if len(g.elements) > 0 && g.IntN(2) == 0 {
		return pick(g, g.elements...) + pick(g, `.count("cac:InvoiceLine")`, `.count("//cbc:ID")`, `.count("*")`, `.count("cbc:Note | cbc:ID")`, `.elements("*").count("*")`)
	}
	return g.expression(str, depth) + ".mod97()"
}

// literalText is a text in quotation marks and nothing else.
var literalText = re.MustCompile(`^r?("[^"]*"|'[^']*')$`)

func (g *generator) decimal(depth int) string {
	switch g.IntN(10) {
	case 0, 1, 2:
		a, b := decimal, pick(g, decimal, integer)
		if g.IntN(2) == 0 {
			a, b = b, a
		}
		return fmt.Sprintf("(%s %s %s)", g.expression(a, depth), pick(g, "+", "-", "*", "/"), g.expression(b, depth)) + pick(g, "", " * 1.0")
	case 3:
		return "-(" + g.expression(decimal, depth) + ")"
	case 4:
		return pick(g, "abs(", "binary(") + g.expression(decimal, depth) + ")"
	case 5:
		return pick(g, "roundHalfUp(", "roundXPath(") + g.expression(decimal, depth) + ", " + pick(g, "0", "2", "-1", "5000", "3") + ")"
	case 6:
		of := g.expression(pick(g, str, integer), depth)
		if literalText.MatchString(of) {
			if _, err := model.ParseDecimal(strings.Trim(of, `r"'`)); err != nil { // refused when the rule loads
				of += `.substringAfter("")`
			}
		}
		return "decimal(" + of + ")"
	case 7:
		return "orElse(" + g.term(model.KindNumber, model.KindAmount) + ", " + g.expression(pick(g, decimal, integer), depth) + ")"
	case 8:
		return g.over(depth, func(name, list string) string {
			amount := g.expression(pick(g, decimal, integer), depth)
			if g.IntN(2) == 0 {
				return fmt.Sprintf("%s.sum(%s, %s)", list, name, amount)
			}
			return fmt.Sprintf("%s.sum(%s, %s, %s)", list, name, g.expression(boolean, depth), amount)
		})
	}
	if len(g.elements) > 0 && g.IntN(2) == 0 {
		return pick(g, g.elements...) + pick(g, `.total("//cbc:TaxAmount")`, `.total("cbc:ID")`, `.elements("*").total("cbc:TaxAmount | cbc:LineExtensionAmount")`, `.elements("*").total("cbc:ID")`)
	}
	return g.list(decimal, depth) + "[" + pick(g, "0", "1", "2") + "]"
}

func (g *generator) text(depth int) string {
	switch g.IntN(10) {
	case 0:
		return "(" + g.expression(str, depth) + " + " + g.expression(str, depth) + ")"
	case 1:
		return g.expression(str, depth) + pick(g, ".normalizeSpace()", ".upperCase()", ".lowerCase()")
	case 2:
		return g.expression(str, depth) + ".substring(" + g.expression(integer, 0) + ")"
	case 3:
		return g.expression(str, depth) + ".substring(" + pick(g, "0", "1", "2") + ", " + pick(g, "1", "2", "3") + ")"
	case 4:
		return g.expression(str, depth) + pick(g, `.replace("", "_")`, `.replace("E", "")`, `.replace(".", ",", 1)`, `.replace("a", "b", -1)`, `.replaceMatches("(.)(.)", "$2$1")`, `.replaceMatches("(.)(.)", "$2x$12$$")`)
	case 5:
		return g.expression(str, depth) + pick(g, ".substringBefore(", ".substringAfter(") + g.expression(str, depth) + ")"
	case 6:
		return g.list(str, depth) + "[" + pick(g, "0", "1", "2") + "]"
	case 7:
		return g.list(str, depth) + pick(g, ".firstOr(", ".lastOr(") + g.expression(str, depth) + ")"
	case 8:
		if g.IntN(2) == 0 {
			return "raw(" + g.anyTerm() + ")"
		}
		return pick(g, "currencyOf("+g.term(model.KindAmount), "orElse("+g.term(model.KindText)+", "+g.expression(str, depth)) + ")"
	}
	if len(g.elements) == 0 {
		return g.leaf(str)
	}
	return pick(g, g.elements...) + pick(g, `.text("cbc:ID")`, `.text()`, `.name()`, `.text("//@currencyID")`, `.text("cbc:Note | cbc:ID")`, `.texts("cbc:Note | cbc:ID").join("-")`, `.text("cbc:ID").translate("01", "x")`, `.text("cbc:ID").substringXPath(0, 3)`)
}

// A place is where generated expressions are evaluated.
type place struct {
	doc  *model.Document
	this any
}

func places(t testing.TB) []place {
	ubl, cii := example(t, "base-ubl.xml"), example(t, "base-cii.xml")
	invoice := model.ObjectOf(ubl.Invoice)
	lines, _ := invoice.Type.Field("lines")
	return []place{
		{ubl, invoice}, {ubl, ubl.Source.Root()}, {ubl, invoice.List(lines).At(0)},
		{cii, model.ObjectOf(cii.Invoice)}, {cii, cii.Source.Root()},
	}
}

// compareGenerated compares one generated expression at every place.
func compareGenerated(t *testing.T, v *evaluator, o *oracle, at []place, seed uint64) (valued int) {
	t.Helper()
	p := at[seed%uint64(len(at))]
	expression := newGenerator(seed, p.this).expression(kind(seed/7%5), 4)
	if difference := differ(v, o, expression, p.doc, p.this); difference != "" {
		t.Errorf("seed %d: %s", seed, difference)
	}
	if _, err := v.value(expression, p.doc, p.this); err == nil {
		return 1
	}
	return 0
}

// Generated expressions have the same value in the closures as in cel-go's
// interpreter, or none in both.
func TestInterpreterAgreesOnGeneratedExpressions(t *testing.T) {
	v, o := judges(t, shippedLibrary(t))
	at := places(t)
	expressions := sampled.Of(3000, 4)
	valued := 0
	for seed := range uint64(expressions) {
		valued += compareGenerated(t, v, o, at, seed)
	}
	if valued < expressions/3 {
		t.Errorf("only %d of %d expressions have a value", valued, expressions)
	}
	t.Logf("%d of %d expressions have a value", valued, expressions)
}

// FuzzGeneratedExpression is the same for any seed.
func FuzzGeneratedExpression(f *testing.F) {
	v, o := judges(f, shippedLibrary(f))
	at := places(f)
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) { compareGenerated(t, v, o, at, seed) })
}
