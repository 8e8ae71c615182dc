package main

import (
	"slices"

	"einvoice/model/source"
)

// facts are what the definition of a type says, together with what those of its bases
// say.
type facts struct {
	base     source.QName // zero if the type is not derived
	abstract bool
	mixed    bool
	text     source.QName // the simple type of its text; zero if there is none
	content  *particle    // its child elements; nil if there are none
	attrs    []attribute
	// anyAttr says how further attributes are processed; empty if none are allowed.
	anyAttr string
	// Facets, of simple types only.
	enum                 []string
	minLength, maxLength string
}

type attribute struct {
	name     source.QName
	typ      source.QName
	required bool
	fixed    string
}

// A particle is an element, a wildcard, or a model group of particles.
type particle struct {
	kind     string // element, any, sequence, choice
	min, max string
	name     source.QName
	typ      source.QName // of a local element; zero if the element is global
	process  string       // of a wildcard: strict or lax
	except   string       // of a wildcard: the namespace that is not allowed
	parts    []*particle
}

// allowed are the attributes that elements of XML Schema may have here. Some of them,
// such as default, do not affect whether a document is valid.
var allowed = map[string][]string{
	"element":        {"name", "type", "ref", "minOccurs", "maxOccurs"},
	"attribute":      {"name", "type", "use", "fixed", "default"},
	"complexType":    {"name", "mixed", "abstract"},
	"simpleType":     {"name"},
	"sequence":       {"minOccurs", "maxOccurs"},
	"choice":         {"minOccurs", "maxOccurs"},
	"any":            {"namespace", "processContents", "minOccurs", "maxOccurs"},
	"anyAttribute":   {"namespace"},
	"simpleContent":  {},
	"complexContent": {},
	"extension":      {"base"},
	"restriction":    {"base"},
	"enumeration":    {"value"},
	"minLength":      {"value"},
	"maxLength":      {"value"},
}

// check refuses elements and attributes that are not supported.
func (d declaration) check() error {
	names, ok := allowed[d.kind()]
	if !ok {
		return d.unsupported()
	}
	for _, a := range d.in.tree.AttrsOf(d.node) {
		if q := d.in.tree.NameOf(a.Name); q.URI == "" && !slices.Contains(names, q.Local) {
			return d.errorf("attribute %s is not supported here", q)
		}
	}
	return nil
}

// typeNamed returns the facts of a type by name. A built-in type has no facts but its
// name. user is the declaration that uses the type.
func (s *schemaSet) typeNamed(name source.QName, user declaration) (*facts, error) {
	if name.URI == xs {
		return &facts{text: name}, nil
	}
	at, ok := s.types[name]
	if !ok {
		return nil, user.errorf("type %s is not declared", name)
	}
	return s.readType(at)
}

func (s *schemaSet) readType(d declaration) (*facts, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if d.kind() == "simpleType" {
		return s.readSimple(d)
	}
	f := &facts{abstract: d.attr("abstract") == "true", mixed: d.attr("mixed") == "true"}
	for _, c := range d.children() {
		var err error
		switch c.kind() {
		case "simpleContent", "complexContent":
			err = s.readDerived(f, c)
		default:
			err = s.readPart(f, c)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (s *schemaSet) readSimple(d declaration) (*facts, error) {
	restriction := d.children()[0]
	if err := restriction.check(); err != nil {
		return nil, err
	}
	base, err := restriction.resolve("base")
	if err != nil {
		return nil, err
	}
	if base.URI != xs {
		return nil, d.errorf("simple types derived from others than those of XML Schema are not supported")
	}
	f := &facts{base: base, text: d.in.name(d.attr("name"))}
	for _, facet := range restriction.children() {
		if err := facet.check(); err != nil {
			return nil, err
		}
		value := facet.attr("value")
		switch facet.kind() {
		case "enumeration":
			f.enum = append(f.enum, value)
		case "minLength":
			f.minLength = value
		case "maxLength":
			f.maxLength = value
		default:
			return nil, facet.unsupported()
		}
	}
	return f, nil
}

// readDerived reads simpleContent or complexContent.
func (s *schemaSet) readDerived(f *facts, content declaration) error {
	if err := content.check(); err != nil {
		return err
	}
	derivation := content.children()[0]
	if err := derivation.check(); err != nil {
		return err
	}
	name, err := derivation.resolve("base")
	if err != nil {
		return err
	}
	base, err := s.typeNamed(name, derivation)
	if err != nil {
		return err
	}
	if content.kind() == "complexContent" && derivation.kind() != "restriction" {
		return derivation.unsupported()
	}
	f.base = name
	f.attrs = slices.Clone(base.attrs)
	f.anyAttr = base.anyAttr
	if content.kind() == "simpleContent" {
		f.text = base.text
	}
	for _, c := range derivation.children() {
		if err := s.readPart(f, c); err != nil {
			return err
		}
	}
	return nil
}

// readPart reads a content model or an attribute into f.
func (s *schemaSet) readPart(f *facts, d declaration) error {
	if err := d.check(); err != nil {
		return err
	}
	switch d.kind() {
	case "sequence", "choice":
		p, err := s.readParticle(d)
		f.content = p
		return err
	case "anyAttribute":
		if d.attr("namespace") != "##any" {
			return d.unsupported()
		}
		f.anyAttr = "strict"
		return nil
	case "attribute":
		typ, err := d.resolve("type")
		if err != nil {
			return err
		}
		use := d.attr("use")
		if use != "" && use != "optional" && use != "required" {
			return d.unsupported()
		}
		// A default value does not affect whether a document is valid.
		a := attribute{name: source.QName{Local: d.attr("name")}, typ: typ, required: use == "required", fixed: d.attr("fixed")}
		i := slices.IndexFunc(f.attrs, func(b attribute) bool { return b.name == a.name })
		if i < 0 {
			f.attrs = append(f.attrs, a)
		} else {
			f.attrs[i] = a
		}
		return nil
	}
	return d.unsupported()
}

func (s *schemaSet) readParticle(d declaration) (*particle, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	p := &particle{kind: d.kind(), min: d.attr("minOccurs"), max: d.attr("maxOccurs")}
	var err error
	switch p.kind {
	case "sequence", "choice":
		for _, c := range d.children() {
			part, err := s.readParticle(c)
			if err != nil {
				return nil, err
			}
			p.parts = append(p.parts, part)
		}
		if len(p.parts) == 0 {
			return nil, d.errorf("an empty group is not supported")
		}
	case "any":
		if p.process = d.attr("processContents"); p.process == "" {
			p.process = "strict"
		}
		switch d.attr("namespace") {
		case "##any":
		case "##other":
			p.except = d.in.targetNamespace
		default:
			err = d.unsupported()
		}
		if p.process == "skip" {
			err = d.unsupported()
		}
	case "element":
		if d.attr("ref") != "" {
			p.name, err = d.resolve("ref")
			if _, ok := s.elements[p.name]; err == nil && !ok {
				err = d.errorf("element %s is not declared", p.name)
			}
			break
		}
		p.name = d.in.name(d.attr("name"))
		p.typ, err = s.typeOf(d)
	default:
		err = d.unsupported()
	}
	return p, err
}

// typeOf is the name of an element's type. A type that is declared inside the element
// is named after the global declaration around it: DateTimeType/DateTimeString.
func (s *schemaSet) typeOf(d declaration) (source.QName, error) {
	inner := d.children()
	switch {
	case d.attr("type") != "":
		return d.resolve("type")
	case len(inner) == 0:
		return source.QName{URI: xs, Local: "anyType"}, nil
	case len(inner) > 1:
		return source.QName{}, d.unsupported()
	}
	around := d.node
	for d.in.tree.Parent(around) != d.in.tree.Root() {
		around = d.in.tree.Parent(around)
	}
	outer := declaration{d.in, around}
	name := d.in.name(outer.attr("name") + "/" + d.attr("name"))
	s.types[name] = inner[0]
	return name, nil
}
