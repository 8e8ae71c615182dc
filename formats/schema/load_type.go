package schema

import (
	"strconv"
	"strings"
)

// readDefinition reads the lines that belong to a type.
func (l *loader) readDefinition(t *xsdType) {
	d := &definition{}
	t.definition = d
	l.definitions = append(l.definitions, d)
	var particles []particle
	for l.depth > 0 && l.err == nil {
		first, rest, _ := strings.Cut(l.line, " ")
		name, isAttribute := strings.CutPrefix(rest, "@")
		switch {
		case first == "text":
			d.textType = l.typeNamed(rest)
		case first == "empty":
		case first == "mixed":
			d.mixed = true
		case first == "length":
			l.readLength(d.facets(), rest)
		case first == "value":
			s := d.facets()
			s.values = append(s.values, rest)
		case isAttribute:
			l.readAttribute(d, first, name)
		default:
			particles = append(particles, l.readParticle(1))
			continue
		}
		l.advance()
	}
	if len(particles) > 0 {
		l.pending = append(l.pending, pendingContent{t, d, particles})
	}
}

// facets is the simple type that gets the facets of a type. Its built-in type is
// that of the base, and is set when all types are known.
func (d *definition) facets() *simpleType {
	if d.text == nil {
		d.text = &simpleType{}
	}
	return d.text
}

func (l *loader) readLength(s *simpleType, rest string) {
	low, high, ok := strings.Cut(rest, "..")
	var err1, err2 error
	s.minLength, err1 = strconv.Atoi(low)
	s.maxLength, err2 = strconv.Atoi(high)
	if !ok || err1 != nil || err2 != nil || s.maxLength < 1 {
		l.fail("%q is not understood; a length is 1..3", rest)
	}
}

// readAttribute reads "NAME TYPE = FIXED" or "any PROCESS", after the "@".
func (l *loader) readAttribute(d *definition, occurs, rest string) {
	rest, fixed, hasFixed := strings.Cut(rest, " = ")
	name, typ, _ := strings.Cut(rest, " ")
	if name == "any" {
		d.anyAttr = l.processContents(typ)
		return
	}
	low, high := l.occurrence(occurs)
	if high != 1 {
		l.fail("an attribute occurs 1 or 0..1 times, not %s", occurs)
	}
	a := attributeUse{name: l.nameNumber(name), typ: l.typeNamed(typ), required: low == 1}
	if hasFixed {
		a.fixed = &fixed
	}
	if a.required {
		d.required++
	}
	d.attrs = append(d.attrs, a)
}

// readParticle reads the line of a particle and, for a model group, the lines of its
// particles, which are indented by one tab more.
func (l *loader) readParticle(depth int) particle {
	occurs, rest, _ := strings.Cut(l.line, " ")
	var p particle
	p.min, p.max = l.occurrence(occurs)
	what, rest, _ := strings.Cut(rest, " ")
	switch {
	case l.depth != depth:
		l.fail("this line is indented too far")
	case what == "sequence" || what == "choice":
		if p.group = sequence; what == "choice" {
			p.group = choice
		}
		if p.max != 1 && p.max != unbounded || p.min > 1 {
			l.fail("a group can not occur %s times", occurs)
		}
		l.advance()
		for l.depth > depth && l.err == nil {
			p.particles = append(p.particles, l.readParticle(depth+1))
		}
		return p
	case what == "any":
		process, except, ok := strings.Cut(rest, " except ")
		p.wildcard = &wildcard{process: l.processContents(process)}
		if ok {
			p.wildcard.except = l.uris[except]
		}
	case rest == "":
		p.element = l.globalElement(what)
	default:
		p.element = &elementDecl{name: l.nameNumber(what), typ: l.typeNamed(rest)}
		l.elements = append(l.elements, p.element)
	}
	l.advance()
	return p
}

// occurrence reads 1, 0..1, 0..n, 1..n, 0..2.
func (l *loader) occurrence(s string) (low, high int) {
	least, most, isRange := strings.Cut(s, "..")
	low = l.digit(least)
	switch {
	case !isRange:
		high = low
	case most == "n":
		return low, unbounded
	default:
		high = l.digit(most)
	}
	if high == 0 || high < low {
		l.fail("nothing can occur %s times", s)
	}
	return low, high
}

func (l *loader) digit(s string) int {
	if len(s) != 1 || s[0] < '0' || s[0] > '9' {
		l.fail("%q is not understood; a line of a type says how often it occurs: 1, 0..1, 0..n", l.line)
		return 0
	}
	return int(s[0] - '0')
}

func (l *loader) processContents(s string) processContents {
	switch s {
	case "strict":
		return strict
	case "lax":
		return lax
	}
	l.fail("%q is not understood; a wildcard is strict or lax", s)
	return noWildcard
}
