package archive

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"time"
)

// The namespaces of the properties that are not predefined in PDF/A and need an
// extension schema.
const (
	namespaceInvoice = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
	namespaceUA      = "http://www.aiim.org/pdfua/ns/id/"
)

// xmpPacket is the XMP packet. Each property is an element, which every reader
// understands.
func xmpPacket(m Metadata) []byte {
	var w xmpWriter
	w.line("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>")
	w.line(`<x:xmpmeta xmlns:x="adobe:ns:meta/">`)
	w.line(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`)
	w.identification(m)
	w.document(m)
	if m.Invoice != nil {
		w.description("fx", namespaceInvoice, func() {
			w.property("fx:DocumentType", "INVOICE")
			w.property("fx:DocumentFileName", m.Invoice.FileName)
			w.property("fx:Version", m.Invoice.Version)
			w.property("fx:ConformanceLevel", m.Invoice.ConformanceLevel)
		})
	}
	w.extensions(m)
	w.line("</rdf:RDF>")
	w.line("</x:xmpmeta>")
	w.line(`<?xpacket end="w"?>`)
	return w.Bytes()
}

type xmpWriter struct{ bytes.Buffer }

func (w *xmpWriter) line(s string) {
	w.WriteString(s)
	w.WriteByte('\n')
}

// property writes a property with a simple value; nothing if the value is empty.
func (w *xmpWriter) property(name, value string) {
	if value != "" {
		w.line(fmt.Sprintf("<%s>%s</%[1]s>", name, escape(value)))
	}
}

// array writes a property whose value is an array of one item; nothing if the item
// is empty. The kind is Alt, Seq or Bag.
func (w *xmpWriter) array(name, kind, attributes, value string) {
	if value != "" {
		w.line(fmt.Sprintf("<%s><rdf:%s><rdf:li%s>%s</rdf:li></rdf:%[2]s></%[1]s>", name, kind, attributes, escape(value)))
	}
}

func (w *xmpWriter) description(prefix, namespace string, properties func()) {
	w.line(fmt.Sprintf(`<rdf:Description rdf:about="" xmlns:%s="%s">`, prefix, namespace))
	properties()
	w.line("</rdf:Description>")
}

func (w *xmpWriter) identification(m Metadata) {
	w.description("pdfaid", "http://www.aiim.org/pdfa/ns/id/", func() {
		switch {
		case m.Level4F:
			w.property("pdfaid:part", "4")
			w.property("pdfaid:rev", "2020")
			w.property("pdfaid:conformance", "F")
		case m.Accessible:
			w.property("pdfaid:part", "3")
			w.property("pdfaid:conformance", "A")
		default:
			w.property("pdfaid:part", "3")
			w.property("pdfaid:conformance", "B")
		}
	})
	if m.Accessible {
		w.description("pdfuaid", namespaceUA, func() { w.property("pdfuaid:part", "1") })
	}
}

func (w *xmpWriter) document(m Metadata) {
	const defaultLanguage = ` xml:lang="x-default"`
	w.description("dc", "http://purl.org/dc/elements/1.1/", func() {
		w.property("dc:format", "application/pdf")
		w.array("dc:title", "Alt", defaultLanguage, m.Title)
		w.array("dc:creator", "Seq", "", m.Author)
		w.array("dc:description", "Alt", defaultLanguage, m.Subject)
		w.array("dc:language", "Bag", "", m.Language)
	})
	w.description("xmp", "http://ns.adobe.com/xap/1.0/", func() {
		at := m.Date.UTC().Format(time.DateOnly + "T" + time.TimeOnly + "+00:00")
		w.property("xmp:CreatorTool", m.Creator)
		w.property("xmp:CreateDate", at)
		w.property("xmp:ModifyDate", at)
		w.property("xmp:MetadataDate", at)
	})
	w.description("pdf", "http://ns.adobe.com/pdf/1.3/", func() {
		w.property("pdf:Keywords", m.Keywords)
		w.property("pdf:Producer", producer)
	})
}

// An xmpSchema is an extension schema: it describes properties that are not
// predefined in PDF/A.
type xmpSchema struct {
	name, namespace, prefix string
	properties              []xmpProperty
}

type xmpProperty struct{ name, valueType, category, description string }

var invoiceSchema = xmpSchema{
	"Factur-X PDFA Extension Schema", namespaceInvoice, "fx",
	[]xmpProperty{
		{"DocumentFileName", "Text", "external", "The name of the attached XML file that is the invoice"},
		{"DocumentType", "Text", "external", "The type of the hybrid document: INVOICE"},
		{"Version", "Text", "external", "The version of the standard that the attached XML follows"},
		{"ConformanceLevel", "Text", "external", "The profile that the attached XML follows"},
	},
}

var accessibilitySchema = xmpSchema{
	"PDF/UA identification schema", namespaceUA, "pdfuaid",
	[]xmpProperty{{"part", "Integer", "internal", "The part of ISO 14289 that the document follows"}},
}

func (w *xmpWriter) extensions(m Metadata) {
	var schemas []xmpSchema
	if m.Accessible {
		schemas = append(schemas, accessibilitySchema)
	}
	if m.Invoice != nil {
		schemas = append(schemas, invoiceSchema)
	}
	if schemas == nil {
		return
	}
	const namespace = "http://www.aiim.org/pdfa/ns/"
	w.line(`<rdf:Description rdf:about="" xmlns:pdfaExtension=` + strconv.Quote(namespace+"extension/") +
		" xmlns:pdfaSchema=" + strconv.Quote(namespace+"schema#") + " xmlns:pdfaProperty=" + strconv.Quote(namespace+"property#") + ">")
	w.line("<pdfaExtension:schemas><rdf:Bag>")
	for _, s := range schemas {
		w.schema(s)
	}
	w.line("</rdf:Bag></pdfaExtension:schemas>")
	w.line("</rdf:Description>")
}

func (w *xmpWriter) schema(s xmpSchema) {
	w.line(`<rdf:li rdf:parseType="Resource">`)
	w.property("pdfaSchema:schema", s.name)
	w.property("pdfaSchema:namespaceURI", s.namespace)
	w.property("pdfaSchema:prefix", s.prefix)
	w.line("<pdfaSchema:property><rdf:Seq>")
	for _, p := range s.properties {
		w.line(`<rdf:li rdf:parseType="Resource">`)
		w.property("pdfaProperty:name", p.name)
		w.property("pdfaProperty:valueType", p.valueType)
		w.property("pdfaProperty:category", p.category)
		w.property("pdfaProperty:description", p.description)
		w.line("</rdf:li>")
	}
	w.line("</rdf:Seq></pdfaSchema:property>")
	w.line("</rdf:li>")
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a bytes.Buffer accepts everything
	return b.String()
}
