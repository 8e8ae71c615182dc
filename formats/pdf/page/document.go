package page

import (
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf"
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

// newDocument makes a PDF of what was composed. The composer is not to be used
// afterwards.
func newDocument(c *composer) (*pdf.Document, error) {
	catalog := types.Dict{
		"Type":              types.Name("Catalog"),
		"Lang":              types.StringLiteral(c.language.Tag),
		"MarkInfo":          types.Dict{"Marked": types.Boolean(true)},
		"ViewerPreferences": types.Dict{"DisplayDocTitle": types.Boolean(true)},
	}
	document, err := pdf.NewDocument(catalog)
	if err != nil {
		return nil, err
	}
	b := &builder{Document: document, names: map[string]types.Object{}}
	fonts, err := b.fonts(c.fonts)
	if err != nil {
		return nil, err
	}
	catalog["Pages"] = b.pageTree(c.pages, b.resources(c.look, fonts))
	catalog["StructTreeRoot"] = b.structureTree(c.root)
	return document, nil
}

// resources are what the pages use.
func (b *builder) resources(look *Look, fonts types.Dict) types.Dict {
	resources := types.Dict{"Font": fonts} // PDF/A requires each page to name them
	objects := types.Dict{}
	if look.logo != nil {
		objects[logoName] = look.logo.object(b)
	}
	for i, paper := range look.paper {
		if paper != nil {
			objects[paperName+strconv.Itoa(i)] = paper.object(b)
		}
	}
	if len(objects) > 0 {
		resources["XObject"] = objects
	}
	return resources
}

func (b *builder) pageTree(pages []*content, used types.Dict) types.IndirectRef {
	tree := types.Dict{
		"Type": types.Name("Pages"), "Count": types.Integer(len(pages)),
		"MediaBox": types.NewNumberArray(0, 0, 595.28, 841.89),
	}
	root := b.Add(tree)
	resources := b.Add(used)
	kids := types.Array{}
	for i, p := range pages {
		p.endMarkedContent()
		ref := b.Add(types.Dict{
			"Type": types.Name("Page"), "Parent": root, "Contents": b.AddStream(types.Dict{}, p.operators), "Resources": resources,
			"StructParents": types.Integer(i), "Tabs": types.Name("S"),
		})
		kids = append(kids, ref)
		b.pages = append(b.pages, ref)
		b.parents = append(b.parents, make(types.Array, len(p.marked)))
	}
	tree["Kids"] = kids
	return root
}

// structureTree makes the tree of structure elements, and the tree from marked-content
// sequences to their elements.
func (b *builder) structureTree(document *element) types.IndirectRef {
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
func (b *builder) element(e *element, parent types.Object) types.Object {
	d := types.Dict{"S": b.name(e.tag), "P": parent}
	ref := types.Object(b.Add(d))
	pg := int32(-1) // the page of its first marked-content sequence
	kids := make(types.Array, 0, len(e.kids))
	for _, k := range e.kids {
		if k.element != nil {
			kids = append(kids, b.element(k.element, ref))
			continue
		}
		b.parents[k.page][k.mcid] = ref
		if pg < 0 {
			pg = k.page
			d["Pg"] = b.pages[pg]
		}
		if k.page == pg {
			kids = append(kids, types.Integer(k.mcid))
		} else {
			kids = append(kids, types.Dict{
				"Type": types.Name("MCR"), "Pg": b.pages[k.page], "MCID": types.Integer(k.mcid),
			})
		}
	}
	if len(kids) == 1 {
		d["K"] = kids[0]
	} else if len(kids) > 1 {
		d["K"] = kids
	}
	switch {
	case e.scope != "":
		d["A"] = types.Dict{"O": b.name("Table"), "Scope": b.name(e.scope)}
	case e.alt != "":
		d["Alt"] = types.NewHexLiteral([]byte(types.EncodeUTF16String(e.alt)))
		d["A"] = types.Dict{"O": types.Name("Layout"), "BBox": types.NewNumberArray(e.bbox[:]...), "Placement": types.Name("Block")}
	}
	return ref
}
