package xpath_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// terms are the fields of the model that generated invoices have and generated
// contexts name.
var terms = []string{
	"lines", "subLines", "vat", "allowances", "price", "notes", "totals", "seller", "electronicAddress",
	"identifier", "note", "netAmount", "categoryCode", "rate", "amount", "number", "text", "schemeId",
}

// invoice makes an invoice whose terms hold any of the values.
func (g *generator) invoice() *model.Invoice {
	inv := &model.Invoice{}
	g.fill(model.ObjectOf(inv), 4)
	return inv
}

func (g *generator) fill(o model.Object, depth int) {
	for _, f := range fieldsOf(o.Type) {
		switch {
		case f.Kind.IsLeaf():
			if g.IntN(2) == 0 {
				o.Set(f, g.value())
			}
		case depth == 0:
		case f.Kind == model.KindGroup:
			if g.IntN(2) == 0 {
				g.fill(o.EnsureGroup(f), depth-1)
			}
		default:
			for range g.IntN(4) {
				g.fill(o.AppendGroup(f), depth-1)
			}
		}
	}
}

func fieldsOf(t *model.Type) (out []*model.Field) {
	for i := range t.Fields {
		if f := &t.Fields[i]; slices.Contains(terms, f.Name) {
			out = append(out, f)
		}
	}
	return out
}

// An xmlInvoice is an invoice written as XML, as contexts over the model see it;
// its elements have the prefix cac, since documents' elements are in namespaces.
type xmlInvoice struct {
	text   strings.Builder
	groups map[source.Ref]model.Object // by the elements that they became
	count  source.Ref
}

func newXMLInvoice(inv *model.Invoice) *xmlInvoice {
	x := &xmlInvoice{groups: map[source.Ref]model.Object{}}
	x.group("invoice", ` xmlns:cac="`+source.Prefixes["cac"]+`"`, model.ObjectOf(inv))
	return x
}

func (x *xmlInvoice) group(name, attributes string, o model.Object) {
	x.count++
	x.groups[x.count] = o
	fmt.Fprintf(&x.text, "<cac:%s%s>", name, attributes)
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; {
		case !o.Has(f):
		case f.Kind.IsLeaf():
			x.count++
			fmt.Fprintf(&x.text, "<cac:%[1]s>%[2]s</cac:%[1]s>", f.Name, o.Raw(f))
		case f.Kind == model.KindGroup:
			x.group(f.Name, "", o.Group(f))
		default:
			list := o.List(f)
			for j := range list.Len() {
				x.group(f.Name, "", list.At(j))
			}
		}
	}
	fmt.Fprintf(&x.text, "</cac:%s>", name)
}

var word = regexp.MustCompile(`[A-Za-z-]+\(?`)

// overXML is a context over the invoice as one over the invoice written as XML.
func overXML(context string) string {
	return word.ReplaceAllStringFunc(context, func(w string) string {
		if w == "invoice" || slices.Contains(terms, w) {
			return "cac:" + w
		}
		return w
	})
}

// modelContext is a context over the invoice.
func (g *generator) modelContext() string {
	paths := []string{g.modelDown()}
	for g.IntN(4) == 0 {
		paths = append(paths, g.modelDown())
	}
	return strings.Join(paths, " | ")
}

func (g *generator) modelDown() string {
	g.within = model.InvoiceType()
	defer func() { g.within = nil }()
	out := "/invoice" + g.predicates(2)
	for range g.IntN(4) {
		var groups []*model.Field
		for _, f := range fieldsOf(g.within) {
			if f.Elem != nil {
				groups = append(groups, f)
			}
		}
		if len(groups) == 0 {
			break
		}
		f := groups[g.IntN(len(groups))]
		g.within = f.Elem
		out += g.pick("/", "/", "//") + f.Name + g.predicates(2)
	}
	return out
}

// atTerm is the type within a term, which has no fields.
var atTerm = &model.Type{}

// modelPath is a path from a group or term of the model, mostly down through
// fields.
func (g *generator) modelPath(depth int) string {
	before := g.within
	defer func() { g.within = before }()
	fields := fieldsOf(g.within)
	if len(fields) == 0 || g.IntN(10) == 0 {
		return "."
	}
	if g.IntN(8) == 0 {
		return g.elsewhere()
	}
	var steps []string
	for range 1 + g.IntN(2) {
		if fields = fieldsOf(g.within); len(fields) == 0 {
			break
		}
		f := fields[g.IntN(len(fields))]
		if g.within = f.Elem; g.within == nil {
			g.within = atTerm
		}
		steps = append(steps, f.Name+g.predicates(depth))
	}
	return strings.Join(steps, "/")
}

// elsewhere is a path that does not only go down through fields.
func (g *generator) elsewhere() string {
	name := func() string {
		out := g.pick(terms...)
		for g.IntN(4) == 0 {
			condition := g.pick("identifier", "..", "../note", "not(vat)", ". = '1'", "identifier != '2'", "vat/rate = '0' or note", "*")
			out += "[" + condition + "]"
		}
		return out
	}
	switch g.IntN(9) {
	case 0:
		return ".."
	case 1:
		return "*"
	case 2:
		return "/invoice/" + name()
	case 3:
		return "/invoice//" + name()
	case 4:
		return "//" + name()
	case 5:
		return ".//" + name()
	case 6:
		return "../" + name()
	case 7:
		return "(" + name() + " | " + name() + ")"
	}
	return g.pick("../../", "..//", "*/", "self::", "parent::", ".//*/", ".//*/../") + name()
}
