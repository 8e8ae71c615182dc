package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/model/source"
)

// prefixes are those that the schemas themselves use. The prefixes udt and qdt are
// used for different namespaces in UBL and in CII.
var prefixes = map[string]string{
	xs: "xs",
	"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2":                             "ubl",
	"urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2":                          "cn",
	"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2":           "cac",
	"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2":               "cbc",
	"urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2":           "ext",
	"urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2":           "sig",
	"urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2":        "sac",
	"urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2":            "sbc",
	"urn:oasis:names:specification:ubl:schema:xsd:UnqualifiedDataTypes-2":                "udt",
	"urn:oasis:names:specification:ubl:schema:xsd:QualifiedDataTypes-2":                  "qdt",
	"urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2":           "cct",
	"http://www.w3.org/2000/09/xmldsig#":                                                 "ds",
	"http://uri.etsi.org/01903/v1.3.2#":                                                  "xades",
	"http://uri.etsi.org/01903/v1.4.1#":                                                  "xades141",
	"urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100":                       "rsm",
	"urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100": "ram",
	"urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100":                        "udt",
	"urn:un:unece:uncefact:data:standard:QualifiedDataType:100":                          "qdt",
}

// A printer writes the facts of some documents of a schema.
type printer struct {
	schema  *schemaSet
	out     bytes.Buffer
	used    map[string]bool       // namespaces
	printed map[source.QName]bool // types
	err     error
}

// print writes the facts of some documents of the schema. common is the file with the
// facts of the others, if there is one.
func (s *schemaSet) print(documents []*document, common string) ([]byte, error) {
	p := &printer{schema: s, used: map[string]bool{}, printed: map[source.QName]bool{}}
	var sources []string
	for _, d := range documents {
		sources = append(sources, filepath.Base(d.path))
		p.document(d)
	}
	if p.err != nil {
		return nil, p.err
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "# Facts from %s.\n", strings.Join(sources, ", "))
	head.WriteString("# Written by formats/schema/gen, which is the place to change something; how to read it is said in formats/schema/doc.go.\n\n")
	if common != "" {
		fmt.Fprintf(&head, "include %s\n", common)
	}
	var lines []string
	for uri := range p.used {
		lines = append(lines, fmt.Sprintf("prefix %s %s\n", prefixes[uri], uri))
	}
	slices.Sort(lines)
	for _, l := range lines {
		head.WriteString(l)
	}
	return append(head.Bytes(), p.out.Bytes()...), nil
}

func (p *printer) document(d *document) {
	for c := range d.tree.Children(d.tree.Root()) {
		at := declaration{d, c}
		switch at.kind() {
		case "element":
			p.element(at)
		case "complexType", "simpleType":
			if name := d.name(at.attr("name")); !p.printed[name] {
				p.out.WriteByte('\n')
				p.typ(name, at)
			}
		}
	}
}

// element writes a global element, followed by its type if that is from the same
// document.
func (p *printer) element(d declaration) {
	name := d.in.name(d.attr("name"))
	typ, err := p.schema.typeOf(d)
	if err == nil {
		err = d.check()
	}
	if err != nil {
		p.err = err
		return
	}
	fmt.Fprintf(&p.out, "\nelement %s %s\n", p.name(name), p.name(typ))
	if at, ok := p.schema.types[typ]; ok && at.in == d.in && !p.printed[typ] {
		p.typ(typ, at)
	}
}

func (p *printer) typ(name source.QName, d declaration) {
	if p.err != nil {
		return
	}
	p.printed[name] = true
	f, err := p.schema.readType(d)
	if err != nil {
		p.err = err
		return
	}
	fmt.Fprintf(&p.out, "type %s", p.name(name))
	if f.base != (source.QName{}) {
		fmt.Fprintf(&p.out, " < %s", p.name(f.base))
	}
	if f.abstract {
		p.out.WriteString(" abstract")
	}
	p.out.WriteByte('\n')
	if d.kind() == "simpleType" {
		p.facets(f)
		return
	}
	if f.base != (source.QName{}) {
		base, err := p.schema.typeNamed(f.base, d)
		if err != nil {
			p.err = err
			return
		}
		if f.text != (source.QName{}) && f.text == base.text && f.anyAttr == base.anyAttr && slices.Equal(f.attrs, base.attrs) {
			return // it has the same content as its base
		}
	}
	var local []source.QName // types that are declared inside this one
	switch {
	case f.text != (source.QName{}):
		fmt.Fprintf(&p.out, "\ttext %s\n", p.name(f.text))
	case f.content == nil:
		p.out.WriteString("\tempty\n")
	default:
		if f.mixed {
			p.out.WriteString("\tmixed\n")
		}
		if top := f.content; top.kind == "sequence" && occurs(top) == "1" {
			for _, part := range top.parts {
				p.particle(part, 1, &local)
			}
		} else {
			p.particle(top, 1, &local)
		}
	}
	for _, a := range f.attrs {
		p.attribute(a)
	}
	if f.anyAttr != "" {
		fmt.Fprintf(&p.out, "\t0..n @any %s\n", f.anyAttr)
	}
	for _, name := range local {
		p.out.WriteByte('\n')
		p.typ(name, p.schema.types[name])
	}
}

func (p *printer) facets(f *facts) {
	if f.minLength != "" || f.maxLength != "" {
		fmt.Fprintf(&p.out, "\tlength %s..%s\n", f.minLength, f.maxLength)
	}
	for _, v := range f.enum {
		fmt.Fprintf(&p.out, "\tvalue %s\n", v)
	}
}

func (p *printer) attribute(a attribute) {
	times := "0..1"
	if a.required {
		times = "1"
	}
	fmt.Fprintf(&p.out, "\t%s @%s %s", times, p.name(a.name), p.name(a.typ))
	if a.fixed != "" {
		fmt.Fprintf(&p.out, " = %s", a.fixed)
	}
	p.out.WriteByte('\n')
}

func (p *printer) particle(part *particle, depth int, local *[]source.QName) {
	fmt.Fprintf(&p.out, "%s%s ", strings.Repeat("\t", depth), occurs(part))
	switch part.kind {
	case "element":
		p.out.WriteString(p.name(part.name))
		if part.typ != (source.QName{}) {
			fmt.Fprintf(&p.out, " %s", p.name(part.typ))
		}
		if strings.Contains(part.typ.Local, "/") {
			*local = append(*local, part.typ)
		}
		p.out.WriteByte('\n')
	case "any":
		fmt.Fprintf(&p.out, "any %s", part.process)
		if part.except != "" {
			p.used[part.except] = true
			fmt.Fprintf(&p.out, " except %s", prefixes[part.except])
		}
		p.out.WriteByte('\n')
	default:
		fmt.Fprintf(&p.out, "%s\n", part.kind)
		for _, c := range part.parts {
			p.particle(c, depth+1, local)
		}
	}
}

// occurs writes how often a particle may occur: 1, 0..1, 0..n, 1..n, 0..2.
func occurs(part *particle) string {
	low, high := part.min, part.max
	if low == "" {
		low = "1"
	}
	switch high {
	case "":
		high = "1"
	case "unbounded":
		high = "n"
	}
	if low == high {
		return low
	}
	return low + ".." + high
}

// name spells a name with the prefix that the schemas use for its namespace.
func (p *printer) name(q source.QName) string {
	if q.URI == "" {
		return q.Local
	}
	prefix, ok := prefixes[q.URI]
	if !ok {
		p.err = fmt.Errorf("namespace %s has no prefix", q.URI)
	}
	p.used[q.URI] = true
	return prefix + ":" + q.Local
}
