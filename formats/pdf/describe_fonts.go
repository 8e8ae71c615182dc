package pdf

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// fontFiles are the keys under which a font descriptor holds the font program.
var fontFiles = []string{"FontFile", "FontFile2", "FontFile3"}

// fontCollector goes through the resources of pages for fonts.
type fontCollector struct {
	*describer
	page string
	seen map[types.IndirectRef]bool
}

func (d *describer) fonts(pages object) error {
	c := fontCollector{describer: d, seen: map[types.IndirectRef]bool{}}
	number := 0
	return d.tree(pages, func(page types.Dict) error {
		// What a node of the tree hands on to its pages is looked at once, with the
		// first of them.
		c.page = fmt.Sprintf("page %d", number+1)
		if page["Kids"] == nil {
			number++
			annotations, err := d.array(page["Annots"])
			for _, o := range annotations {
				if err := d.excuse(c.appearances(o)); err != nil {
					return err
				}
			}
			if err := d.excuse(err); err != nil {
				return err
			}
		}
		return c.resources(page["Resources"], 0)
	})
}

// again tells whether an object was seen before, and remembers it.
func (c *fontCollector) again(o object) bool {
	ref, ok := o.(types.IndirectRef)
	if !ok {
		return false
	}
	was := c.seen[ref]
	c.seen[ref] = true
	return was
}

func (c *fontCollector) resources(o object, depth int) error {
	if depth > c.container.limits.Depth || c.again(o) {
		return nil
	}
	resources, err := c.dict(o)
	if err != nil {
		return err
	}
	err = c.each(resources["Font"], func(font types.Dict) error { return c.font(font, depth) })
	for _, kind := range []string{"XObject", "Pattern"} {
		if err := c.excuse(err); err != nil {
			return err
		}
		err = c.each(resources[kind], func(form types.Dict) error { return c.resources(form["Resources"], depth+1) })
	}
	return err
}

// each visits the dictionaries in a dictionary that were not visited yet.
func (c *fontCollector) each(o object, visit func(types.Dict) error) error {
	all, err := c.dict(o)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if c.again(all[name]) {
			continue
		}
		one, err := c.dict(all[name])
		if err == nil && one != nil {
			err = visit(one)
		}
		if err := c.excuse(err); err != nil {
			return err
		}
	}
	return err
}

// appearances goes through the forms that an annotation looks like.
func (c *fontCollector) appearances(o object) error {
	annotation, err := c.dict(o)
	if err != nil {
		return err
	}
	states, err := c.dict(annotation["AP"])
	if err != nil || states == nil {
		return err
	}
	normal, err := c.at(states["N"])
	if err != nil {
		return err
	}
	if form, ok := normal.(types.StreamDict); ok {
		return c.resources(form.Dict["Resources"], 0)
	}
	return c.each(normal, func(form types.Dict) error { return c.resources(form["Resources"], 0) })
}

func (c *fontCollector) font(font types.Dict, depth int) error {
	name, embedded := c.name(font["BaseFont"]), ""
	switch c.name(font["Subtype"]) {
	case "Type3": // its glyphs are streams of the PDF, with resources of their own
		name, embedded = cmp.Or(name, c.name(font["Name"]), "Type3"), "CharProcs"
		if err := c.excuse(c.resources(font["Resources"], depth+1)); err != nil {
			return err
		}
	case "Type0":
		descendants, err := c.array(font["DescendantFonts"])
		if err != nil || len(descendants) == 0 {
			return err
		}
		if font, err = c.dict(descendants[0]); err != nil {
			return err
		}
	}
	descriptor, err := c.dict(font["FontDescriptor"])
	if err != nil {
		return err
	}
	for _, key := range fontFiles {
		file, err := c.at(descriptor[key])
		if err != nil {
			return err
		}
		if _, ok := file.(types.StreamDict); ok {
			embedded = key
		}
	}
	if len(c.out.Fonts) < mostDescribed {
		c.out.Fonts = append(c.out.Fonts, model.ContainerFont{Name: present(name), Page: model.NewText(c.page), Embedded: present(embedded)})
	}
	return nil
}
