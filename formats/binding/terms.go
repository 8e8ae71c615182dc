package binding

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"einvoice/model"
)

// A Term is a term or group of the model with its XML paths in a syntax.
type Term struct {
	Path  string       // in the model: seller.postalAddress.city
	Field *model.Field // its description in the model
	// XML are the XML paths, relative to the root element. A path that exists under
	// one root element only begins with it: /cn:CreditNote/cbc:ID.
	XML []string
}

// Terms lists the terms and groups that the format can hold, in the order of its
// schema, with the paths where they are written. A list inside itself is listed
// once. The list is made once, and must not be changed.
func (f *Format) Terms() []Term { return f.terms().terms }

// paths are the XML paths of a term; nil if the format cannot hold it.
func (f *Format) paths(path string) []string {
	l := f.terms()
	if i, ok := l.index[path]; ok {
		return l.terms[i].XML
	}
	return nil
}

// A termLister collects the terms of a table.
type termLister struct {
	table *table
	terms []Term
	index map[string]int // of terms, by model path
}

// rows lists the rows inside the element at the path xml. If root is not empty, only
// documents with that root element have it.
func (l *termLister) rows(rows []row, root, xml string) {
	for i := range rows {
		r := &rows[i]
		if r.readOnly {
			continue
		}
		for _, only := range slices.Sorted(maps.Keys(r.path)) {
			if root != "" && only != "" && only != root {
				continue
			}
			l.row(r, cmp.Or(root, only), joinPath(xml, r.path[only])+conditionsOf(rows[:i], r, only))
		}
	}
}

func (l *termLister) row(r *row, root, xml string) {
	for _, path := range []string{r.term, r.group, r.list, r.around} {
		if path != "" {
			l.add(path, root, xml)
		}
	}
	if r.prefix != nil {
		l.add(r.prefix.term, root, xml)
	}
	l.rows(r.rows, root, xml)
}

func (l *termLister) add(path, root, xml string) {
	field := fieldAt(path)
	if field == nil {
		return
	}
	if field.Kind == model.KindDate && l.table.dates.attribute != "" {
		xml += "[" + l.table.dates.attribute + "='" + l.table.dates.value + "']"
	}
	if root != "" {
		xml = "/" + root + "/" + xml
	}
	i, ok := l.index[path]
	if !ok {
		i = len(l.terms)
		l.index[path] = i
		l.terms = append(l.terms, Term{Path: path, Field: field})
	}
	l.terms[i].XML = append(l.terms[i].XML, xml)
}

// WithoutPredicates removes the predicates from an XPath. A bracket without its other half
// is kept.
func WithoutPredicates(path string) string {
	var b strings.Builder
	for {
		before, rest, opens := strings.Cut(path, "[")
		_, after, closes := strings.Cut(rest, "]")
		if !opens || !closes {
			break
		}
		b.WriteString(before)
		path = after
	}
	if b.Len() == 0 {
		return path
	}
	return b.String() + path
}

func joinPath(base, path string) string {
	switch {
	case path == ".":
		return base
	case base == "":
		return path
	}
	return base + "/" + path
}

// conditionsOf writes the conditions of a row as XPath predicates: those of its own
// rows or, if it has none, the negation of those of earlier rows for the same path.
func conditionsOf(earlier []row, r *row, root string) string {
	var b strings.Builder
	for i := range r.rows {
		if p := r.rows[i].predicate(); p != "" {
			b.WriteString("[" + p + "]")
		}
	}
	if b.Len() > 0 || r.rows == nil {
		return b.String()
	}
	for i := range earlier {
		e := &earlier[i]
		if path, ok := e.pathUnder(root); !ok || path != r.path[root] || e.path[""] == "" && root == "" {
			continue
		}
		for j := range e.rows {
			if p := e.rows[j].predicate(); p != "" {
				b.WriteString("[not(" + p + ")]")
			}
		}
	}
	return b.String()
}

// predicate is the condition that a row with a value makes for the element around
// it. A $ marks the name of a term that the value is compared with.
func (r *row) predicate() string {
	switch {
	case r.equals != "":
		return r.path[""] + "=$" + r.equals
	case r.fixed == nil || r.match == matchAny:
		return ""
	case r.match == matchBoolean:
		return r.path[""] + "=" + *r.fixed + "()"
	}
	return r.path[""] + "='" + *r.fixed + "'"
}

// fieldAt finds a field by its path from the invoice.
func fieldAt(path string) *model.Field {
	typ := model.InvoiceType()
	var field *model.Field
	for name := range strings.SplitSeq(path, ".") {
		if typ == nil {
			return nil
		}
		f, ok := typ.Field(name)
		if !ok {
			return nil
		}
		field, typ = f, f.Elem
	}
	return field
}
