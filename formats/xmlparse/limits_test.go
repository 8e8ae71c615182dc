package xmlparse_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
)

func TestLimits(t *testing.T) {
	attributes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d=''", i)
		}
		return "<a" + b.String() + "/>"
	}
	for name, c := range map[string]struct {
		limits        xmlparse.Limits
		within, above string
	}{
		"bytes":           {xmlparse.Limits{Bytes: 8}, "<abcde/>", "<abcdef/>"},
		"depth":           {xmlparse.Limits{Depth: 2}, "<a><b/></a>", "<a><b><c/></b></a>"},
		"elements":        {xmlparse.Limits{Elements: 3}, "<a><b/><b/></a>", "<a><b/><b/><b/></a>"},
		"attributes":      {xmlparse.Limits{Attributes: 20}, attributes(20), attributes(21)},
		"namespaces":      {xmlparse.Limits{Namespaces: 1}, "<a xmlns='u'><b xmlns='u'/></a>", "<a xmlns='u'><b xmlns='v'/></a>"},
		"names":           {xmlparse.Limits{Names: 2}, "<a><b/><a/><b/></a>", "<a><b/><c/></a>"},
		"text":            {xmlparse.Limits{TextBytes: 3}, "<a>abc</a>", "<a>abcd</a>"},
		"text in pieces":  {xmlparse.Limits{TextBytes: 3}, "<a>a<!---->bc</a>", "<a>ab<!---->cd</a>"},
		"text in cdata":   {xmlparse.Limits{TextBytes: 3}, "<a><![CDATA[abc]]></a>", "<a><![CDATA[abcd]]></a>"},
		"mixed text":      {xmlparse.Limits{TextBytes: 3}, "<a>a<b/>bc</a>", "<a>ab<b/>cd</a>"},
		"attribute value": {xmlparse.Limits{TextBytes: 3}, "<a x='abc'/>", "<a x='abcd'/>"},
		"bytes of a name": {xmlparse.Limits{NameBytes: 2}, "<ab cd=''/>", "<abc/>"},
		"of an attribute": {xmlparse.Limits{NameBytes: 2}, "<ab cd=''/>", "<ab cde=''/>"},
		"of a namespace":  {xmlparse.Limits{NameBytes: 5}, "<a xmlns='abcde'/>", "<a xmlns='abcdef'/>"},
		"default depth":   {xmlparse.Limits{}, nested(256), nested(257)},
		"defaults":        {xmlparse.Limits{}, attributes(256), attributes(257)},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := xmlparse.Parse([]byte(c.within), c.limits); err != nil {
				t.Errorf("within the limit: %v", err)
			}
			_, err := xmlparse.Parse([]byte(c.above), c.limits)
			if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != xmlparse.CodeLimit {
				t.Errorf("above the limit: got %v, want %s", err, xmlparse.CodeLimit)
			}
		})
	}
}

func nested(n int) string { return strings.Repeat("<a>", n) + strings.Repeat("</a>", n) }

// Documents that are made to exhaust a parser are refused or parsed in linear time. If
// any step were quadratic, this test would take minutes.
func TestHostile(t *testing.T) {
	var attributes, declarations, entities, names strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&attributes, " a%d='x'", i)
		fmt.Fprintf(&declarations, " xmlns:p%d='u%d'", i, i)
		fmt.Fprintf(&names, "<n%d xmlns='u%d'/>", i, i)
	}
	for i := range 30 {
		fmt.Fprintf(&entities, "<!ENTITY e%d '&e%d;&e%d;'>", i+1, i, i)
	}
	for name, c := range map[string]struct{ in, code string }{
		"200,000 levels":       {nested(200_000), xmlparse.CodeLimit},
		"never closed":         {strings.Repeat("<a>", 200_000), xmlparse.CodeLimit},
		"100,000 attributes":   {"<a" + attributes.String() + "/>", xmlparse.CodeLimit},
		"100,000 declarations": {"<a" + declarations.String() + "/>", xmlparse.CodeLimit},
		"100,000 names":        {"<a>" + names.String() + "</a>", xmlparse.CodeLimit},
		"entity bomb":          {"<!DOCTYPE a [<!ENTITY e0 'x'>" + entities.String() + "]><a>&e30;</a>", xmlparse.CodeDoctype},
		"text in pieces":       {"<a>" + strings.Repeat("x<b/>", 1_000_000) + "</a>", ""},
		"many comments":        {"<a>" + strings.Repeat("x<!---->", 1_000_000) + "</a>", ""},
		"many references":      {"<a>" + strings.Repeat("&lt;", 1_000_000) + "</a>", ""},
		"many ampersands":      {"<a>" + strings.Repeat("&", 1_000_000) + "</a>", xmlparse.CodeSyntax},
		"many full start tags": {"<a>" + strings.Repeat("<b"+attributes.String()[:2_000]+"'/>", 2_000) + "</a>", xmlparse.CodeSyntax},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := xmlparse.Parse([]byte(c.in), xmlparse.Limits{})
			if c.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != c.code {
				t.Errorf("got %v, want %s", err, c.code)
			}
		})
	}
}
