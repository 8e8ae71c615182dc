package formats_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An extendedType is a type of the schema of Factur-X EXTENDED: one with elements, or
// one with a value and attributes.
type extendedType struct {
	prefix     string // of its elements
	elements   []extendedElement
	base       string // of its value; empty for a type with elements
	attributes []string
}

type extendedElement struct {
	name, typ          string
	required, repeated bool
}

// readExtended reads the types of the schema by name.
func readExtended(t *testing.T) map[string]extendedType {
	t.Helper()
	files, err := filepath.Glob(extendedSchema + "/*.xsd")
	if err != nil || len(files) == 0 {
		t.Skip("skipped: there is no schema of EXTENDED at " + extendedSchema)
	}
	types := map[string]extendedType{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		type element struct {
			Name string `xml:"name,attr"`
			Type string `xml:"type,attr"`
			Min  string `xml:"minOccurs,attr"`
			Max  string `xml:"maxOccurs,attr"`
		}
		type extension struct {
			Base       string `xml:"base,attr"`
			Attributes []struct {
				Name string `xml:"name,attr"`
			} `xml:"attribute"`
		}
		var schema struct {
			Target string `xml:"targetNamespace,attr"`
			Types  []struct {
				Name     string    `xml:"name,attr"`
				Elements []element `xml:"sequence>element"`
				Choices  []element `xml:"choice>element"`
				Value    extension `xml:"simpleContent>extension"`
			} `xml:"complexType"`
		}
		if err := xml.Unmarshal(data, &schema); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		prefix := extendedPrefixes[schema.Target]
		for _, s := range schema.Types {
			made := extendedType{prefix: prefix, base: s.Value.Base}
			for _, e := range append(s.Elements, s.Choices...) {
				made.elements = append(made.elements, extendedElement{
					name: e.Name, typ: e.Type[strings.IndexByte(e.Type, ':')+1:], required: e.Min != "0", repeated: e.Max != "" && e.Max != "1",
				})
			}
			for _, a := range s.Value.Attributes {
				made.attributes = append(made.attributes, a.Name)
			}
			types[s.Name] = made
		}
	}
	return types
}

var extendedPrefixes = map[string]string{
	"urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100":                       "rsm",
	"urn:un:unece:uncefact:data:standard:QualifiedDataType:100":                          "qdt",
	"urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100": "ram",
	"urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100":                        "udt",
}

// A step is an element on the way to the one that is tried, or an attribute at its end.
type step struct {
	name     string // with prefix, or @ before it
	typ      string
	repeated bool
}

func pathOfSteps(steps []step) string {
	path := "/rsm:CrossIndustryInvoice"
	for _, s := range steps {
		path += "/" + s.name
	}
	return path
}

// An extendedSetting is what tells elements of one name apart.
type extendedSetting struct{ documentType, indicator, scheme string }

var extendedSettings = []extendedSetting{
	{"", "true", "VA"}, {"916", "false", "FC"}, {"50", "true", "VA"}, {"130", "false", "FC"},
}

// An extendedGenerator makes documents with one element of the schema.
type extendedGenerator struct {
	types   map[string]extendedType
	setting extendedSetting
}

// walk calls f for every element with a value, and for every attribute.
func (g *extendedGenerator) walk(typ string, at []step, f func([]step)) {
	t := g.types[typ]
	for _, a := range t.attributes {
		f(append(slices.Clip(at), step{name: "@" + a}))
	}
	if len(t.elements) == 0 {
		f(at)
		return
	}
	for _, e := range t.elements {
		g.walk(e.typ, append(slices.Clip(at), step{t.prefix + ":" + e.name, e.typ, e.repeated}), f)
	}
}

// document makes a document with the element at focus and what the schema requires
// beside it. If twice, the innermost element on the way that may repeat does. The values
// are those of the element, one or two.
func (g *extendedGenerator) document(focus []step, twice bool) (document string, values []string) {
	double := -1
	for i := range focus {
		if twice && focus[i].repeated {
			double = i
		}
	}
	var b strings.Builder
	b.WriteString(`<rsm:CrossIndustryInvoice`)
	for uri, prefix := range extendedPrefixes {
		fmt.Fprintf(&b, " xmlns:%s=%q", prefix, uri)
	}
	b.WriteString(">")
	copies := 0
	g.content(&b, "CrossIndustryInvoiceType", focus, 0, double, &copies, &values)
	b.WriteString("</rsm:CrossIndustryInvoice>")
	return b.String(), values
}

// content writes the elements of a type: the one on the way to focus, and the required
// ones.
func (g *extendedGenerator) content(b *strings.Builder, typ string, focus []step, depth, double int, copies *int, values *[]string) {
	t := g.types[typ]
	for _, e := range t.elements {
		name := t.prefix + ":" + e.name
		switch {
		case depth < len(focus) && focus[depth].name == name:
			times := 1
			if depth == double {
				times = 2
			}
			for range times {
				g.element(b, name, e.typ, focus, depth+1, double, copies, values)
			}
		case e.required || g.companion(typ, e.name) != "":
			g.element(b, name, e.typ, nil, 1, -1, copies, values)
		}
	}
}

// companion is the value of an element that tells what the element around it is.
func (g *extendedGenerator) companion(typ, name string) string {
	switch typ + "/" + name {
	case "TradeTaxType/TypeCode":
		return "VAT"
	case "ReferencedDocumentType/TypeCode":
		return g.setting.documentType
	case "ProductClassificationType/ClassCode":
		return "class"
	}
	return ""
}

// element writes an element. depth is that of its content within focus, beyond its end
// for an element beside the way.
func (g *extendedGenerator) element(b *strings.Builder, name, typ string, focus []step, depth, double int, copies *int, values *[]string) {
	t := g.types[typ]
	on := focus != nil // this element is on the way
	attribute := on && depth < len(focus) && strings.HasPrefix(focus[depth].name, "@")
	b.WriteString("<" + name)
	for _, a := range t.attributes {
		switch {
		case attribute && focus[depth].name == "@"+a:
			fmt.Fprintf(b, " %s=%q", a, g.value(a, "", "", copies, values))
		case a == "schemeID" && strings.HasSuffix(b.String()[:strings.LastIndexByte(b.String(), '<')], "<ram:SpecifiedTaxRegistration>"):
			fmt.Fprintf(b, " %s=%q", a, g.setting.scheme)
		case a == "schemeID" && name == "ram:GlobalID":
			b.WriteString(` schemeID="0088"`)
		}
	}
	if isDate(name) {
		b.WriteString(` format="102"`)
	}
	b.WriteString(">")
	switch {
	case len(t.elements) > 0:
		if on {
			g.content(b, typ, focus, depth, double, copies, values)
		} else {
			g.content(b, typ, nil, 0, -1, copies, values)
		}
	case on && depth == len(focus):
		b.WriteString(g.value(name, typ, t.base, copies, values))
	default:
		b.WriteString(g.plain(name, t.base))
	}
	b.WriteString("</" + name + ">")
}

// isDate reports whether an element is a date, whose type has no name in the schema.
func isDate(name string) bool {
	return strings.HasSuffix(name, ":DateTimeString") || strings.HasSuffix(name, ":DateString")
}

// value is a value for what is tried, another one each time.
func (g *extendedGenerator) value(name, typ, base string, copies *int, values *[]string) string {
	*copies++
	value := "value-" + strconv.Itoa(*copies)
	switch {
	case isDate(name):
		value = "2026031" + strconv.Itoa(*copies)
	case base == "xs:decimal":
		value = "7" + strconv.Itoa(*copies) + ".25"
	case base == "xs:base64Binary":
		value = []string{"", "QUJD", "REVG"}[*copies]
	case strings.HasSuffix(name, ":Indicator"):
		value = g.setting.indicator
	case typ == "TaxTypeCodeType":
		value = "VAT"
	case name == "ram:IBANID":
		value = []string{"", "DE02120300000000202051", "DE02500105170137075030"}[*copies]
	}
	*values = append(*values, value)
	return value
}

// plain is the value of an element beside the one that is tried.
func (g *extendedGenerator) plain(name, base string) string {
	switch {
	case isDate(name):
		return "20260301"
	case base == "xs:decimal":
		return "5"
	case base == "xs:base64Binary":
		return "WFla"
	case strings.HasSuffix(name, ":Indicator"):
		return g.setting.indicator
	case name == "ram:TypeCode":
		return "VAT"
	}
	return "beside"
}
