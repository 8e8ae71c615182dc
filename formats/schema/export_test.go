package schema

import (
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"

	"einvoice/model/source"
)

// Instance makes a random valid document from the content models of a schema. It
// covers what no document of the suites has.
func (s *Schema) Instance(r *rand.Rand) string {
	w := instanceWriter{Rand: r, schema: s}
	for at := s; at != nil; at = at.included {
		for uri, prefix := range at.prefixes {
			w.uris = append(w.uris, " xmlns:"+prefix+"=\""+uri+"\"")
		}
		for _, e := range at.globals {
			if e != nil {
				w.globals = append(w.globals, e)
			}
		}
	}
	slices.Sort(w.uris)
	w.uris = slices.Compact(w.uris)
	root := s.globals[slices.IndexFunc(s.globals, func(e *elementDecl) bool { return e != nil })]
	w.element(root, 0, strings.Join(w.uris, ""))
	return w.String()
}

type instanceWriter struct {
	*rand.Rand
	strings.Builder
	schema  *Schema
	uris    []string
	globals []*elementDecl
	ids     int
}

var valid = map[string][]string{
	"string": {"text", " a  b ", ""}, "normalizedString": {"text"}, "token": {"text", " a "}, "language": {"de", "en-GB"},
	"decimal": {"1.50", "-.5", "+3"}, "integer": {"12", "-7"}, "boolean": {"true", "0"}, "date": {"2024-02-29", "2024-01-01Z"},
	"time": {"12:00:00", "23:59:59.5"}, "dateTime": {"2024-02-29T12:00:00"}, "base64Binary": {"QUJD", "AA=="}, "anyURI": {"urn:a", "http://a.b/c#d"},
}

func (w *instanceWriter) value(s *simpleType) string {
	switch {
	case s.values != nil:
		return s.values[w.IntN(len(s.values))]
	case s.maxLength > 0:
		return strings.Repeat("x", s.minLength+w.IntN(s.maxLength-s.minLength+1))
	case s.builtin.name == "ID":
		w.ids++
		return "id" + strings.Repeat("x", w.ids)
	}
	list := valid[s.builtin.name]
	return list[w.IntN(len(list))]
}

func (w *instanceWriter) spell(name source.Name) string {
	q := name.QName()
	if q.URI == "" {
		return q.Local
	}
	for at := w.schema; ; at = at.included {
		if prefix, ok := at.prefixes[q.URI]; ok {
			return prefix + ":" + q.Local
		}
	}
}

func (w *instanceWriter) element(e *elementDecl, depth int, more string) {
	name := w.spell(e.name)
	t := e.typ
	w.WriteString("<" + name + more)
	for _, a := range t.attrs {
		if a.required || w.IntN(4) == 0 {
			value := w.value(a.typ.text)
			if a.fixed != nil {
				value = *a.fixed
			}
			w.WriteString(" " + w.spell(a.name) + "=\"" + value + "\"")
		}
	}
	w.WriteString(">")
	switch {
	case t.text != nil:
		w.WriteString(w.value(t.text))
	case t.content != nil:
		w.children(t, depth)
	}
	w.WriteString("</" + name + ">")
}

func (w *instanceWriter) children(t *xsdType, depth int) {
	m := t.content
	for state := 0; ; {
		s := m.states[state]
		enough := depth > 6 || w.Len() > 30_000
		if s.final && (s.from == s.to || enough || w.IntN(4+depth) > 2) {
			return
		}
		if t.mixed && w.IntN(3) == 0 {
			w.WriteString("text")
		}
		at := m.position(s.from + int32(w.IntN(int(s.to-s.from))))
		if enough && m.plain() { // the required position ends the range
			at = int(s.to) - 1
		}
		if e := m.element(at); e != nil {
			w.element(e, depth+1, "")
		} else {
			w.wild(m.wildcards[at], depth)
		}
		state = at + 1
	}
}

func (w *instanceWriter) wild(wild *wildcard, depth int) {
	if wild.process == lax && w.IntN(2) == 0 {
		w.WriteString(`<my:foreign xmlns:my="urn:my" any="thing">`)
		if depth < 8 {
			w.WriteString("text")
			w.wild(&wildcard{process: lax}, depth+1)
		}
		w.WriteString("</my:foreign>")
		return
	}
	for {
		if e := w.globals[w.IntN(len(w.globals))]; wild.allows(e.name.QName()) && !e.typ.abstract {
			w.element(e, depth+3, "")
			return
		}
	}
}

// Accepts reports whether a value is valid for a built-in type.
func Accepts(typ, value string) bool { return builtins[typ].text.accepts(value) }

// LoadText reads schema data that does not include another file.
func LoadText(text string) error {
	_, err := load("test", text, func(string) (*Schema, error) { return nil, fs.ErrNotExist })
	return err
}
