package pdf

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// hybridMark is in the namespaces of all versions of Factur-X and ZUGFeRD.
const hybridMark = ":pdfa:CrossIndustryDocument:invoice:"

// metadata reads the claim and the properties of the hybrid standards.
func (d *describer) metadata(o object) error {
	o, err := d.at(o)
	if err != nil {
		return err
	}
	stream, ok := o.(types.StreamDict)
	if !ok {
		return nil
	}
	packet, problem := d.packet(stream)
	if problem != "" {
		d.out.MetadataProblem = model.NewText(problem)
		return nil
	}
	properties := packet.properties()
	d.claim(properties)
	d.hybrid(packet, properties)
	return nil
}

func (d *describer) packet(stream types.StreamDict) (packet *xmpNode, problem string) {
	// The metadata are decompressed as an attachment is, at the same cost.
	data, err := d.container.decode(&Attachment{Name: "of the metadata", stream: stream})
	if err != nil {
		return nil, "the metadata stream is damaged"
	}
	if !utf8.Valid(data) || bytes.HasPrefix(data, []byte("\xFE\xFF")) {
		return nil, "the metadata are not in UTF-8"
	}
	packet, err = parseXMP(data)
	if err != nil {
		return nil, strings.Map(printable, err.Error())
	}
	return packet, ""
}

func (d *describer) claim(properties []*xmpNode) {
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
		d.out.Claim = &claim
	}
}

// hybrid reads the properties of one namespace. A file that has those of several
// standards, for readers old and new, is described by the newest.
func (d *describer) hybrid(packet *xmpNode, properties []*xmpNode) {
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
		return cmp.Or(cmp.Compare(ageOf(a), ageOf(b)), cmp.Compare(b, a))
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
		if !slices.Contains(declared, p.name.Local) && len(m.Undeclared) < mostDescribed {
			m.Undeclared = append(m.Undeclared, model.MetadataProperty{Name: model.NewText(p.name.Local)})
		}
	}
	d.out.Metadata = m
}

// ageOf orders the namespaces, the newest first.
func ageOf(space string) int {
	for age, start := range []string{"urn:factur-x:", "urn:zugferd:"} {
		if strings.HasPrefix(space, start) {
			return age
		}
	}
	return 2
}

// schemaFor finds the extension schema for a namespace, and the properties that it
// declares.
func schemaFor(packet *xmpNode, space string) (name model.Text, properties []string) {
	for _, schemas := range packet.find(nsExtension, "schemas", nil) {
		for _, one := range schemas.find(nsRDF, "li", nil) {
			if of, ok := one.field(nsSchema, "namespaceURI"); !ok || of != space {
				continue
			}
			title, _ := one.field(nsSchema, "schema")
			name = model.NewText(title)
			for _, list := range one.find(nsSchema, "property", nil) {
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
