package inspect

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/formats/pdf"
	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// hybridMark is a part of the namespaces of all versions of Factur-X and ZUGFeRD.
const hybridMark = ":pdfa:CrossIndustryDocument:invoice:"

// metadata reads the PDF/A claim and the properties of the hybrid standards from the
// XMP packet.
func (i *inspector) metadata(o types.Object) {
	stream, ok := i.Stream(o)
	if !ok {
		return
	}
	packet, problem := i.packet(stream)
	if problem != "" {
		i.out.MetadataProblem = model.NewText(problem)
		return
	}
	properties := packet.properties()
	i.claim(properties)
	i.hybridProperties(packet, properties)
}

func (i *inspector) packet(stream types.StreamDict) (packet *xmpNode, problem string) {
	var data []byte
	err := pdf.Guard(func() (err error) {
		data, err = i.Decode(stream)
		return err
	})
	if err != nil {
		return nil, "the metadata stream is damaged"
	}
	if !utf8.Valid(data) || bytes.HasPrefix(data, []byte("\xFE\xFF")) {
		return nil, "the metadata are not in UTF-8"
	}
	packet, err = parseXMP(data)
	if err != nil {
		return nil, pdf.Printable(err.Error())
	}
	return packet, ""
}

func (i *inspector) claim(properties []*xmpNode) {
	var claim model.ArchivalClaim
	for _, p := range properties {
		if p.name.Space != nsPDFA {
			continue
		}
		switch p.name.Local {
		case "part":
			claim.Part = model.NewText(p.value())
		case "conformance":
			claim.Conformance = model.NewText(p.value())
		}
	}
	if claim != (model.ArchivalClaim{}) {
		i.out.Claim = &claim
	}
}

// hybridProperties reads the properties of one namespace. A file may have those of
// several standards, for old and new readers: the newest standard is described.
func (i *inspector) hybridProperties(packet *xmpNode, properties []*xmpNode) {
	var spaces []string
	for _, p := range properties {
		if strings.Contains(p.name.Space, hybridMark) && !slices.Contains(spaces, p.name.Space) {
			spaces = append(spaces, p.name.Space)
		}
	}
	if len(spaces) == 0 {
		return
	}
	space := slices.MinFunc(spaces, func(a, b string) int {
		return cmp.Or(cmp.Compare(standardOf(a), standardOf(b)), cmp.Compare(b, a))
	})
	m := &model.HybridMetadata{Namespace: model.NewText(space)}
	schema, declared := schemaFor(packet, space)
	m.Schema = schema
	for _, p := range properties {
		if p.name.Space != space {
			continue
		}
		switch p.name.Local {
		case "DocumentType":
			m.DocumentType = model.NewText(p.value())
		case "DocumentFileName":
			m.DocumentFileName = model.NewText(p.value())
		case "Version":
			m.Version = model.NewText(p.value())
		case "ConformanceLevel":
			m.ConformanceLevel = model.NewText(p.value())
		}
		if !slices.Contains(declared, p.name.Local) && len(m.Undeclared) < maxListed {
			m.Undeclared = append(m.Undeclared, model.MetadataProperty{Name: model.NewText(p.name.Local)})
		}
	}
	i.out.Metadata = m
}

// standardOf is the position of a namespace among the standards, the newest first.
func standardOf(space string) int {
	for position, start := range []string{"urn:factur-x:", "urn:zugferd:"} {
		if strings.HasPrefix(space, start) {
			return position
		}
	}
	return 2
}

// schemaFor is the name of the extension schema for a namespace, and the properties
// that it declares.
func schemaFor(packet *xmpNode, space string) (name model.Text, properties []string) {
	for _, schemas := range packet.find(nsExtension, "schemas", nil) {
		for _, schema := range schemas.find(nsRDF, "li", nil) {
			if of, ok := schema.field(nsSchema, "namespaceURI"); !ok || of != space {
				continue
			}
			title, _ := schema.field(nsSchema, "schema")
			name = model.NewText(title)
			for _, list := range schema.find(nsSchema, "property", nil) {
				for _, p := range list.find(nsRDF, "li", nil) {
					if property, ok := p.field(nsProperty, "name"); ok {
						properties = append(properties, property)
					}
				}
			}
		}
	}
	return name, properties
}
