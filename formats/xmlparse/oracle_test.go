package xmlparse_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/model/sampled"
	"einvoice/model/source"
)

// stdTreeString is treeString by encoding/xml. All white space in attribute values
// becomes spaces, because encoding/xml does not normalize them.
func stdTreeString(doc string) (string, error) {
	type element struct {
		name     string
		head     strings.Builder
		children strings.Builder
		runs     []string // character data between two tags
		parent   *element
	}
	top := &element{runs: []string{""}}
	current := top
	decoder := xml.NewDecoder(strings.NewReader(doc))
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // doc is UTF-8, even if it declares another encoding
	spell := func(n xml.Name) string { return source.QName{URI: n.Space, Local: n.Local}.String() }
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return top.children.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: spell(token.Name), parent: current, runs: []string{""}}
			e.head.WriteString("<" + e.name)
			for _, a := range token.Attr {
				if a.Name.Space != "xmlns" && (a.Name.Space != "" || a.Name.Local != "xmlns") {
					e.head.WriteString(" " + spell(a.Name) + "=\"" + a.Value + "\"")
				}
			}
			current.runs = append(current.runs, "")
			current = e
		case xml.EndElement:
			text := ""
			for _, run := range current.runs {
				if len(current.runs) == 1 || strings.Trim(run, " \t\r\n") != "" {
					text += run
				}
			}
			current.parent.children.WriteString(spaces(current.head.String()) + ">" + text + current.children.String() + "</" + current.name + ">")
			current = current.parent
		case xml.CharData:
			current.runs[len(current.runs)-1] += string(token)
		}
	}
}

// spaces replaces all white space of a start tag by spaces.
func spaces(s string) string { return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(s) }

// treeStringForStd is treeString with attribute values as stdTreeString writes them.
func treeStringForStd(t *source.Tree) string {
	attributes := t.Attributes
	defer func() { t.Attributes = attributes }()
	t.Attributes = slices.Clone(attributes)
	for i := range t.Attributes {
		t.Attributes[i].Value = spaces(t.Attributes[i].Value)
	}
	return treeString(t)
}

var xsdEngine = sync.OnceValues(func() (*xsd.Engine, error) {
	const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="xs:anyType"/></xs:schema>`
	return xsd.Compile(context.Background(), xsd.Bytes("xsdEngine.xsd", []byte(schema)))
})

// xsdRefuses is the error of github.com/jacoelho/xsd for a document that is not
// well-formed; nil for others. Errors about the schema are ignored.
func xsdRefuses(tb testing.TB, doc string) error {
	engine, err := xsdEngine()
	if err != nil {
		tb.Fatal(err)
	}
	err = engine.ValidateWithOptions(context.Background(), strings.NewReader(doc), xsd.ValidateOptions{MaxInstanceAttributes: 100_000, MaxInstanceTextBytes: 64 << 20, MaxInstanceTokenBytes: 64 << 20})
	list := xsderrors.Errors{err}
	if several, ok := errors.AsType[xsderrors.Errors](err); ok {
		list = several
	}
	for _, one := range list {
		e, ok := errors.AsType[*xsderrors.Error](one)
		if !ok {
			continue
		}
		switch {
		case e.Code == xsderrors.CodeValidationXML, e.Category == xsderrors.CategoryUnsupported,
			e.Code == xsderrors.CodeValidationText, // outside the root element
			e.Line == 0:                            // no root element at all
			return one
		}
	}
	return nil
}

// compare compares the parser with both oracles.
func compare(tb testing.TB, data []byte) {
	tree, err := xmlparse.Parse(data, xmlparse.Limits{})
	if err != nil {
		e, ok := errors.AsType[*problem.Error](err)
		if !ok {
			tb.Fatalf("an error of another type: %v", err)
		}
		// jacoelho/xsd allows references to white space outside the root element, and
		// does not notice a second root element whose start tag is incomplete.
		lax := (strings.HasSuffix(e.Message, "the root element") || e.Code == xmlparse.CodeNotXML) && bytes.Contains(data, []byte("&")) ||
			e.Message == "a second root element"
		if e.Code != xmlparse.CodeLimit && !lax && xsdRefuses(tb, string(data)) == nil {
			tb.Errorf("refused: %v\naccepted by jacoelho/xsd", err)
		}
		return
	}
	if err := consistent(tree); err != nil {
		tb.Error(err)
	}
	// jacoelho/xsd supports UTF-8 only, and checks the encoding declaration.
	if bytes.Contains(data, []byte(tree.Data)) && !strings.Contains(strings.ToLower(tree.Data), "encoding") {
		if err := xsdRefuses(tb, tree.Data); err != nil {
			tb.Errorf("accepted, refused by jacoelho/xsd: %v", err)
		}
	}
	want, err := stdTreeString(tree.Data)
	if err != nil {
		// encoding/xml has the name characters of the fourth edition of XML 1.0.
		if strings.ContainsFunc(tree.Data, func(r rune) bool { return r >= 0x80 }) && strings.Contains(err.Error(), "name") {
			return
		}
		tb.Fatalf("accepted, refused by encoding/xml: %v", err)
	}
	if got := treeStringForStd(tree); got != want {
		tb.Errorf("got          %s\nencoding/xml %s", got, want)
	}
}

// consistent checks the properties of a tree that all code relies on.
func consistent(t *source.Tree) error {
	var open []source.Node
	for i := 1; i < len(t.Elements); i++ {
		n, e := source.Node(i), t.Elements[i]
		for len(open) > 0 && t.Elements[open[len(open)-1]].End == n {
			open = open[:len(open)-1]
		}
		parent := source.Node(0)
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		switch {
		case e.Parent != parent || (parent == 0) != (i == 1):
			return fmt.Errorf("element %d has parent %d, is inside %d", i, e.Parent, parent)
		case e.End <= n || int(e.End) > len(t.Elements) || parent != 0 && e.End > t.Elements[parent].End:
			return fmt.Errorf("element %d ends before %d", i, e.End)
		case t.Data[e.Offset] != '<':
			return fmt.Errorf("element %d is not at its offset", i)
		}
		for k, a := range t.AttrsOf(n) {
			if local := t.NameOf(a.Name).Local; a.Owner != n || !strings.Contains(t.Data[a.Offset:], local) {
				return fmt.Errorf("attribute %d of element %d is not at its place", k, i)
			}
		}
		open = append(open, n)
	}
	return nil
}

// The documents of all suites have the same elements, attributes and texts.
func TestSuitesAgainstStd(t *testing.T) {
	for _, name := range []string{"cen-unit", "cen-examples", "xrechnung-schematron", "xrechnung-testsuite", "xrechnung-history", "zugferd-corpus/xml"} {
		t.Run(name, func(t *testing.T) {
			docs, _ := suite(t, name)
			for i, d := range docs {
				if !sampled.Takes(i, 4) {
					continue
				}
				compare(t, d)
				if _, err := xmlparse.Parse(d, xmlparse.Limits{}); err != nil {
					t.Error(err)
				}
			}
			t.Logf("%d documents", len(docs))
		})
	}
}

// encoding/xml accepts these documents, although they are not well-formed or not safe.
// If a later version of Go refuses one, remove it from the list.
func TestStdIsLaxer(t *testing.T) {
	for name, doc := range map[string]string{
		"document type":       `<!DOCTYPE a SYSTEM "a.dtd"><a/>`,
		"duplicate attribute": `<a x="1" x="2"/>`,
		"two roots":           `<a/><b/>`,
		"trailing text":       `<a/>text`,
		"unbound prefix":      `<p:a/>`,
		"depth":               nested(1_000),
		"late declaration":    `<a><?xml version="1.0"?></a>`,
		"xmlns rebound":       `<a xmlns:xml="u"/>`,
		"standalone":          `<?xml version="1.0" standalone="perhaps"?><a/>`,
		"space in attributes": `<a x="1"y="2"/>`,
		"no name":             `<a x:="1"/>`,
	} {
		if _, err := stdTreeString(doc); err != nil {
			t.Errorf("%s: encoding/xml refuses it now: %v", name, err)
		}
		if _, err := xmlparse.Parse([]byte(doc), xmlparse.Limits{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='no'?>\r\n<?p x?><!-- c --><p:a xmlns:p='u' xmlns='v' x=\"1&lt;\t\n\">\r\n ä<b y='2' xml:lang='de'/>x<![CDATA[z]]>&#65;<!-- c --></p:a> ",
		"<a xmlns:p='u' xmlns:q='u' p:x='1' q:y='2'>&amp;&#x41;<b xmlns='w'>]] ></b></a>",
		"<a>\n <b> </b>\n <!---->t</a><!---->", "\ufeff<a/>", "<!DOCTYPE a><a/>", "<a>]]></a>", "<a x='1'x='2'/>",
		"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc</a>", "\xff\xfe<\x00a\x00/\x00>\x00", "{}", "%PDF", "<ꀀ/>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, data) })
}

// Random sequences of XML tokens cover more cases than random bytes.
func TestFragments(t *testing.T) {
	pieces := []string{
		"<a>", "<a>", "</a>", "</a>", "<b/>", "<p:a>", "</p:a>", "<a", " ", "\r\n", "\t", ">", "/>", "</", "/", "=", "'", `"`, "x", " x='1'", " p:x='2'", " y=\"'\"",
		" xmlns:p='u'", " xmlns='u'", " xmlns:q='u' q:x='1'", " xmlns:p='v'", " xmlns=''", " xmlns:p=''", " xml:lang='de'", " xmlns:xml='u'",
		"&lt;", "&#9;", "&#xD;", "&#0;", "&", ";", "&x;", "]]>", "]]", "<![CDATA[", "<![CDATA[ ]]>", "<!--", "-->", "--", "-", "<!---->", "<?p ", "?>", "<?p?>", "<?xml version='1.0'?>", "<!DOCTYPE a>",
		"ä", "1", ":", ".", "\x01", "\uffff", "text", "\ufeff",
	}
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range sampled.Of(100_000, 5) {
		var doc strings.Builder
		if random.IntN(4) > 0 {
			doc.WriteString("<a>")
		}
		for range random.IntN(9) {
			doc.WriteString(pieces[random.IntN(len(pieces))])
		}
		if random.IntN(4) > 0 {
			doc.WriteString("</a>")
		}
		if compare(t, []byte(doc.String())); t.Failed() {
			t.Fatalf("on %q", doc.String())
		}
		if _, err := xmlparse.Parse([]byte(doc.String()), xmlparse.Limits{}); err == nil {
			accepted++
		}
	}
	if accepted < sampled.Of(5_000, 5) {
		t.Errorf("only %d of the documents were well-formed", accepted)
	}
}
