package workbench

import (
	"context"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/pattern"
	"einvoice/model/source"
	"einvoice/service/convert"
	"einvoice/service/create"
)

// An addition is an element that a document lacks, with the terms in it, and where it may be
// put: behind what is before it, or before what is behind it, where both are known.
type addition struct {
	terms  []added
	kin    string // the same for elements that are entries of one list
	places []edit
}

// An added term has the value that follows from the rest of the invoice.
type added struct{ path, bt, name, value string }

// An edit replaces bytes of a text.
type edit struct {
	from, to int
	text     string
}

// additions are the elements for the terms that a completed invoice has and the document has
// not. The completed invoice is written as a document of its own; its elements are those of the
// document where terms with the same value are in them, and the others are what is to be added.
func (d *Desk) additions(ctx context.Context, doc *model.Document, standard, language string) []addition {
	completed := create.Completed(doc.Invoice, standard, language)
	whole, err := convert.Again(ctx, d.service.Service, completed, doc.Syntax)
	if err != nil || whole.Source.NameOf(whole.Source.Name(whole.Source.Root())) != doc.Source.NameOf(doc.Source.Name(doc.Source.Root())) {
		return nil
	}
	p := &patch{ctx: ctx, into: doc.Source, from: whole.Source, same: map[source.Node]source.Node{whole.Source.Root(): doc.Source.Root()}}
	p.match(doc.Invoice, whole.Invoice)
	return p.additions(doc.Invoice, whole.Invoice)
}

// A patch finds out what of one document another one lacks.
type patch struct {
	ctx        context.Context // ends the search, which has found less then
	into, from *source.Tree
	same       map[source.Node]source.Node // elements of from, as they are in into
	declared   map[string]string           // prefixes of into
}

type term struct {
	ref source.Ref
	raw string
}

func termsOf(ctx context.Context, inv *model.Invoice) map[string]term {
	terms := map[string]term{}
	eachTerm(ctx, "", model.ObjectOf(inv), func(path string, of model.Object, f *model.Field) {
		terms[path] = term{of.RefOf(f), of.Raw(f)}
	})
	return terms
}

// match finds the elements that both documents have, from those of equal terms upwards.
func (p *patch) match(into, from *model.Invoice) {
	have := termsOf(p.ctx, into)
	for path, t := range termsOf(p.ctx, from) {
		old, ok := have[path]
		if !ok || old.raw != t.raw || old.ref == 0 || t.ref == 0 {
			continue
		}
		a, b := p.into.Owner(old.ref), p.from.Owner(t.ref)
		for a != 0 && b != 0 && p.same[b] == 0 && p.into.NameOf(p.into.Name(a)) == p.from.NameOf(p.from.Name(b)) {
			p.same[b] = a
			a, b = p.into.Parent(a), p.from.Parent(b)
		}
	}
}

func (p *patch) additions(into, from *model.Invoice) (all []addition) {
	have := termsOf(p.ctx, into)
	index := map[source.Node]int{}
	eachTerm(p.ctx, "", model.ObjectOf(from), func(path string, of model.Object, f *model.Field) {
		ref := of.RefOf(f)
		if _, ok := have[path]; ok || ref <= 0 {
			return
		}
		top := ref.Element()
		for p.from.Parent(top) != 0 && p.same[p.from.Parent(top)] == 0 {
			top = p.from.Parent(top)
		}
		if p.same[top] != 0 {
			return
		}
		at, known := index[top]
		if !known {
			places := p.places(top)
			if len(places) == 0 {
				return
			}
			at = len(all)
			index[top] = at
			parent := p.same[p.from.Parent(top)]
			all = append(all, addition{kin: itoa(int(parent)) + " " + p.from.NameOf(p.from.Name(top)).Local, places: places})
		}
		name, ok := engine.TermName(f.BT)
		if !ok {
			name = f.Term
		}
		all[at].terms = append(all[at].terms, added{path, f.BT, name, of.Raw(f)})
	})
	return all
}

// places are where an element may be put: its parent is in both documents.
func (p *patch) places(n source.Node) (places []edit) {
	parent := p.from.Parent(n)
	var before, behind source.Node
	for c := range p.from.Children(parent) {
		a := p.same[c]
		switch {
		case a == 0 || p.into.Parent(a) != p.same[parent]:
		case c < n:
			before = a
		case behind == 0:
			behind = a
		}
	}
	if before != 0 {
		end := elementEnd(p.into, before)
		indent := indentOf(p.into, before)
		places = append(places, edit{end, end, indent + p.text(n, indent)})
	}
	if behind != 0 {
		start := int(p.into.Elements[behind].Offset)
		indent := indentOf(p.into, behind)
		places = append(places, edit{start, start, p.text(n, indent) + indent})
	}
	return places
}

var (
	usedPrefix = pattern.Later(`</?([A-Za-z_][\w.-]*):`)
	declared   = pattern.Later(`\sxmlns:([A-Za-z_][\w.-]*)\s*=\s*["']([^"']*)["']`)
)

// declarations are the namespaces of the prefixes that a document's root declares.
func declarations(t *source.Tree) map[string]string {
	from := int(t.Elements[t.Root()].Offset)
	end := tagEnd(t.Data, from)
	uris := map[string]string{}
	for _, m := range declared().FindAllStringSubmatch(t.Data[from:max(from, end)], -1) {
		uris[m[1]] = m[2]
	}
	return uris
}

// text is an element as the other document can have it: with the indentation of its new
// siblings, and with declarations of prefixes that have another meaning there.
func (p *patch) text(n source.Node, indent string) string {
	from := int(p.from.Elements[n].Offset)
	text := strings.ReplaceAll(p.from.Data[from:elementEnd(p.from, n)], orNewLine(indentOf(p.from, n)), orNewLine(indent))
	if p.declared == nil {
		p.declared = declarations(p.into)
	}
	var missing strings.Builder
	meant, said := declarations(p.from), map[string]bool{}
	for _, m := range usedPrefix().FindAllStringSubmatch(text, -1) {
		if prefix := m[1]; !said[prefix] && p.declared[prefix] != meant[prefix] {
			said[prefix] = true
			missing.WriteString(" xmlns:" + prefix + `="` + meant[prefix] + `"`)
		}
	}
	name := strings.IndexAny(text, " />\n")
	return text[:name] + missing.String() + text[name:]
}

// orNewLine is what texts without indentation have in place of it, so that replacing it
// changes nothing.
func orNewLine(indent string) string {
	if indent == "" {
		return "\n"
	}
	return indent
}

// indentOf is the end of line and the white space before an element; "" where it is behind
// something else in its line.
func indentOf(t *source.Tree, n source.Node) string {
	start := int(t.Elements[n].Offset)
	line := strings.LastIndexByte(t.Data[:start], '\n')
	if line < 0 || strings.Trim(t.Data[line:start], " \t\n") != "" {
		return ""
	}
	return t.Data[line:start]
}

// elementEnd is the offset behind an element.
func elementEnd(t *source.Tree, n source.Node) int {
	end := tagEnd(t.Data, int(t.Elements[n].Offset))
	if end < 0 {
		return len(t.Data)
	}
	if strings.HasSuffix(t.Data[:end], "/>") {
		return end
	}
	last := source.Node(0)
	for c := range t.Children(n) {
		last = c
	}
	if last != 0 {
		end = elementEnd(t, last)
	}
	for end < len(t.Data) {
		next := strings.IndexByte(t.Data[end:], '<')
		if next < 0 {
			return len(t.Data)
		}
		end += next
		skipped := false
		for opening, closing := range map[string]string{"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"} {
			if strings.HasPrefix(t.Data[end:], opening) {
				length := strings.Index(t.Data[end:], closing)
				if length < 0 {
					return len(t.Data)
				}
				end, skipped = end+length+len(closing), true
				break
			}
		}
		if !skipped {
			return end + strings.IndexByte(t.Data[end:], '>') + 1
		}
	}
	return end
}

// said is what a person reads of added terms.
func said(terms []added) (path, bt, name, becomes string) {
	first := terms[0]
	if len(terms) == 1 {
		return first.path, first.bt, first.name, first.value
	}
	var values []string
	for _, t := range terms[:min(len(terms), 6)] {
		values = append(values, t.bt+" "+shortened(t.value, model.KindText))
	}
	if len(terms) > 6 {
		values = append(values, "…")
	}
	group := first.path
	if i := strings.LastIndexByte(group, '.'); i > 0 {
		group = group[:i]
	}
	code, name := groupOf(group)
	return group, code, name, strings.Join(values, ", ")
}

// groupOf is the business group of a path, with its name.
func groupOf(path string) (code, name string) {
	t := model.InvoiceType()
	for step := range strings.SplitSeq(path, ".") {
		plain, _, _ := strings.Cut(step, "[")
		f, ok := t.Field(plain)
		if !ok || f.Kind.IsLeaf() {
			break
		}
		t, code, name = f.Elem, f.BT, f.Term
	}
	if known, ok := engine.TermName(code); ok {
		name = known
	}
	return code, name
}

// together are additions to be tried at once: each alone, then those of one list, then all.
func together(all []addition) (sets [][]addition) {
	byKin := map[string][]addition{}
	var kins []string
	for _, a := range all {
		sets = append(sets, []addition{a})
		if byKin[a.kin] == nil {
			kins = append(kins, a.kin)
		}
		byKin[a.kin] = append(byKin[a.kin], a)
	}
	for _, kin := range kins {
		if n := len(byKin[kin]); n > 1 && n < len(all) {
			sets = append(sets, byKin[kin])
		}
	}
	if len(all) > 1 {
		sets = append(sets, all)
	}
	return sets
}
