package xmlparse_test

import (
	"errors"
	"strings"
	"testing"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/model/source"
)

// treeString writes a tree in one line: <a x="1">text<b></b></a>, with names as
// Q{uri}local.
func treeString(t *source.Tree) string {
	var b strings.Builder
	var walk func(n source.Node)
	walk = func(n source.Node) {
		name := t.NameOf(t.Name(n)).String()
		b.WriteString("<" + name)
		for _, a := range t.AttrsOf(n) {
			b.WriteString(" " + t.NameOf(a.Name).String() + "=\"" + a.Value + "\"")
		}
		b.WriteString(">" + t.Text(n))
		for c := range t.Children(n) {
			walk(c)
		}
		b.WriteString("</" + name + ">")
	}
	walk(t.Root())
	return b.String()
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"smallest":               {`<a/>`, `<a></a>`},
		"text":                   {`<a>x y</a>`, `<a>x y</a>`},
		"text as written":        {"<a>\n x\t</a>", "<a>\n x\t</a>"},
		"blank text of a leaf":   {"<a> \n</a>", "<a> \n</a>"},
		"layout":                 {"<a>\n <b>1</b>\n <b> </b>\n</a>", "<a><b>1</b><b> </b></a>"},
		"mixed content":          {"<a>x <b>1</b>\n <b/> y</a>", "<a>x  y<b>1</b><b></b></a>"},
		"mixed content, nested":  {"<a>1<b>2<c>3</c>4</b>5</a>", "<a>15<b>24<c>3</c></b></a>"},
		"white space in tags":    {"<a\n x = '1'\ty=\"2\" ><b\n/></a\n>", `<a x="1" y="2"><b></b></a>`},
		"declaration":            {"<?xml version='1.0' encoding=\"utf-8\" standalone='yes' ?>\n<a/>", "<a></a>"},
		"byte order mark":        {"\ufeff<a>x</a>", "<a>x</a>"},
		"comments":               {"<!-- - --><a>x<!-- < & ]]> -->y</a><!---->", "<a>xy</a>"},
		"comment beside a child": {"<a> <!-- x --> <b/><!-- y --> </a>", "<a><b></b></a>"},
		"instructions":           {"<?p?><a>x<?p <a> & ?>y<?xml-x?></a><?p  ?>", "<a>xy</a>"},
		"cdata":                  {"<a><![CDATA[<b>&amp;]]]]><![CDATA[>]]></a>", "<a><b>&amp;]]></a>"},
		"cdata within text":      {"<a>x<![CDATA[ y ]]>z</a>", "<a>x y z</a>"},
		"cdata beside a child":   {"<a><![CDATA[ ]]><b/><![CDATA[x]]></a>", "<a>x<b></b></a>"},
		"the five entities":      {"<a x='&lt;&gt;&amp;&apos;&quot;'>&lt;&gt;&amp;&apos;&quot;</a>", `<a x="<>&'""><>&'"</a>`},
		"character references":   {"<a x='&#x20AC;'>&#228;&#x1F600;&#0000000065;</a>", `<a x="€">ä😀A</a>`},
		"line ends":              {"<a>1\r\n2\r3\n</a>", "<a>1\n2\n3\n</a>"},
		"line ends in cdata":     {"<a><![CDATA[1\r\n2\r3]]></a>", "<a>1\n2\n3</a>"},
		"line ends, divided":     {"<a>1\r<!-- -->\n2&#13;</a>", "<a>1\n\n2\r</a>"},
		"attribute white space":  {"<a x='1\r\n2\r3\n4\t5&#10;6&#9;7'/>", "<a x=\"1 2 3 4 5\n6\t7\"></a>"},
		"quotes in attributes":   {`<a x='"' y="'>"/>`, `<a x=""" y="'>"></a>`},
		"beyond ASCII":           {"<ä ö='ü'>\u0085é𝄞</ä>", "<ä ö=\"ü\">\u0085é𝄞</ä>"},
		"default namespace":      {`<a xmlns="u" x="1"><b xmlns=""/><c/></a>`, `<Q{u}a x="1"><b></b><Q{u}c></Q{u}c></Q{u}a>`},
		"prefixes":               {`<p:a xmlns:p="u" p:x="1" x="2"><q:b xmlns:q="u"/></p:a>`, `<Q{u}a Q{u}x="1" x="2"><Q{u}b></Q{u}b></Q{u}a>`},
		"a prefix bound anew":    {`<p:a xmlns:p="u"><p:a xmlns:p="v"><p:a/></p:a><p:a/></p:a>`, `<Q{u}a><Q{v}a><Q{v}a></Q{v}a></Q{v}a><Q{u}a></Q{u}a></Q{u}a>`},
		"declared after its use": {`<p:a p:x="1" xmlns:p="u"/>`, `<Q{u}a Q{u}x="1"></Q{u}a>`},
		"conventional prefixes":  {`<x:ID xmlns:x="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>`, `<cbc:ID></cbc:ID>`},
		"the prefix xml":         {`<a xml:lang="de" xmlns:xml="http://www.w3.org/XML/1998/namespace"/>`, `<a xml:lang="de"></a>`},
		"sharp brackets in text": {"<a>]] > ]></a>", "<a>]] > ]></a>"},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := xmlparse.Parse([]byte(c.in), xmlparse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := treeString(tree); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	const xml = "http://www.w3.org/XML/1998/namespace"
	for name, c := range map[string]struct {
		in, code     string
		line, column int
	}{
		"nothing":                        {"", xmlparse.CodeEmpty, 0, 0},
		"white space":                    {" \n", xmlparse.CodeEmpty, 0, 0},
		"only a mark":                    {"\ufeff", xmlparse.CodeEmpty, 0, 0},
		"doctype":                        {"<?xml version='1.0'?>\n<!DOCTYPE a><a/>", xmlparse.CodeDoctype, 2, 1},
		"doctype inside":                 {"<a><!DOCTYPE a></a>", xmlparse.CodeDoctype, 1, 4},
		"external entity":                {`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`, xmlparse.CodeDoctype, 1, 1},
		"unknown entity":                 {"<a>\n&nbsp;</a>", xmlparse.CodeEntity, 2, 1},
		"unknown entity in an attribute": {"<a x='&x;'/>", xmlparse.CodeEntity, 1, 7},
		"bare ampersand":                 {"<a>x & y</a>", xmlparse.CodeSyntax, 1, 6},
		"reference without end":          {"<a>&amp</a>", xmlparse.CodeSyntax, 1, 4},
		"empty reference":                {"<a>&;</a>", xmlparse.CodeSyntax, 1, 4},
		"upper-case hexadecimal mark":    {"<a>&#X41;</a>", xmlparse.CodeSyntax, 1, 4},
		"signed reference":               {"<a>&#+65;</a>", xmlparse.CodeSyntax, 1, 4},
		"reference to no character":      {"<a>&#0;</a>", xmlparse.CodeSyntax, 1, 4},
		"reference to a surrogate":       {"<a>&#xD800;</a>", xmlparse.CodeSyntax, 1, 4},
		"reference beyond Unicode":       {"<a>&#x110000;</a>", xmlparse.CodeSyntax, 1, 4},
		"control character":              {"<a>ä\x01</a>", xmlparse.CodeSyntax, 1, 5},
		"control character in a comment": {"<a><!--\x0c--></a>", xmlparse.CodeSyntax, 1, 8},
		"no character":                   {"<a>\uffff</a>", xmlparse.CodeSyntax, 1, 4},
		"text before":                    {"<!-- --> x <a/>", xmlparse.CodeSyntax, 1, 10},
		"text after":                     {"<a/>x", xmlparse.CodeSyntax, 1, 5},
		"reference after":                {"<a/>&#32;", xmlparse.CodeSyntax, 1, 5},
		"cdata after":                    {"<a/><![CDATA[]]>", xmlparse.CodeSyntax, 1, 5},
		"two roots":                      {"<a/>\n<b/>", xmlparse.CodeSyntax, 2, 1},
		"no root":                        {"<!-- -->", xmlparse.CodeSyntax, 1, 9},
		"only an end":                    {"</a>", xmlparse.CodeSyntax, 1, 1},
		"crossed tags":                   {"<a><b></a></b>", xmlparse.CodeSyntax, 1, 7},
		"longer end":                     {"<a></ab>", xmlparse.CodeSyntax, 1, 4},
		"shorter end":                    {"<ab></a>", xmlparse.CodeSyntax, 1, 5},
		"end of another prefix":          {"<a xmlns='u' xmlns:p='u'></p:a>", xmlparse.CodeSyntax, 1, 26},
		"space before the end's name":    {"<a></ a>", xmlparse.CodeSyntax, 1, 4},
		"attribute in an end":            {"<a></a x=''>", xmlparse.CodeSyntax, 1, 8},
		"unclosed":                       {"<a>\n<b>", xmlparse.CodeSyntax, 2, 4},
		"empty name":                     {"<>", xmlparse.CodeSyntax, 1, 1},
		"space before a name":            {"< a/>", xmlparse.CodeSyntax, 1, 1},
		"digit first":                    {"<1/>", xmlparse.CodeSyntax, 1, 2},
		"hyphen first":                   {"<-a/>", xmlparse.CodeSyntax, 1, 2},
		"two colons":                     {"<a:b:c xmlns:a='u'/>", xmlparse.CodeSyntax, 1, 2},
		"colon first":                    {"<:a/>", xmlparse.CodeSyntax, 1, 2},
		"colon last":                     {"<a: xmlns:a='u'/>", xmlparse.CodeSyntax, 1, 2},
		"multiplication sign":            {"<a×/>", xmlparse.CodeSyntax, 1, 2},
		"less-than in text":              {"<a>1 < 2</a>", xmlparse.CodeSyntax, 1, 6},
		"cdata end in text":              {"<a>x]]>y</a>", xmlparse.CodeSyntax, 1, 5},
		"unclosed cdata":                 {"<a><![CDATA[x]]</a>", xmlparse.CodeSyntax, 1, 4},
		"lower-case cdata":               {"<a><![cdata[x]]></a>", xmlparse.CodeSyntax, 1, 4},
		"hyphens in a comment":           {"<a><!-- x -- y --></a>", xmlparse.CodeSyntax, 1, 11},
		"three hyphens":                  {"<a><!-- x ---></a>", xmlparse.CodeSyntax, 1, 11},
		"shortest no comment":            {"<a><!--></a>", xmlparse.CodeSyntax, 1, 4},
		"instruction xml":                {"<a><?xml version='1.0'?></a>", xmlparse.CodeSyntax, 1, 4},
		"instruction XmL":                {"<a><?XmL x?></a>", xmlparse.CodeSyntax, 1, 4},
		"late declaration":               {"\n<?xml version='1.0'?><a/>", xmlparse.CodeSyntax, 2, 1},
		"instruction with a colon":       {"<?a:b?><a/>", xmlparse.CodeSyntax, 1, 1},
		"instruction without a name":     {"<? a?><a/>", xmlparse.CodeSyntax, 1, 1},
		"instruction without a space":    {"<?a+b?><a/>", xmlparse.CodeSyntax, 1, 4},
		"unclosed instruction":           {"<a><?b></a>", xmlparse.CodeSyntax, 1, 4},
		"declaration without version":    {"<?xml encoding='UTF-8'?><a/>", xmlparse.CodeSyntax, 1, 6},
		"bare declaration":               {"<?xml?><a/>", xmlparse.CodeSyntax, 1, 1},
		"XML 1.1":                        {"<?xml version='1.1'?><a/>", xmlparse.CodeSyntax, 1, 6},
		"declaration in wrong order":     {"<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", xmlparse.CodeSyntax, 1, 37},
		"standalone perhaps":             {"<?xml version='1.0' standalone='perhaps'?><a/>", xmlparse.CodeSyntax, 1, 20},
		"unknown declaration":            {"<?xml version='1.0' x='y'?><a/>", xmlparse.CodeSyntax, 1, 21},
		"no space in the declaration":    {"<?xml version='1.0'encoding='UTF-8'?><a/>", xmlparse.CodeSyntax, 1, 20},
		"attribute twice":                {"<a x='1' y='' x='2'/>", xmlparse.CodeSyntax, 1, 15},
		"attribute twice by namespace":   {"<a xmlns:p='u' xmlns:q='u' p:x='1' q:x='2'/>", xmlparse.CodeNamespace, 1, 36},
		"declaration twice":              {"<a xmlns:p='u' xmlns:p='u'/>", xmlparse.CodeSyntax, 1, 16},
		"default declaration twice":      {"<a xmlns='u' xmlns='v'/>", xmlparse.CodeSyntax, 1, 14},
		"attribute without value":        {"<a x/>", xmlparse.CodeSyntax, 1, 4},
		"attribute without quotes":       {"<a x=1/>", xmlparse.CodeSyntax, 1, 4},
		"attributes without a space":     {"<a x='1'y='2'/>", xmlparse.CodeSyntax, 1, 9},
		"attribute without a name":       {"<a ='1'/>", xmlparse.CodeSyntax, 1, 4},
		"less-than in an attribute":      {"<a x='<'/>", xmlparse.CodeSyntax, 1, 7},
		"unclosed attribute":             {"<a x='1/>", xmlparse.CodeSyntax, 1, 4},
		"slash in a tag":                 {"<a / >", xmlparse.CodeSyntax, 1, 4},
		"unbound prefix":                 {"<p:a/>", xmlparse.CodeNamespace, 1, 2},
		"unbound attribute prefix":       {"<a p:x=''/>", xmlparse.CodeNamespace, 1, 4},
		"prefix out of scope":            {"<a><b xmlns:p='u'/><p:c/></a>", xmlparse.CodeNamespace, 1, 21},
		"prefix of an empty namespace":   {"<a xmlns:p=''/>", xmlparse.CodeNamespace, 1, 4},
		"prefix xmlns declared":          {"<a xmlns:xmlns='u'/>", xmlparse.CodeNamespace, 1, 4},
		"namespace of xmlns declared":    {"<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", xmlparse.CodeNamespace, 1, 4},
		"prefix xml bound elsewhere":     {"<a xmlns:xml='u'/>", xmlparse.CodeNamespace, 1, 4},
		"namespace of xml elsewhere":     {"<a xmlns:p='" + xml + "'/>", xmlparse.CodeNamespace, 1, 4},
		"namespace of xml by default":    {"<a xmlns='" + xml + "'/>", xmlparse.CodeNamespace, 1, 4},
		"element xmlns":                  {"<xmlns:a/>", xmlparse.CodeNamespace, 1, 2},
		"prefix that is not a name":      {"<a xmlns:1='u'/>", xmlparse.CodeNamespace, 1, 4},
		"declared prefix missing":        {"<a xmlns:='u'/>", xmlparse.CodeNamespace, 1, 4},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := xmlparse.Parse([]byte(c.in), xmlparse.Limits{})
			e, ok := errors.AsType[*problem.Error](err)
			if !ok {
				t.Fatalf("accepted, or another error: %v", err)
			}
			if e.Code != c.code || e.Position != (source.Position{Line: c.line, Column: c.column}) {
				t.Errorf("got %v\nwant %s at line %d, column %d", e, c.code, c.line, c.column)
			}
			if e.Message == "" || e.Remedy == "" {
				t.Errorf("an error without message or remedy: %+v", e)
			}
		})
	}
}

// A document that is cut off anywhere is refused.
func TestParseTruncated(t *testing.T) {
	doc := "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<?p x?><!-- c --><p:a xmlns:p='u' x=\"1&lt;\">\r\n ä<b y='2'/><![CDATA[z]]>&#65;<!-- c --></p:a>"
	if _, err := xmlparse.Parse([]byte(doc), xmlparse.Limits{}); err != nil {
		t.Fatal(err)
	}
	for n := range len(doc) {
		_, err := xmlparse.Parse([]byte(doc[:n]), xmlparse.Limits{})
		if _, ok := errors.AsType[*problem.Error](err); !ok {
			t.Errorf("the first %d bytes: got %v, want an error", n, err)
		}
	}
}

func TestParseKnownNames(t *testing.T) {
	const uri = "urn:example:known"
	known := source.Intern(source.QName{URI: uri, Local: "a"}, source.QName{Local: "x"})
	tree, err := xmlparse.Parse([]byte(`<p:a xmlns:p="`+uri+`" x="1" y="2"><a/></p:a>`), xmlparse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	root := tree.Root()
	if tree.Name(root) != known[0] {
		t.Errorf("the root is %v, not the interned name", tree.Name(root))
	}
	if a, ok := tree.Attr(root, known[1]); !ok || tree.Attributes[a].Value != "1" {
		t.Error("the attribute is not found by its interned name")
	}
	if n := tree.Name(tree.FirstChild(root)); n.Known() || tree.NameOf(n) != (source.QName{Local: "a"}) {
		t.Errorf("the child without namespace is %v", tree.NameOf(n))
	}
	if len(tree.Unknown) != 2 { // y, and a without namespace
		t.Errorf("unknown names: %v", tree.Unknown)
	}
}

func TestPositions(t *testing.T) {
	doc := "<a>\r\n  <ä x='1'\n   y='2'/>\n</a>"
	tree, err := xmlparse.Parse([]byte("\ufeff"+doc), xmlparse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	child := tree.FirstChild(tree.Root())
	first := tree.Elements[child].FirstAttr
	for what, c := range map[string]struct {
		ref          source.Ref
		line, column int
	}{
		"root":             {tree.Root().Ref(), 1, 1},
		"child":            {child.Ref(), 2, 3},
		"first attribute":  {first.Ref(), 2, 6},
		"second attribute": {(first + 1).Ref(), 3, 4},
	} {
		if got := tree.Position(c.ref); got != (source.Position{Line: c.line, Column: c.column}) {
			t.Errorf("%s: got %v, want line %d, column %d", what, got, c.line, c.column)
		}
	}
}

func TestNamespaceAt(t *testing.T) {
	tree, err := xmlparse.Parse([]byte(`<a xmlns="d" xmlns:p="u"><b xmlns:p="v" xmlns:q="w"><c/></b><d/></a>`), xmlparse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	root := tree.Root()
	b := tree.FirstChild(root)
	for _, c := range []struct {
		at     source.Node
		prefix string
		want   string
		ok     bool
	}{
		{root, "", "d", true}, {root, "p", "u", true}, {root, "q", "", false},
		{b, "p", "v", true}, {tree.FirstChild(b), "q", "w", true}, {tree.FirstChild(b), "", "d", true},
		{tree.NextSibling(b), "p", "u", true}, {tree.NextSibling(b), "q", "", false},
		{root, "xml", "http://www.w3.org/XML/1998/namespace", true},
	} {
		if uri, ok := tree.NamespaceAt(c.at, c.prefix); uri != c.want || ok != c.ok {
			t.Errorf("prefix %q at element %d: got %q, %v", c.prefix, c.at, uri, ok)
		}
	}
}
