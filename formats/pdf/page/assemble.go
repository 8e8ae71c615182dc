package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// assembly makes the objects of a PDF from pages, fonts and structure.
type assembly struct {
	context *model.Context
	pages   []types.IndirectRef
	// parents are, for each page, the elements that its marked parts belong to.
	parents []types.Array
}

// configuration is made by hand: the library's own reads, and writes, a folder
// in the user's home.
func configuration() *model.Configuration {
	return &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true,
		WriteObjectStream: true, WriteXRefStream: true, Limits: model.DefaultResourceLimits(),
	}
}

// assemble makes a PDF of what was composed. The composition is used up by it.
func assemble(c *composer) (*model.Context, error) {
	ctx, err := model.NewContext(bytes.NewReader(nil), configuration())
	if err != nil {
		return nil, err
	}
	size, version := 1, model.V17
	ctx.Size, ctx.HeaderVersion = &size, &version
	ctx.Table[0] = model.NewFreeHeadXRefTableEntry()
	a := &assembly{context: ctx}

	catalog := types.Dict{
		"Type":              types.Name("Catalog"),
		"Lang":              types.StringLiteral(c.language.Tag),
		"MarkInfo":          types.Dict{"Marked": types.Boolean(true)},
		"ViewerPreferences": types.Dict{"DisplayDocTitle": types.Boolean(true)},
	}
	root := a.insert(catalog)
	ctx.Root, ctx.RootDict = &root, catalog
	fonts, err := a.fonts(c.usage)
	if err != nil {
		return nil, err
	}
	catalog["Pages"] = a.pageTree(c.pages, fonts)
	ctx.PageCount = len(c.pages)
	catalog["StructTreeRoot"] = a.structure(c.root)
	return ctx, nil
}

func (a *assembly) insert(o types.Object) types.IndirectRef {
	number, _ := a.context.InsertObject(o) // never fails
	return *types.NewIndirectRef(number, 0)
}

func (a *assembly) stream(d types.Dict, data []byte) types.IndirectRef {
	return a.insert(types.StreamDict{Dict: d, Content: data}) // compressed when it is written
}

func (a *assembly) pageTree(pages []*page, fonts types.Dict) types.IndirectRef {
	tree := types.Dict{
		"Type": types.Name("Pages"), "Count": types.Integer(len(pages)),
		"MediaBox": types.NewNumberArray(0, 0, 595.28, 841.89),
	}
	root := a.insert(tree)
	resources := a.insert(types.Dict{"Font": fonts}) // PDF/A wants each page to name them
	kids := types.Array{}
	for i, p := range pages {
		p.closeTag()
		content := a.stream(types.Dict{}, p.content)
		ref := a.insert(types.Dict{
			"Type": types.Name("Page"), "Parent": root, "Contents": content, "Resources": resources,
			"StructParents": types.Integer(i), "Tabs": types.Name("S"),
		})
		kids = append(kids, ref)
		a.pages = append(a.pages, ref)
		a.parents = append(a.parents, make(types.Array, len(p.marked)))
	}
	tree["Kids"] = kids
	return root
}

// structure writes the tree of elements, and from which element each marked part
// of a page is.
func (a *assembly) structure(document *element) types.IndirectRef {
	tree := types.Dict{"Type": types.Name("StructTreeRoot")}
	root := a.insert(tree)
	tree["K"] = a.element(document, root)
	numbers := types.Array{}
	for i, parents := range a.parents {
		numbers = append(numbers, types.Integer(i), a.insert(parents))
	}
	tree["ParentTree"] = a.insert(types.Dict{"Nums": numbers})
	tree["ParentTreeNextKey"] = types.Integer(len(a.parents))
	return root
}

func (a *assembly) element(e *element, parent types.IndirectRef) types.IndirectRef {
	d := types.Dict{"S": types.Name(e.tag), "P": parent}
	ref := a.insert(d)
	own := int32(-1) // the page that most of it stands on
	kids := make(types.Array, 0, len(e.kids))
	for _, k := range e.kids {
		if k.element != nil {
			kids = append(kids, a.element(k.element, ref))
			continue
		}
		a.parents[k.page][k.mark] = ref
		if own < 0 {
			own = k.page
			d["Pg"] = a.pages[own]
		}
		if k.page == own {
			kids = append(kids, types.Integer(k.mark))
		} else {
			kids = append(kids, types.Dict{
				"Type": types.Name("MCR"), "Pg": a.pages[k.page], "MCID": types.Integer(k.mark),
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
		d["A"] = types.Dict{"O": types.Name("Table"), "Scope": types.Name(e.scope)}
	case e.span > 1:
		d["A"] = types.Dict{"O": types.Name("Table"), "ColSpan": types.Integer(e.span)}
	case e.alt != "":
		d["Alt"] = types.NewHexLiteral([]byte(types.EncodeUTF16String(e.alt)))
		d["A"] = types.Dict{"O": types.Name("Layout"), "BBox": types.NewNumberArray(e.box[:]...), "Placement": types.Name("Block")}
	}
	return ref
}

// fonts embeds what is used of each face.
func (a *assembly) fonts(u *usage) (types.Dict, error) {
	fonts := types.Dict{}
	for f := range faceCount {
		if len(u.chars[f]) == 1 {
			continue
		}
		font, err := a.font(f, u.chars[f])
		if err != nil {
			return nil, err
		}
		fonts["F"+strconv.Itoa(int(f))] = font
	}
	return fonts, nil
}

func (a *assembly) font(f face, chars []rune) (types.IndirectRef, error) {
	font := faces[f].font()
	glyphs := make([]int, len(chars))
	widths := make(types.Array, len(chars))
	var numbers []byte // the glyph of each number, two bytes each
	for i, r := range chars {
		if i > 0 {
			glyphs[i] = font.glyph(r)
		}
		widths[i] = types.Float(font.Width(glyphs[i]))
		numbers = binary.BigEndian.AppendUint16(numbers, uint16(glyphs[i]))
	}
	used, err := font.Sparse(glyphs)
	if err != nil {
		return types.IndirectRef{}, err
	}
	file := a.stream(types.Dict{"Length1": types.Integer(len(used))}, used)
	toGlyphs := a.stream(types.Dict{}, numbers)
	unicodes := a.stream(types.Dict{}, toUnicode(chars))
	name := types.Name(subsetTag(chars) + "+" + faces[f].name)
	metrics := font.Metrics()
	descriptor := a.insert(types.Dict{
		"Type": types.Name("FontDescriptor"), "FontName": name, "FontFile2": file,
		"Flags": types.Integer(4), "ItalicAngle": types.Integer(0),
		"FontBBox": types.NewIntegerArray(metrics.Box[:]...),
		"Ascent":   types.Integer(metrics.Ascent), "Descent": types.Integer(metrics.Descent),
		"CapHeight": types.Integer(metrics.CapHeight), "StemV": types.Integer(10 + 220*(metrics.Weight-50)/900),
	})
	descendant := a.insert(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("CIDFontType2"), "BaseFont": name,
		"CIDSystemInfo": types.Dict{
			"Registry": types.StringLiteral("Adobe"), "Ordering": types.StringLiteral("Identity"), "Supplement": types.Integer(0),
		},
		"FontDescriptor": descriptor, "CIDToGIDMap": toGlyphs,
		"W": types.Array{types.Integer(0), widths},
	})
	return a.insert(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("Type0"), "BaseFont": name,
		"Encoding": types.Name("Identity-H"), "DescendantFonts": types.Array{descendant}, "ToUnicode": unicodes,
	}), nil
}

// subsetTag is the six letters that tell parts of one font from another.
func subsetTag(chars []rune) string {
	h := fnv.New64a()
	h.Write([]byte(string(chars)))
	n := h.Sum64()
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + byte(n%26)
		n /= 26
	}
	return string(tag)
}

// toUnicode says which character each number stands for, so that text can be
// copied, searched and heard.
func toUnicode(chars []rune) []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const most = 100 // entries that one block may have
	for start := 1; start < len(chars); start += most {
		end := min(start+most, len(chars))
		fmt.Fprintf(&b, "%d beginbfchar\n", end-start)
		for i := start; i < end; i++ {
			fmt.Fprintf(&b, "<%04X> <%X>\n", i, types.EncodeUTF16String(string(chars[i]))[2:])
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
