package importer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/service/validate"
)

// A shortened Schematron says with abstract patterns and rules, parameters, variables of one name in
// several places, files and phases what the other says assert by assert.
type shortened struct {
	r             *rand.Rand
	head, out     strings.Builder // the short form
	lets, written strings.Builder // the long one
	files         fstest.MapFS
	names         int
}

func (s *shortened) pick(of ...string) string { return of[s.r.IntN(len(of))] }

// let is a variable of the short form, and one of a name of its own of the long form.
func (s *shortened) let(names map[string]string, name, value string, fill func(string) string) (short, long string) {
	s.names++
	own := fmt.Sprintf("v%d", s.names)
	long = fmt.Sprintf(`<let name="%s" value="%s"/>`, own, renamed(fill(value), names))
	names[name] = own
	return fmt.Sprintf(`<let name="%s" value="%s"/>`, name, value), long
}

// renamed has the names of the long form for those of the short one.
func renamed(text string, names map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		text = strings.ReplaceAll(text, "$"+name+";", "$"+names[name]+" ")
	}
	return text
}

// assert is an assert that reads variables by these names; ; ends each name of the short form.
func (s *shortened) assert(id, level string, names map[string]string, fill func(string) string) (short, long string) {
	test := s.pick("string-length(cbc:ID) &lt;= $limit;", "cbc:ID != $code;", "cbc:Note or $limit; = 3", "not(cbc:Name = $code;)", "count(cac:Item) &lt; $limit;")
	short = fmt.Sprintf(`<assert id="%s" flag="%s" test="%s"/>`, id, level, strings.ReplaceAll(test, ";", " "))
	short = strings.ReplaceAll(short, "&lt ", "&lt;")
	test = strings.ReplaceAll(test, "&lt;", "&lt")
	long = strings.ReplaceAll(renamed(fill(test), names), "&lt", "&lt;")
	return short, fmt.Sprintf(`<assert id="%s" flag="%s" test="%s"/>`, fill(id), fill(level), long)
}

func (s *shortened) number() string { return s.pick("1", "2", "3", "14", "40") }
func (s *shortened) code() string   { return s.pick("'A'", "'EUR'", "'1'") }

// pattern adds a pattern to both forms, to the long one where it is in the phase.
func (s *shortened) pattern(n int, global map[string]string, active bool) {
	names, fill := maps.Clone(global), asIs
	context := s.pick("/ubl:Invoice", "cac:InvoiceLine", "cac:Party", "cac:Item")
	var short, rule, lets, long string
	add := func(to *string, name, value string) {
		if s.r.IntN(2) == 0 {
			a, b := s.let(names, name, value, fill)
			*to += a
			if to == &short {
				lets += b
			} else {
				long += b
			}
		}
	}
	id, level, shortContext := fmt.Sprintf("P%d", n), s.pick("fatal", "warning"), context
	abstract := s.r.IntN(2) == 0
	if abstract { // what is made of it has its id, level, context and values from parameters
		values := map[string]string{"$pre": id, "$lev": level, "$ctx": context, "$most": s.number()}
		fill = func(text string) string {
			for name, value := range values {
				text = strings.ReplaceAll(text, name, value)
			}
			return text
		}
		s.out.WriteString(fmt.Sprintf(`<pattern id="%s" is-a="A%d">`, id, n))
		for name, value := range values {
			s.out.WriteString(fmt.Sprintf(`<param name="%s" value="%s"/>`, name[1:], value))
		}
		s.out.WriteString("</pattern>\n")
		id, level, shortContext = "$pre", "$lev", "$ctx"
		add(&short, "limit", "$most")
	} else {
		add(&short, "limit", s.number())
	}
	add(&short, "code", s.code())
	add(&rule, "code", s.code())
	if s.r.IntN(2) == 0 { // an abstract rule, whose variable holds behind it
		a, b := s.let(names, "limit", s.number(), asIs)
		c, d := s.assert(fmt.Sprintf("E%d", n), "warning", names, asIs)
		s.head.WriteString(fmt.Sprintf(`<pattern><rule abstract="true" id="R%d">%s%s</rule></pattern>`+"\n", n, a, c))
		rule += fmt.Sprintf(`<extends rule="R%d"/>`, n)
		long += b + d
	}
	a, b := s.assert(id+"-1", level, names, fill)
	rule, long = rule+a, long+b
	short += fmt.Sprintf(`<rule context="%s">%s</rule>`, shortContext, rule)
	switch text := short + "</pattern>"; {
	case abstract:
		s.head.WriteString(fmt.Sprintf(`<pattern abstract="true" id="A%d">%s`+"\n", n, text))
	case s.r.IntN(2) == 0:
		s.files[fmt.Sprintf("%d.sch", n)] = &fstest.MapFile{Data: fmt.Appendf(nil, `<pattern xmlns="%s" id="%s">%s`, isoNamespace, id, text)}
		s.out.WriteString(fmt.Sprintf(`<include href="%d.sch"/>`+"\n", n))
	default:
		s.out.WriteString(fmt.Sprintf(`<pattern id="%s">%s`+"\n", id, text))
	}
	if active {
		s.lets.WriteString(lets)
		s.written.WriteString(fmt.Sprintf(`<pattern><rule context="%s">%s</rule></pattern>`+"\n", context, long))
	}
}

func asIs(text string) string { return text }

const (
	isoNamespace = "http://purl.oclc.org/dsdl/schematron"
	namespaces   = `<ns prefix="ubl" uri="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>
<ns prefix="cbc" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>
<ns prefix="cac" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"/>
`
)

// However shortly a Schematron says it, its rules are those of one that says every assert by itself.
func TestSchematronWrittenOut(t *testing.T) {
	structure, err := validate.Structure()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(300) {
		s := &shortened{r: rand.New(rand.NewPCG(seed, 1)), files: fstest.MapFS{}}
		global := map[string]string{}
		begin, long := "", ""
		for _, of := range [][2]string{{"limit", s.number()}, {"code", s.code()}} {
			a, b := s.let(global, of[0], of[1], asIs)
			begin, long = begin+a, long+b
		}
		phase, asked, all := "", "", true
		if s.r.IntN(2) == 0 {
			asked = s.pick("", "one", "#ALL")
			byDefault := s.r.IntN(2) == 0
			if byDefault {
				phase = ` defaultPhase="one"`
			}
			all = asked == "#ALL" || asked == "" && !byDefault
			begin += `<phase id="one">`
			if a, b := s.let(maps.Clone(global), "unused", "1", asIs); !all {
				begin, long = begin+a, long+b
			} else {
				begin += a
			}
			begin += `<active pattern="P0"/><active pattern="P2"/></phase>`
		}
		for n := range 1 + s.r.IntN(4) {
			s.pattern(n, global, all || n%2 == 0)
		}
		s.files["short.sch"] = &fstest.MapFile{Data: fmt.Appendf(nil, "<schema xmlns=%q%s>\n%s%s%s%s</schema>", isoNamespace, phase, namespaces, begin, s.head.String(), s.out.String())}
		s.files["long.sch"] = &fstest.MapFile{Data: fmt.Appendf(nil, "<schema xmlns=%q>\n%s%s%s%s</schema>", isoNamespace, namespaces, long, s.lets.String(), s.written.String())}
		said := map[string]string{}
		for name, phase := range map[string]string{"short.sch": asked, "long.sch": ""} {
			out, err := Import(s.files, name, Options{Phase: phase, Structure: structure})
			if err != nil {
				t.Fatalf("%d: %v\n%s", seed, err, s.files[name].Data)
			}
			var all []string
			for _, r := range out.Rules {
				all = append(all, fmt.Sprint(r.ID, " ", r.Level, " ", r.Syntax, " ", r.Context, " ", r.Assert))
			}
			for _, r := range out.Refused {
				all = append(all, r.ID+" refused: "+r.Reason)
			}
			said[name] = strings.Join(all, "\n")
		}
		if said["short.sch"] != said["long.sch"] {
			t.Fatalf("%d: the short form says\n%s\nand the long one\n%s\n%s", seed, said["short.sch"], said["long.sch"], s.files["short.sch"].Data)
		}
	}
}

// An id that asserts of both syntaxes have is a rule of each, and no assert of it vanishes: what has
// another level is refused.
func TestSyntaxesAndLevelsOfOneID(t *testing.T) {
	structure, err := validate.Structure()
	if err != nil {
		t.Fatal(err)
	}
	contexts := map[string][]string{
		"cac:InvoiceLine": {"ubl"}, "cac:Party | cac:Item": {"ubl"}, "ram:SellerTradeParty": {"cii"}, "ram:ApplicableTradeTax[ram:CategoryCode]": {"cii"},
		"/ubl:Invoice | /rsm:CrossIndustryInvoice": {"ubl", "cii"}, "//*[not(*)]": {"ubl", "cii"}, "/*": {"ubl", "cii"}, "cac:Item | ram:SpecifiedTradeProduct": {"ubl", "cii"},
	}
	all := slices.Sorted(maps.Keys(contexts))
	const cii = `<ns prefix="rsm" uri="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/><ns prefix="ram" uri="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"/>`
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		text, levels, refused := fmt.Sprintf("<schema xmlns=%q>%s%s", isoNamespace, namespaces, cii), map[string]string{}, 0
		for range 1 + r.IntN(4) {
			context, level := all[r.IntN(len(all))], []string{"fatal", "warning"}[r.IntN(2)]
			text += fmt.Sprintf(`<pattern><rule context="%s"><assert id="X-1" flag="%s" test="count(*) &lt; 3"/></rule></pattern>`, context, level)
			other := slices.ContainsFunc(contexts[context], func(syntax string) bool { return levels[syntax] != "" && levels[syntax] != level })
			if other {
				refused++
				continue
			}
			for _, syntax := range contexts[context] {
				levels[syntax] = level
			}
		}
		out, err := Import(fstest.MapFS{"a.sch": {Data: []byte(text + "</schema>")}}, "a.sch", Options{Structure: structure})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, r := range out.Rules {
			got[r.Syntax] = r.Level
		}
		if !maps.Equal(got, levels) || len(out.Refused) != refused {
			t.Errorf("%s\nhas %v and %d refused, not %v and %d", text, got, len(out.Refused), levels, refused)
		}
	}
}
