package expr_test

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"

	"einvoice/engine/budget"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// The functions that the rule language has beyond CEL, as functions of cel-go's
// interpreter. What the standard library or the strings extension has is theirs.

var listOfString = cel.ListType(cel.StringType)

// functionsOfRules declares and binds them; contains asks a code list.
func functionsOfRules(contains func(list, code string) (bool, error)) []cel.EnvOption {
	elem := cel.TypeParamType("E")
	f := declarer{}
	f.member("normalizeSpace", cel.StringType, onText(xpath.NormalizeSpace), cel.StringType)
	f.member("upperCase", cel.StringType, onText(fullUpper), cel.StringType)
	f.member("lowerCase", cel.StringType, onText(strings.ToLower), cel.StringType)
	f.member("substringBefore", cel.StringType, func(a ...ref.Val) ref.Val {
		before, _, found := strings.Cut(text(a[0]), text(a[1]))
		if !found {
			before = ""
		}
		return types.String(before)
	}, cel.StringType, cel.StringType)
	f.member("substringAfter", cel.StringType, func(a ...ref.Val) ref.Val {
		_, after, _ := strings.Cut(text(a[0]), text(a[1]))
		return types.String(after)
	}, cel.StringType, cel.StringType)
	f.member("replaceMatches", cel.StringType, func(a ...ref.Val) ref.Val {
		re := regexp(text(a[1]))
		template := regexp(`\$(\$|[0-9]{1,4})`).ReplaceAllStringFunc(text(a[2]), func(m string) string {
			number := m[1:]
			for len(number) > 1 {
				if n, err := strconv.Atoi(number); err == nil && n <= re.NumSubexp() {
					break
				}
				number = number[:len(number)-1]
			}
			if m == "$$" {
				return m
			}
			return "${" + number + "}" + m[1+len(number):]
		})
		return types.String(re.ReplaceAllString(text(a[0]), template))
	}, cel.StringType, cel.StringType, cel.StringType)
	f.member("splitMatches", listOfString, func(a ...ref.Val) ref.Val {
		return types.NewStringList(types.DefaultTypeAdapter, regexp(text(a[1])).Split(text(a[0]), -1))
	}, cel.StringType, cel.StringType)
	f.member("isInCodeList", cel.BoolType, func(a ...ref.Val) ref.Val {
		ok, err := contains(text(a[1]), text(a[0]))
		if err != nil {
			return types.WrapErr(err)
		}
		return types.Bool(ok)
	}, cel.StringType, cel.StringType)
	f.member("isDecimal", cel.BoolType, func(a ...ref.Val) ref.Val {
		_, err := model.ParseDecimal(text(a[0]))
		return types.Bool(err == nil)
	}, cel.StringType)
	f.member("isNumber", cel.BoolType, func(a ...ref.Val) ref.Val {
		_, ok := floatOf(text(a[0]))
		return types.Bool(ok)
	}, cel.StringType)
	f.member("isDate", cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(model.NewDate(text(a[0])).Valid) }, cel.StringType)
	f.member("mod97", cel.IntType, func(a ...ref.Val) ref.Val { return types.Int(mod97(text(a[0]))) }, cel.StringType)

	f.member("luhn", cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(luhn(text(a[0]))) }, cel.StringType)
	f.member("checksum", cel.IntType, func(a ...ref.Val) ref.Val {
		var weights []int64
		for it := a[1].(traits.Lister).Iterator(); it.HasNext() == types.True; {
			weights = append(weights, int64(it.Next().(types.Int)))
		}
		if len(weights) == 0 {
			return types.NewErr("no weights")
		}
		return types.Int(checksum(text(a[0]), weights, int64(a[2].(types.Int))))
	}, cel.StringType, cel.ListType(cel.IntType), cel.IntType)

	f.global("roundHalfUp", celDecimal, round(model.Decimal.RoundHalfUp), celDecimal, cel.IntType)
	f.global("roundXPath", celDecimal, round(model.Decimal.RoundXPath), celDecimal, cel.IntType)
	f.global("binary", celDecimal, func(a ...ref.Val) ref.Val { return decimalVal{nextFloat(number(a[0]))} }, celDecimal)
	f.global("binary", celDecimal, func(a ...ref.Val) ref.Val {
		d, ok := floatOf(text(a[0]))
		if !ok {
			return types.NewErr("no number")
		}
		return decimalVal{d}
	}, cel.StringType)
	f.global("abs", celDecimal, func(a ...ref.Val) ref.Val { return decimalVal{number(a[0]).Abs()} }, celDecimal)
	f.global("fractionDigits", cel.IntType, func(a ...ref.Val) ref.Val { return types.Int(number(a[0]).FractionDigits()) }, celDecimal)
	f.global("decimal", celDecimal, func(a ...ref.Val) ref.Val {
		d, err := model.ParseDecimal(text(a[0]))
		if err != nil {
			return types.WrapErr(err)
		}
		return decimalVal{d}
	}, cel.StringType)
	f.global("decimal", celDecimal, func(a ...ref.Val) ref.Val { return decimalVal{model.NewDecimal(int64(a[0].(types.Int)))} }, cel.IntType)
	f.global("date", celDate, func(a ...ref.Val) ref.Val {
		d := model.NewDate(text(a[0]))
		if !d.Valid {
			return types.NewErr("no date")
		}
		return dateVal{d}
	}, cel.StringType)
	f.global("daysBetween", cel.IntType, func(a ...ref.Val) ref.Val { return types.Int(julianDay(a[1]) - julianDay(a[0])) }, celDate, celDate)
	f.global("addDays", celDate, func(a ...ref.Val) ref.Val { return ofJulianDay(julianDay(a[0]), int64(a[1].(types.Int))) }, celDate, cel.IntType)
	f.global("firstOfMonth", celDate, func(a ...ref.Val) ref.Val { return ofJulianDay(julianDay(a[0])-int64(a[0].(dateVal).Day)+1, 0) }, celDate)
	f.global("lastOfMonth", celDate, func(a ...ref.Val) ref.Val {
		d := a[0].(dateVal)
		for day := julianDay(d); ; day++ {
			if next, ok := ofJulianDay(day, 1).(dateVal); !ok || next.Month != d.Month {
				return ofJulianDay(day, 0)
			}
		}
	}, celDate)

	f.member("nested", cel.ListType(elem), func(a ...ref.Val) ref.Val {
		var out []ref.Val
		for _, v := range items(a[0]) {
			out = withNested(out, v)
		}
		return types.NewRefValList(types.DefaultTypeAdapter, out)
	}, cel.ListType(elem))
	f.member("distinct", listOfString, func(a ...ref.Val) ref.Val {
		var out []string
		for _, v := range items(a[0]) {
			if !slices.Contains(out, text(v)) {
				out = append(out, text(v))
			}
		}
		return types.NewStringList(types.DefaultTypeAdapter, out)
	}, listOfString)
	f.member("translate", cel.StringType, func(a ...ref.Val) ref.Val {
		old, with := strings.Split(text(a[1]), ""), strings.Split(text(a[2]), "")
		var b strings.Builder
		for _, c := range strings.Split(text(a[0]), "") {
			switch i := slices.Index(old, c); {
			case i < 0:
				b.WriteString(c)
			case i < len(with):
				b.WriteString(with[i])
			}
		}
		return types.String(b.String())
	}, cel.StringType, cel.StringType, cel.StringType)
	substring := func(a ...ref.Val) ref.Val { // by XPath's own words: the characters at the positions for which both hold
		from, length := new(big.Int).SetInt64(int64(a[1].(types.Int))), (*big.Int)(nil)
		if len(a) > 2 {
			length = new(big.Int).SetInt64(int64(a[2].(types.Int)))
		}
		var b strings.Builder
		position := int64(0)
		for _, c := range text(a[0]) {
			position++
			at := big.NewInt(position)
			if at.Cmp(from) >= 0 && (length == nil || at.Cmp(new(big.Int).Add(from, length)) < 0) {
				b.WriteRune(c)
			}
		}
		return types.String(b.String())
	}
	f.member("substringXPath", cel.StringType, substring, cel.StringType, cel.IntType)
	f.member("substringXPath", cel.StringType, substring, cel.StringType, cel.IntType, cel.IntType)
	f.member("mod11_10", cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(mod11And10(text(a[0]))) }, cel.StringType)
	f.member("isDistinct", cel.BoolType, func(a ...ref.Val) ref.Val {
		seen := map[string]bool{}
		for _, v := range items(a[0]) {
			if seen[text(v)] {
				return types.False
			}
			seen[text(v)] = true
		}
		return types.True
	}, listOfString)
	f.member("firstOr", cel.StringType, func(a ...ref.Val) ref.Val { return append(items(a[0]), a[1])[0] }, listOfString, cel.StringType)
	f.member("lastOr", cel.StringType, func(a ...ref.Val) ref.Val {
		all := append([]ref.Val{a[1]}, items(a[0])...)
		return all[len(all)-1]
	}, listOfString, cel.StringType)
	f.elements()
	f.terms()
	return f.options
}

// mod11And10 computes the check digit from the digits before it, as ISO/IEC 7064 does.
func mod11And10(s string) bool {
	if len(s) < 2 || strings.Trim(s, "0123456789") != "" {
		return false
	}
	product := 10
	for _, c := range s[:len(s)-1] {
		if product = (product + int(c-'0')) % 10; product == 0 {
			product = 10
		}
		product = 2 * product % 11
	}
	return (11-product)%10 == int(s[len(s)-1]-'0')
}

// elements declares the functions over elements of the source document.
func (f *declarer) elements() {
	f.member("text", cel.StringType, func(a ...ref.Val) ref.Val {
		e := a[0].Value().(elementVal)
		return types.String(e.tree.Text(e.node))
	}, celElement)
	f.member("text", cel.StringType, onNodes(func(e elementVal, all []source.Ref) ref.Val {
		if len(all) == 0 {
			return types.String("")
		}
		return types.String(xpath.TextOf(e.tree, all[0]))
	}), celElement, cel.StringType)
	has := onNodes(func(_ elementVal, all []source.Ref) ref.Val { return types.Bool(len(all) > 0) })
	count := onNodes(func(_ elementVal, all []source.Ref) ref.Val { return types.Int(len(all)) })
	elements := onNodes(func(e elementVal, all []source.Ref) ref.Val {
		var out []ref.Val
		for _, r := range all {
			if r > 0 {
				out = append(out, element(e.tree, r.Element()))
			}
		}
		return types.NewRefValList(types.DefaultTypeAdapter, out)
	})
	texts := onNodes(func(e elementVal, all []source.Ref) ref.Val {
		var out []string
		for _, r := range all {
			out = append(out, xpath.TextOf(e.tree, r))
		}
		return types.NewStringList(types.DefaultTypeAdapter, out)
	})
	total := onNodes(func(e elementVal, all []source.Ref) ref.Val {
		sum := model.NewDecimal(0)
		for _, r := range all {
			d, err := model.ParseDecimal(xpath.TextOf(e.tree, r))
			if err != nil {
				return types.WrapErr(err)
			}
			sum = sum.Add(d)
		}
		return decimalVal{sum}
	})
	joined := func(all, next ref.Val) ref.Val {
		return types.NewRefValList(types.DefaultTypeAdapter, append(items(all), items(next)...))
	}
	listOfElements := cel.ListType(celElement)
	none := types.NewRefValList(types.DefaultTypeAdapter, nil)
	for _, o := range []struct {
		name   string
		result *cel.Type
		one    binding
		start  ref.Val
		join   func(all, next ref.Val) ref.Val
	}{
		{"has", cel.BoolType, has, types.False, func(all, next ref.Val) ref.Val { return all.(types.Bool) || next.(types.Bool) }},
		{"count", cel.IntType, count, types.Int(0), func(all, next ref.Val) ref.Val { return all.(types.Int) + next.(types.Int) }},
		{"elements", listOfElements, elements, none, joined},
		{"texts", listOfString, texts, none, joined},
		{"total", celDecimal, total, decimalVal{model.NewDecimal(0)}, func(all, next ref.Val) ref.Val { return decimalVal{number(all).Add(number(next))} }},
	} {
		f.member(o.name, o.result, o.one, celElement, cel.StringType)
		f.member(o.name, o.result, ofEach(o.one, o.start, o.join), listOfElements, cel.StringType)
	}
	f.member("inside", cel.BoolType, func(a ...ref.Val) ref.Val {
		e := a[0].Value().(elementVal)
		for n := e.tree.Parent(e.node); n != 0; n = e.tree.Parent(n) {
			if e.tree.NameOf(e.tree.Name(n)).String() == text(a[1]) {
				return types.True
			}
		}
		return types.False
	}, celElement, cel.StringType)
	f.member("name", cel.StringType, func(a ...ref.Val) ref.Val {
		e := a[0].Value().(elementVal)
		return types.String(e.tree.NameOf(e.tree.Name(e.node)).String())
	}, celElement)
}

// terms declares what the macros of oracle_test.go expand to: they take a group
// and the name of a field, because a value no longer knows how it was written.
func (f *declarer) terms() {
	group := cel.DynType
	f.global("@raw", cel.StringType, onTerm(func(o model.Object, field *model.Field) ref.Val {
		if !o.Has(field) {
			return types.WrapErr(errAbsent)
		}
		return types.String(o.Raw(field))
	}), group, cel.StringType)
	f.global("@valid", cel.BoolType, onTerm(func(o model.Object, field *model.Field) ref.Val {
		if !o.Has(field) {
			return types.False
		}
		if field.Kind == model.KindBinary {
			_, err := o.Binary(field).Decode()
			return types.Bool(err == nil)
		}
		_, err := get(o, field)
		return types.Bool(err == nil)
	}), group, cel.StringType)
	f.global("@currencyOf", cel.StringType, onTerm(func(o model.Object, field *model.Field) ref.Val {
		return types.String(o.Amount(field).Currency.Raw)
	}), group, cel.StringType)
	orElse := func(a ...ref.Val) ref.Val {
		switch has := a[0].(type) {
		case types.Bool:
			if has {
				return a[1]
			}
			if i, ok := a[2].(types.Int); ok {
				return decimalVal{model.NewDecimal(int64(i))}
			}
			return a[2]
		default:
			return has
		}
	}
	for _, t := range [][2]*cel.Type{{celDecimal, celDecimal}, {celDecimal, cel.IntType}, {cel.StringType, cel.StringType}} {
		f.options = append(f.options, cel.Function("@orElse", cel.Overload("or_else_"+t[0].TypeName()+t[1].TypeName(),
			[]*cel.Type{cel.BoolType, t[0], t[1]}, t[0], cel.OverloadIsNonStrict(), cel.FunctionBinding(orElse))))
	}
}

// A declarer gathers declarations.
type declarer struct{ options []cel.EnvOption }

type binding = func(args ...ref.Val) ref.Val

func (f *declarer) member(name string, result *cel.Type, do binding, args ...*cel.Type) {
	f.options = append(f.options, cel.Function(name, cel.MemberOverload(overloadID(name, args), args, result, bind(len(args), do))))
}

func (f *declarer) global(name string, result *cel.Type, do binding, args ...*cel.Type) {
	f.options = append(f.options, cel.Function(name, cel.Overload(overloadID(name, args), args, result, bind(len(args), do))))
}

func overloadID(name string, args []*cel.Type) string {
	id := "rules_" + name
	for _, a := range args {
		id += "_" + a.String()
	}
	return id
}

func bind(args int, do binding) cel.OverloadOpt {
	switch args {
	case 1:
		return cel.UnaryBinding(func(v ref.Val) ref.Val { return do(v) })
	case 2:
		return cel.BinaryBinding(func(a, b ref.Val) ref.Val { return do(a, b) })
	}
	return cel.FunctionBinding(do)
}

func text(v ref.Val) string          { return string(v.(types.String)) }
func number(v ref.Val) model.Decimal { return v.(decimalVal).Decimal }

func items(v ref.Val) []ref.Val {
	var out []ref.Val
	for it := v.(traits.Lister).Iterator(); it.HasNext() == types.True; {
		out = append(out, it.Next())
	}
	return out
}

func onText(g func(string) string) binding {
	return func(a ...ref.Val) ref.Val { return types.String(g(text(a[0]))) }
}

func round(g func(model.Decimal, int) model.Decimal) binding {
	return func(a ...ref.Val) ref.Val {
		n := int64(a[1].(types.Int))
		if n < -2000 || n > 2000 {
			return types.NewErr("out of range")
		}
		return decimalVal{g(number(a[0]), int(n))}
	}
}

// nextFloat is the exact value of the float64 next to a decimal.
func nextFloat(d model.Decimal) model.Decimal {
	r, ok := new(big.Rat).SetString(d.String())
	if !ok {
		return d
	}
	f, _ := r.Float64()
	out, err := model.ParseDecimal(strings.TrimRight(strconv.FormatFloat(f, 'f', 80, 64), "0"))
	if err != nil {
		return d
	}
	return out
}

// floatOf is the number that a text is by the lexical form of xs:double, without INF and NaN.
func floatOf(s string) (model.Decimal, bool) {
	found := regexp(`^[ \t\r\n]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:[eE]([+-]?[0-9]{1,4}))?[ \t\r\n]*$`).FindStringSubmatch(s)
	if found == nil {
		return model.Decimal{}, false
	}
	r, _ := new(big.Rat).SetString(found[1])
	if found[2] != "" {
		power, _ := strconv.ParseInt(found[2], 10, 64)
		ten := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(power, -power)), nil))
		if power < 0 {
			ten.Inv(ten)
		}
		r.Mul(r, ten)
	}
	f, _ := r.Float64()
	out, err := model.ParseDecimal(strings.TrimRight(strconv.FormatFloat(f, 'f', 80, 64), "0"))
	return out, err == nil
}

// luhn adds up a table of what each digit counts, from the last one.
func luhn(s string) bool {
	counts := [2]string{"0123456789", "0246813579"}
	sum := 0
	for i, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
		sum += int(counts[(len(s)-1-i)%2][c-'0'] - '0')
	}
	return s != "" && sum%10 == 0
}

// checksum adds up whole products and takes the remainder at the end.
func checksum(s string, weights []int64, modulus int64) int64 {
	sum := new(big.Int)
	for i, c := range []byte(s) {
		if c < '0' || c > '9' {
			return -1
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(c-'0')), big.NewInt(weights[(len(s)-1-i)%len(weights)])))
	}
	return new(big.Int).Rem(sum, big.NewInt(modulus)).Int64()
}

// mod97 computes with the whole number that the text stands for.
func mod97(s string) int64 {
	var digits strings.Builder
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits.WriteRune(c)
		case c >= 'A' && c <= 'Z':
			digits.WriteString(strconv.Itoa(int(c-'A') + 10))
		case c >= 'a' && c <= 'z':
			digits.WriteString(strconv.Itoa(int(c-'a') + 42))
		default:
			return -1
		}
	}
	n, ok := new(big.Int).SetString(digits.String(), 10)
	if !ok {
		return 0
	}
	return n.Mod(n, big.NewInt(97)).Int64()
}

func withNested(out []ref.Val, v ref.Val) []ref.Val {
	out = append(out, v)
	o, ok := v.Value().(model.Object)
	if !ok {
		return out
	}
	for i := range o.Type.Fields {
		if f := &o.Type.Fields[i]; f.Kind == model.KindList && f.Elem == o.Type {
			for j := range o.List(f).Len() {
				out = withNested(out, group(o.List(f).At(j)))
			}
			return out
		}
	}
	return out
}

var paths sync.Map // string -> *xpath.SourcePath

// onNodes binds a function of the nodes that a path reaches. Selecting them is
// package xpath's, which has an oracle of its own.
func onNodes(g func(e elementVal, all []source.Ref) ref.Val) binding {
	return func(a ...ref.Val) ref.Val {
		e := a[0].Value().(elementVal)
		all, err := nodesAt(e, text(a[1]))
		if err != nil {
			return types.WrapErr(err)
		}
		return g(e, all)
	}
}

// nodesAt are the nodes at the paths of a union: those of each path by itself, in the order
// of the document.
func nodesAt(e elementVal, text string) (all []source.Ref, err error) {
	u, err := xpath.ParseRelative(text)
	if err != nil {
		return nil, err
	}
	for i := range u.Paths {
		path, err := pathOf(u.Paths[i].Text, u.Paths[i])
		if err != nil {
			return nil, err
		}
		path.Each(&xpath.Evaluation{Tree: e.tree, Budget: unlimited()}, e.node, func(r source.Ref) bool {
			if !slices.Contains(all, r) {
				all = append(all, r)
			}
			return true
		})
	}
	if len(u.Paths) > 1 {
		slices.SortFunc(all, func(a, b source.Ref) int {
			return cmp.Or(cmp.Compare(e.tree.Owner(a), e.tree.Owner(b)), cmp.Compare(max(0, -a), max(0, -b)))
		})
	}
	return all, nil
}

func pathOf(text string, path xpath.LocationPath) (*xpath.SourcePath, error) {
	if p, ok := paths.Load(text); ok {
		return p.(*xpath.SourcePath), nil
	}
	p, err := xpath.OverSource(path)
	if err == nil {
		paths.Store(text, p)
	}
	return p, err
}

// ofEach asks each element of a list as one is asked, and joins the answers.
func ofEach(one binding, start ref.Val, join func(all, next ref.Val) ref.Val) binding {
	return func(a ...ref.Val) ref.Val {
		all := start
		for _, e := range items(a[0]) {
			next := one(e, a[1])
			if types.IsError(next) {
				return next
			}
			all = join(all, next)
		}
		return all
	}
}

func onTerm(g func(o model.Object, f *model.Field) ref.Val) binding {
	return func(a ...ref.Val) ref.Val {
		o := a[0].Value().(model.Object)
		f, ok := o.Type.Field(text(a[1]))
		if !ok {
			return types.NewErr("no field %s", text(a[1]))
		}
		return g(o, f)
	}
}

func unlimited() *budget.Budget { return budget.New(ctx, 1<<60) }

// julianDay numbers the days of the Gregorian calendar, by the usual formula on whole
// numbers; the program counts with package time.
func julianDay(v ref.Val) int64 {
	d := v.(dateVal)
	a := (14 - int64(d.Month)) / 12
	y, m := int64(d.Year)+4800-a, int64(d.Month)+12*a-3
	return int64(d.Day) + (153*m+2)/5 + 365*y + y/4 - y/100 + y/400 - 32045
}

// ofJulianDay is the date some days after the one of a number.
func ofJulianDay(day, after int64) ref.Val {
	if after > 5_000_000 || after < -5_000_000 {
		return types.NewErr("no date")
	}
	a := day + after + 32044
	if a < 0 {
		return types.NewErr("no date")
	}
	b := (4*a + 3) / 146097
	c := a - 146097*b/4
	d := (4*c + 3) / 1461
	e := c - 1461*d/4
	m := (5*e + 2) / 153
	year := 100*b + d - 4800 + m/10
	if year < 1 || year > 9999 {
		return types.NewErr("no date")
	}
	return dateVal{model.NewDate(fmt.Sprintf("%04d-%02d-%02d", year, m+3-12*(m/10), e-(153*m+2)/5+1))}
}

// fullUpper maps one letter to several where Unicode's SpecialCasing does, for letters that
// the examples have: cel-go has no function of XPath's meaning.
func fullUpper(s string) string {
	return strings.ToUpper(strings.NewReplacer("ß", "SS", "ŉ", "ʼN", "ﬁ", "FI", "ﬂ", "FL", "ﬀ", "FF", "ǰ", "J\u030c", "ﬃ", "FFI").Replace(s))
}
