package kosit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	rulexpath "einvoice/engine/xpath"
	"einvoice/formats/xmlfile"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

// Assertions are what the author of a configuration expects of reports: for the report of a
// document, XPath expressions that are true.
type Assertions struct {
	all []assertion
}

type assertion struct {
	report string // the document, or its report
	test   *xpath.Expr
	text   string
}

const assertionsNamespace = "http://www.xoev.de/de/validator/framework/1/assertions"

// longestTest bounds an expression, in bytes.
const longestTest = 10_000

// ReadAssertions reads a file of assertions. Their expressions are XPath 2.0, of which the
// part is understood that is XPath 1.0, and exists() and ends-with(); any other is an error
// that names it.
func ReadAssertions(data []byte) (*Assertions, error) {
	var file struct {
		XMLName    xml.Name
		Namespaces []struct {
			Prefix string `xml:"prefix,attr"`
			URI    string `xml:",chardata"`
		} `xml:"http://www.xoev.de/de/validator/framework/1/assertions namespace"`
		Assertions []struct {
			Report string `xml:"report-doc,attr"`
			Test   string `xml:"test,attr"`
			Text   string `xml:",chardata"`
		} `xml:"http://www.xoev.de/de/validator/framework/1/assertions assertion"`
	}
	if err := xmlfile.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the assertions are not XML: %w", err)
	}
	if want := (xml.Name{Space: assertionsNamespace, Local: "assertions"}); file.XMLName != want {
		return nil, fmt.Errorf("this is not a file of assertions: its element is %s of namespace %q, and not assertions of %q", file.XMLName.Local, file.XMLName.Space, assertionsNamespace)
	}
	prefixes := map[string]string{}
	for _, n := range file.Namespaces {
		prefixes[n.Prefix] = strings.TrimSpace(n.URI)
	}
	a := &Assertions{}
	for i, f := range file.Assertions {
		if f.Report == "" || f.Test == "" || len(f.Test) > longestTest {
			return nil, fmt.Errorf("assertion %d needs the attributes report-doc and test, of at most %d bytes", i+1, longestTest)
		}
		test, err := compileTest(f.Test, prefixes)
		if err != nil {
			return nil, fmt.Errorf("assertion %d (%s): %s is not understood: %w; XPath 1.0, exists() and ends-with() are", i+1, f.Report, f.Test, err)
		}
		a.all = append(a.all, assertion{f.Report, test, strings.Join(strings.Fields(f.Text), " ")})
	}
	return a, nil
}

// compileTest compiles an expression. The package that evaluates it takes some of what is not
// XPath 1.0 for something else, so that the grammar of rules has to know it first.
func compileTest(text string, prefixes map[string]string) (*xpath.Expr, error) {
	own := matchParts().ReplaceAllStringFunc(text, func(part string) string {
		if strings.HasPrefix(part, "exists") {
			return "boolean("
		}
		return part
	})
	grammar := matchParts().ReplaceAllStringFunc(own, func(part string) string {
		if prefix, rest, ok := strings.Cut(part, ":"); ok && part[0] != '\'' && part[0] != '"' && prefixes[prefix] != "" {
			return "cbc:" + rest // a prefix that the grammar knows
		}
		return part
	})
	if _, err := rulexpath.ParseExpression(grammar); err != nil {
		return nil, err
	}
	return xpath.CompileWithNS(own, prefixes)
}

// Check evaluates the assertions about the report of a document, whose name is without its
// ending: how many there are, and the texts of those that are not true.
func (a *Assertions) Check(name string, report []byte) (checked int, failed []string, err error) {
	doc, err := xmlquery.Parse(bytes.NewReader(report))
	if err != nil {
		return 0, nil, fmt.Errorf("the report cannot be read: %w", err)
	}
	for _, one := range a.about(name) {
		checked++
		if !holds(one.test.Evaluate(xmlquery.CreateXPathNavigator(doc))) {
			failed = append(failed, one.text)
		}
	}
	return checked, failed, nil
}

// about are the assertions for the first of the reports that a document may be meant by, as
// the validator finds it: the name begins with that of the document, or ends it.
func (a *Assertions) about(name string) (found []assertion) {
	meant := ""
	for _, one := range a.all {
		if meant == "" && (strings.HasPrefix(one.report, name) || strings.HasSuffix(name+".xml", one.report)) {
			meant = one.report
		}
		if meant != "" && one.report == meant {
			found = append(found, one)
		}
	}
	return found
}

// holds is the effective boolean value of what an expression gives.
func holds(value any) bool {
	switch v := value.(type) {
	case bool:
		return v
	case string:
		return v != ""
	case float64:
		return v != 0 && !math.IsNaN(v)
	case *xpath.NodeIterator:
		return v.MoveNext()
	}
	return false
}
