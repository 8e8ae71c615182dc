package xpath_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"
)

// An invoice whose elements are named by their attribute x.
const lines = `<ubl:Invoice xmlns:ubl="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" x="i">` +
	`<cbc:ID x="n">0</cbc:ID>` +
	`<cbc:DocumentCurrencyCode x="cur">EUR</cbc:DocumentCurrencyCode>` +
	`<cac:InvoiceLine x="1"><cbc:ID x="1i">1</cbc:ID><cbc:Amount x="1a" currencyID="EUR">10.00</cbc:Amount><cac:Item x="1t"><cbc:Name x="1n"> Red  pen </cbc:Name></cac:Item></cac:InvoiceLine>` +
	`<cac:InvoiceLine x="2"><cbc:ID x="2i">2</cbc:ID><cbc:Amount x="2a" currencyID="USD">9.5</cbc:Amount>` +
	`<cac:SubInvoiceLine x="21"><cbc:ID x="21i">2</cbc:ID><cac:SubInvoiceLine x="211"><cbc:ID x="211i">3</cbc:ID></cac:SubInvoiceLine></cac:SubInvoiceLine>` +
	`<cac:SubInvoiceLine x="22"><cbc:Note x="22o"></cbc:Note></cac:SubInvoiceLine></cac:InvoiceLine>` +
	`<cac:InvoiceLine x="3"><cbc:ID x="3i"></cbc:ID><cbc:Note x="3o">true</cbc:Note><cbc:Note x="3p">zwölf</cbc:Note><cbc:Amount x="3a">none</cbc:Amount></cac:InvoiceLine>` +
	`<cac:TaxTotal x="t"><cbc:Amount x="ta" currencyID="EUR">0.1</cbc:Amount><cbc:Amount x="tb" currencyID="EUR">0.2</cbc:Amount></cac:TaxTotal>` +
	`</ubl:Invoice>`

// contextsOverSource are contexts, and the names of what XPath 1.0 says that they
// select in lines.
var contextsOverSource = []struct{ context, want string }{
	// steps
	{"/ubl:Invoice", "i"},
	{"/*", "i"},
	{"/cac:InvoiceLine", ""},
	{"/ubl:Invoice/cac:InvoiceLine", "1 2 3"},
	{"/*/cac:*", "1 2 3 t"},
	{"/*/*/cbc:Amount", "1a 2a 3a ta tb"},
	{"//cbc:ID", "n 1i 2i 21i 211i 3i"},
	{"/ubl:Invoice//cac:SubInvoiceLine", "21 211 22"},
	{"//cac:SubInvoiceLine//cac:SubInvoiceLine", "211"},
	{"//cac:SubInvoiceLine/cbc:*", "21i 211i 22o"},
	{"//*//*//cac:SubInvoiceLine", "21 211 22"},
	{"/child::ubl:Invoice/child::cac:TaxTotal", "t"},
	{" / ubl:Invoice [ cbc:ID ] / cac:TaxTotal ", "t"},
	{"//cac:Nothing", ""},
	// unions
	{"//cac:InvoiceLine | //cac:SubInvoiceLine", "1 2 21 211 22 3"},
	{"//cac:InvoiceLine[cbc:ID] | //cac:InvoiceLine[cbc:Amount]", "1 2 3"},
	{"//cbc:Note | /ubl:Invoice/cbc:ID | //cbc:Note[. = 'true']", "n 22o 3o 3p"},
	{"/*/* | /ubl:Invoice/cac:TaxTotal", "n cur 1 2 3 t"},
	// existence
	{"//cac:InvoiceLine[cac:Item]", "1"},
	{"//cac:InvoiceLine[not(cac:Item)]", "2 3"},
	{"//*[cbc:ID and cbc:Amount]", "1 2 3"},
	{"//*[cac:Item or cac:SubInvoiceLine]", "1 2 21"},
	{"//*[cac:Item/cbc:Name]", "1"},
	{"//*[.//cbc:Name]", "i 1 1t"},
	{"//cbc:Amount[@currencyID]", "1a 2a ta tb"},
	{"//cbc:Amount[not(@currencyID)]", "3a"},
	{"//cac:Item[@*]", "1t"},
	{"//cbc:ID[../cac:Item]", "1i"},
	{"//cbc:ID[../../cac:TaxTotal]", "1i 2i 3i"},
	{"//cbc:ID[parent::cac:SubInvoiceLine]", "21i 211i"},
	{"//*[self::cbc:Note or self::cbc:Name]", "1n 22o 3o 3p"},
	{"//cac:SubInvoiceLine[cbc:ID | cbc:Note]", "21 211 22"},
	{"//*[/ubl:Invoice/cac:TaxTotal]/cac:Item", "1t"},
	{"//cac:InvoiceLine[cac:SubInvoiceLine[cac:SubInvoiceLine]]", "2"},
	// effective boolean values
	{"/*[string(cbc:ID)]", "i"}, // the text "0" is not empty
	{"/*[boolean(number(cbc:ID))]", ""},
	{"//cac:InvoiceLine[string(cbc:ID)]", "1 2"},
	{"//cac:InvoiceLine[number(cbc:Amount) and true()]", "1 2"}, // NaN is false
	{"//cac:InvoiceLine[boolean(count(cbc:Note))]", "3"},
	{"//cac:InvoiceLine[not(cbc:ID != '')]", "3"},
	// comparisons
	{"//cac:InvoiceLine[cbc:ID = '2']", "2"},
	{"//cac:InvoiceLine['2' = cbc:ID]", "2"},
	{"//cac:InvoiceLine[cbc:ID != '2']", "1 3"},
	{"//cac:InvoiceLine[cbc:Note != 'true']", "3"}, // one of two
	{"//cac:InvoiceLine[cbc:Amount = 9.50]", "2"},
	{"//cac:InvoiceLine[cbc:Amount != 9.50]", "1 3"}, // NaN is unequal
	{"//cac:InvoiceLine[cbc:Amount > 9.9]", "1"},
	{"//cac:InvoiceLine[9.9 > cbc:Amount]", "2"},
	{"//cac:InvoiceLine[cbc:Amount <= '10']", "1 2"},
	{"//cac:InvoiceLine[cbc:Amount > -1]", "1 2"},
	{"//cbc:Amount[@currencyID = ../../cbc:DocumentCurrencyCode]", "1a ta tb"},
	{"//cbc:Amount[@currencyID != ../../cbc:DocumentCurrencyCode]", "2a"},
	{"//cac:InvoiceLine[cbc:ID = .//cac:SubInvoiceLine/cbc:ID]", "2"},
	{"//cac:InvoiceLine[cbc:Note = (1 = 1)]", "3"}, // a path beside a boolean: is there any
	{"//cac:InvoiceLine[count(cbc:Note) = 2]", "3"},
	{"//cac:TaxTotal[sum(cbc:Amount) = 0.3]", "t"}, // exact decimals
	{"//*[true() > false()]/cac:Item", "1t"},
	// positions
	{"//cac:InvoiceLine[1]", "1"},
	{"//cac:InvoiceLine[4]", ""},
	{"//cac:InvoiceLine[last()]", "3"},
	{"//cac:InvoiceLine[position() < 3]", "1 2"},
	{"//cac:InvoiceLine[position() != last()]", "1 2"},
	{"//cac:SubInvoiceLine[1]", "21 211"}, // of each parent
	{"//cac:SubInvoiceLine[last()]", "211 22"},
	{"//*[2]", "cur 1a 2a 211 3o tb"},
	{"//cac:InvoiceLine[cbc:Note][1]", "3"}, // the first of those with a note
	{"//cac:InvoiceLine[1][cbc:Note]", ""},
	{"//cac:InvoiceLine[cbc:Note[2]]", "3"},
	{"//cac:InvoiceLine[cbc:Note[2] = 'zwölf']", "3"},
	{"/*/cac:InvoiceLine[2]/cac:SubInvoiceLine[2]", "22"},
	{"//cac:InvoiceLine[count(cbc:Note)]", ""}, // a number is a position
	{"//cbc:*[last()]", "cur 1a 1n 2a 21i 211i 22o 3a tb"},
	{"//*[not(position() = 1)]/cbc:Amount", "1a 2a 3a ta tb"},
	{"/*[1]/cac:TaxTotal[1]", "t"},
	// functions
	{"//cbc:Name[normalize-space() = 'Red pen']", "1n"},
	{"//cac:Item[normalize-space(cbc:Name) = 'Red pen']", "1t"},
	{"//cbc:Note[string-length() = 5]", "3p"},
	{"//cbc:Note[string-length(.) < 5]", "22o 3o"},
	{"//cbc:Name[starts-with(., ' Red')]", "1n"},
	{"//cbc:Name[contains(., '  ')]", "1n"},
	{"//cbc:Note[contains(., '')]", "22o 3o 3p"},
	{"//cbc:Amount[substring-before(., '.') = '10']", "1a"},
	{"//cbc:Amount[substring-after(., '.') = '5']", "2a"},
	{"//cbc:Note[substring(., 3, 2) = 'ue']", "3o"},
	{"//cbc:Note[translate(., 'ö', 'o') = 'zwolf']", "3p"},
	{"//cbc:Amount[concat(@currencyID, ' ', .) = 'USD 9.5']", "2a"},
	{"//*[name() = 'cbc:Note'][local-name(..) = 'SubInvoiceLine']", "22o"},
	{"//*[ends-with(name(), 'Total')]", "t"},
	{"//*[namespace-uri() = 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2']", "i"},
	{"//cbc:Note[upper-case(.) = 'ZWÖLF']", "3p"},
	{"//cac:InvoiceLine[floor(cbc:Amount) = 9 or ceiling(cbc:Amount) = 9 or round(cbc:Amount) = 9]", "2"},
	{"//cac:InvoiceLine[. = '10.00']", ""}, // all texts in the line
	{"//cac:SubInvoiceLine[. = '23']", "21"},
}

func TestContextsOverSource(t *testing.T) {
	d := parseDocument(t, lines)
	x, err := source.ParseQName("x")
	if err != nil {
		t.Fatal(err)
	}
	id := source.Intern(x)[0]
	names := func(nodes []source.Ref) string {
		var out []string
		for _, r := range nodes {
			a, _ := d.tree.Attr(r.Element(), id)
			out = append(out, d.tree.Attributes[a].Value)
		}
		return strings.Join(out, " ")
	}
	compared := 0
	for _, c := range contextsOverSource {
		if got := names(d.walked(t, c.context)); got != c.want {
			t.Errorf("%s selects %q, want %q", c.context, got, c.want)
		}
		if got := names(d.followed(t, c.context)); got != c.want {
			t.Errorf("%s leads to %q, want %q", c.context, got, c.want)
		}
		if why := notCompared(t, c.context); why != "" {
			continue
		}
		compared++
		if got := names(d.byAntchfx(t, c.context)); got != c.want {
			t.Errorf("%s selects %q by antchfx/xpath, want %q", c.context, got, c.want)
		}
	}
	if compared < 60 {
		t.Errorf("antchfx/xpath was asked about %d contexts only", compared)
	}
}

// invoice is lines, as an invoice.
func invoice() *model.Invoice {
	line := func(id, note string, sub ...model.Line) model.Line {
		l := model.Line{Identifier: model.NewText(id), SubLines: sub}
		if note != "" {
			l.Note = model.NewText(note)
		}
		return l
	}
	inv := &model.Invoice{
		Number: model.NewText("0"), CurrencyCode: model.NewText("EUR"),
		Lines: []model.Line{line("1", ""), line("2", "", line("21", "a", line("211", " A  b ")), line("22", "")), line("3", "zwölf")},
	}
	inv.Lines[0].NetAmount = model.NewAmount("10.00")
	inv.Lines[1].NetAmount = model.NewAmount("9.5")
	inv.Lines[2].NetAmount = model.NewAmount("none")
	inv.Lines[0].Vat = &model.LineVat{CategoryCode: model.NewText("S"), Rate: model.NewNumber("19")}
	inv.Lines[1].SubLines[0].Vat = &model.LineVat{CategoryCode: model.NewText("E")}
	return inv
}

// contextsOverModel are contexts, and the identifiers of the lines that XPath 1.0
// says they select.
var contextsOverModel = []struct{ context, want string }{
	{"/invoice/lines", "1 2 3"},
	{"/invoice//subLines", "21 211 22"},
	{"/invoice/lines/subLines/subLines", "211"},
	{"/invoice//subLines//subLines", "211"},
	{"/invoice//lines//subLines", "21 211 22"},
	{"/invoice/lines[identifier] | /invoice/lines[netAmount]", "1 2 3"},
	{"/invoice//subLines | /invoice/lines", "1 2 21 211 22 3"},
	{"/invoice/lines[vat]", "1"},
	{"/invoice/lines[not(vat)]", "2 3"},
	{"/invoice/lines[vat/categoryCode = 'S' and netAmount]", "1"},
	{"/invoice//subLines[vat/categoryCode = 'E' or note]", "21 211"},
	{"/invoice[string(number)]/lines[1]", "1"},
	{"/invoice[boolean(number(number))]/lines", ""},
	{"/invoice/lines[string(note)]", "3"},
	{"/invoice/lines[number(netAmount) and true()]", "1 2"},
	{"/invoice/lines[netAmount = 9.50]", "2"},
	{"/invoice/lines[9.50 = netAmount]", "2"},
	{"/invoice/lines[netAmount > 9]", "1 2"},
	{"/invoice/lines[netAmount != 10]", "2 3"},
	{"/invoice/lines[sum(netAmount | vat/rate) = 29]", "1"},
	{"/invoice/lines[1]", "1"},
	{"/invoice/lines[last()]", "3"},
	{"/invoice/lines[position() < 3]", "1 2"},
	{"/invoice//subLines[1]", "21 211"},
	{"/invoice//subLines[last()]", "211 22"},
	{"/invoice/lines[not(vat)][1]", "2"},
	{"/invoice/lines[subLines[2]]", "2"},
	{"/invoice/lines[subLines[last()]/identifier = '22']", "2"},
	{"/invoice/lines[count(subLines) = 2]", "2"},
	{"/invoice/lines[string-length(note) = 5]", "3"},
	{"/invoice//subLines[normalize-space(note) = 'A b']", "211"},
	{"/invoice//subLines[starts-with(note, ' ')]", "211"},
	{"/invoice//subLines[substring(note, 2, 1) = 'A']", "211"},
	{"/invoice//subLines[translate(note, 'aA b', '') = '']", "21 211 22"},
	{"/invoice/lines[concat(identifier, note) = '3zwölf']", "3"},
	{"/invoice/lines[name() = 'lines' and local-name(vat) = 'vat']", "1"},
	{"/invoice/lines[identifier[. = '3']]", "3"},
	{"/invoice/lines[../currencyCode = 'EUR'][2]", "2"},
	{"/invoice//subLines[../identifier = '2']", "21 22"},
	{"/invoice/lines[.//categoryCode = 'E']", "2"},
	{"/invoice/lines[*/categoryCode = 'S']", "1"},
	{"/invoice/lines[/invoice/currencyCode = 'EUR'][last()]", "3"},
	{"/invoice/lines[identifier = //subLines/identifier]", ""},
	{"/invoice/lines[count(note | vat) = 1]", "1 3"},
	{"/invoice/lines[. = '1' or string-length(.) > 20]", ""},
}

func TestContextsOverModel(t *testing.T) {
	inv := invoice()
	top := model.ObjectOf(inv)
	names := func(groups []model.Object) string {
		var out []string
		for _, o := range groups {
			f, _ := o.Type.Field("identifier")
			out = append(out, o.Raw(f))
		}
		return strings.Join(out, " ")
	}
	compared := 0
	for _, c := range contextsOverModel {
		got := selected(t, overTheModel(t, c.context), top)
		if names(got) != c.want {
			t.Errorf("%s selects %q, want %q", c.context, names(got), c.want)
		}
		if why := notCompared(t, c.context); why != "" {
			continue
		}
		compared++
		if other := groupsByAntchfx(t, c.context, top); !slices.Equal(other, got) {
			t.Errorf("%s selects %q by antchfx/xpath, want %q", c.context, names(other), c.want)
		}
	}
	if compared < 25 {
		t.Errorf("antchfx/xpath was asked about %d contexts only", compared)
	}
}

// One evaluation serves many selections, of other documents too.
func TestEvaluationServesAgain(t *testing.T) {
	e := &xpath.Evaluation{}
	first, second := parseDocument(t, lines), parseDocument(t, strings.Replace(lines, `<cac:InvoiceLine x="1">`, `<cac:InvoiceLine x="0"/><cac:InvoiceLine x="1">`, 1))
	dispatcher := xpath.NewDispatcher[int]()
	dispatcher.Add(0, contextPaths(t, "//cac:InvoiceLine[position() = last()]")...)
	for _, d := range []*document{first, second, first} {
		e.Begin(d.tree, enough())
		var found []source.Ref
		if err := dispatcher.Walk(e, func(_ int, at source.Ref, _ error) { found = append(found, at) }); err != nil {
			t.Fatal(err)
		}
		e.End()
		if want := d.byAntchfx(t, "//cac:InvoiceLine[last()]"); !slices.Equal(found, want) {
			t.Errorf("found %v, want %v", found, want)
		}
	}
}

// Contexts that differ in a literal alone are found together, each where it selects.
func TestContextsThatDifferInLiteral(t *testing.T) {
	d := parseDocument(t, `<cac:A xmlns:cac="`+source.Prefixes["cac"]+`" xmlns:cbc="`+source.Prefixes["cbc"]+`">`+
		`<cac:B><cbc:ID>x</cbc:ID><cbc:ID>y</cbc:ID></cac:B><cac:B><cbc:ID> x </cbc:ID></cac:B><cac:B><cbc:ID>z</cbc:ID><cbc:C/></cac:B><cac:B/></cac:A>`)
	contexts := []string{
		"//cac:B[cbc:ID='x']", "//cac:B[cbc:ID='y']", "//cac:B[cbc:ID='z' and cbc:C]", "//cac:B[cbc:ID='z' and not(cbc:C)]", "//cac:B[cbc:ID='x' or cbc:ID='z']",
		"//cac:B[normalize-space(cbc:ID)='x']", "//cac:B[normalize-space(cbc:ID)='']", "//cac:B[normalize-space(cbc:ID)='z'][cbc:C]",
		"//cac:B[cbc:ID='x'][1]", "//cac:B[cbc:ID='x'] | //cac:B[cbc:ID='y'] | //cac:B[cbc:ID='z']",
		"/cac:A/cac:B[cbc:ID='x']", "/cac:A/cac:B[cbc:ID='y']", "/*/cac:B[cbc:ID='y']", "//cac:B[cbc:ID='x']/cbc:ID", "//cbc:ID[.='x']", "//cbc:ID[.='y']",
	}
	dispatcher := xpath.NewDispatcher[int]()
	for i, context := range contexts {
		dispatcher.Add(i, contextPaths(t, context)...)
	}
	found := d.walk(t, dispatcher)
	for i, context := range contexts {
		if want := d.byAntchfx(t, context); !slices.Equal(found[i], want) {
			t.Errorf("%s selects %v, XPath %v", context, found[i], want)
		}
	}
}
