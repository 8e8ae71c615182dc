package pdfa

import (
	"strconv"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/tagged"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A builder makes the objects of a PDF from pages, fonts and structure.
type builder struct {
	*pdf.Document
	pages []types.Object // references
	// parents are, for each page, the structure elements of its marked-content
	// sequences, by MCID.
	parents []types.Array
	names   map[string]types.Object // structure types, each once
}

// New makes a PDF of what was composed.
func New(c *compose.Composed) (*pdf.Document, error) {
	catalog := types.Dict{
		"Type":              types.Name("Catalog"),
		"Lang":              types.StringLiteral(c.Language),
		"MarkInfo":          types.Dict{"Marked": types.Boolean(true)},
		"ViewerPreferences": types.Dict{"DisplayDocTitle": types.Boolean(true)},
	}
	document, err := pdf.NewDocument(catalog)
	if err != nil {
		return nil, err
	}
	b := &builder{Document: document, names: map[string]types.Object{}}
	fonts, err := b.fonts(c.Fonts)
	if err != nil {
		return nil, err
	}
	catalog["Pages"] = b.pageTree(c.Pages, b.resources(c.Look, fonts))
	catalog["StructTreeRoot"] = b.structureTree(c.Root)
	return document, nil
}

// resources are what the pages use.
func (b *builder) resources(look *look.Look, fonts types.Dict) types.Dict {
	resources := types.Dict{"Font": fonts} // PDF/A requires each page to name them
	objects := types.Dict{}
	if look.Picture != nil {
		objects[tagged.LogoName] = b.picture(look.Picture)
	}
	for i, paper := range look.Papers {
		if paper != nil {
			objects[tagged.PaperName+strconv.Itoa(i)] = b.paper(paper)
		}
	}
	if len(objects) > 0 {
		resources["XObject"] = objects
	}
	return resources
}

func (b *builder) pageTree(pages []*tagged.Content, used types.Dict) types.IndirectRef {
	tree := types.Dict{
		"Type": types.Name("Pages"), "Count": types.Integer(len(pages)),
		"MediaBox": types.NewNumberArray(0, 0, 595.28, 841.89),
	}
	root := b.Add(tree)
	resources := b.Add(used)
	kids := types.Array{}
	for i, p := range pages {
		p.EndMarkedContent()
		ref := b.Add(types.Dict{
			"Type": types.Name("Page"), "Parent": root, "Contents": b.AddStream(types.Dict{}, p.Operators), "Resources": resources,
			"StructParents": types.Integer(i), "Tabs": types.Name("S"),
		})
		kids = append(kids, ref)
		b.pages = append(b.pages, ref)
		b.parents = append(b.parents, make(types.Array, len(p.Marked)))
	}
	tree["Kids"] = kids
	return root
}

// structureTree makes the tree of structure elements, and the tree from marked-content
// sequences to their elements.
func (b *builder) structureTree(document *tagged.Element) types.IndirectRef {
	tree := types.Dict{"Type": types.Name("StructTreeRoot")}
	root := b.Add(tree)
	tree["K"] = b.element(document, root)
	numbers := types.Array{}
	for i, parents := range b.parents {
		numbers = append(numbers, types.Integer(i), b.Add(parents))
	}
	tree["ParentTree"] = b.Add(types.Dict{"Nums": numbers})
	tree["ParentTreeNextKey"] = types.Integer(len(b.parents))
	return root
}

// name is a name as an object. Many elements have few types.
func (b *builder) name(s string) types.Object {
	if b.names[s] == nil {
		b.names[s] = types.Name(s)
	}
	return b.names[s]
}

// element makes an element with all that it has within, and returns the reference to it.
// References are converted to objects once, as each conversion takes memory.
func (b *builder) element(e *tagged.Element, parent types.Object) types.Object {
	d := types.Dict{"S": b.name(e.Tag), "P": parent}
	ref := types.Object(b.Add(d))
	pg := int32(-1) // the page of its first marked-content sequence
	kids := make(types.Array, 0, len(e.Kids))
	for _, k := range e.Kids {
		if k.Element != nil {
			kids = append(kids, b.element(k.Element, ref))
			continue
		}
		b.parents[k.Page][k.MCID] = ref
		if pg < 0 {
			pg = k.Page
			d["Pg"] = b.pages[pg]
		}
		if k.Page == pg {
			kids = append(kids, types.Integer(k.MCID))
		} else {
			kids = append(kids, types.Dict{
				"Type": types.Name("MCR"), "Pg": b.pages[k.Page], "MCID": types.Integer(k.MCID),
			})
		}
	}
	if len(kids) == 1 {
		d["K"] = kids[0]
	} else if len(kids) > 1 {
		d["K"] = kids
	}
	switch {
	case e.Scope != "":
		d["A"] = types.Dict{"O": b.name("Table"), "Scope": b.name(e.Scope)}
	case e.Alt != "":
		d["Alt"] = types.NewHexLiteral([]byte(types.EncodeUTF16String(e.Alt)))
		d["A"] = types.Dict{"O": types.Name("Layout"), "BBox": types.NewNumberArray(e.BBox[:]...), "Placement": types.Name("Block")}
	}
	return ref
}
