package pdf

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// finder collects the attachments of a container.
type finder struct {
	*objects
	found  map[int]*Attachment // by the number of the object that is the file
	broken bool                // something on the way could not be read
}

func (c *Container) find(deadline time.Time) error {
	c.opened = map[int]bool{}
	f := &finder{
		objects: c.objects(deadline),
		found:   map[int]*Attachment{},
	}
	root, err := f.catalog()
	if err != nil {
		return err
	}
	names, err := f.dict(root["Names"])
	if err := f.excuse(err); err != nil {
		return err
	}
	for _, look := range []func() error{
		func() error { return f.nameTree(names["EmbeddedFiles"]) },
		func() error { return f.associated(root["AF"], InDocumentAF) },
		func() error { return f.pages(root["Pages"]) },
	} {
		if err := f.excuse(look()); err != nil {
			return err
		}
	}
	if len(c.Attachments) > 0 || !f.broken {
		return nil
	}
	err = f.loose()
	c.lost = len(c.Attachments) == 0
	return err
}

// excuse lets the search go on after what is damaged, but not after a limit.
func (f *finder) excuse(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeLimit {
		return e
	}
	if err != nil {
		f.broken = true
	}
	return nil
}

func (f *finder) catalog() (types.Dict, error) {
	if f.Root == nil {
		f.broken = true
		return types.Dict{}, nil
	}
	root, err := f.dict(*f.Root)
	if err := f.excuse(err); err != nil {
		return nil, err
	}
	if root == nil {
		f.broken = true
	}
	return root, nil
}

// nameTree goes through a tree of names and what they stand for.
func (f *finder) nameTree(root object) error {
	return f.tree(root, func(node types.Dict) error {
		pairs, err := f.array(node["Names"])
		if err := f.excuse(err); err != nil {
			return err
		}
		for i := 0; i+1 < len(pairs); i += 2 {
			if err := f.excuse(f.attachment(pairs[i+1], InNameTree, f.text(pairs[i]))); err != nil {
				return err
			}
		}
		return nil
	})
}

// pages goes through the pages for what is attached to each of them.
func (f *finder) pages(root object) error {
	return f.tree(root, func(page types.Dict) error {
		if err := f.excuse(f.associated(page["AF"], InPageAF)); err != nil {
			return err
		}
		annotations, err := f.array(page["Annots"])
		if err := f.excuse(err); err != nil {
			return err
		}
		for _, a := range annotations {
			annotation, err := f.dict(a)
			if err == nil && f.name(annotation["Subtype"]) == "FileAttachment" {
				err = f.attachment(annotation["FS"], InAnnotation, "")
			}
			if err := f.excuse(err); err != nil {
				return err
			}
		}
		return nil
	})
}

// tree visits each node of a tree once, kids after their parent and in order,
// however they refer to each other.
func (f *finder) tree(root object, visit func(types.Dict) error) error {
	type place struct {
		node  object
		depth int
	}
	seen := map[int]bool{}
	for next := []place{{root, 1}}; len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if ref, ok := at.node.(types.IndirectRef); ok {
			number := ref.ObjectNumber.Value()
			if seen[number] {
				continue
			}
			seen[number] = true
		}
		if at.depth > f.container.limits.Depth {
			return beyond("a tree in the PDF has more than the %d levels that are allowed", f.container.limits.Depth)
		}
		node, err := f.dict(at.node)
		if err == nil && node != nil {
			err = visit(node)
		}
		if err := f.excuse(err); err != nil {
			return err
		}
		kids, err := f.array(node["Kids"])
		if err := f.excuse(err); err != nil {
			return err
		}
		for _, kid := range slices.Backward(kids) {
			next = append(next, place{kid, at.depth + 1})
		}
	}
	return nil
}

// associated goes through an array of associated files; a single one is taken
// as well, as some producers write it.
func (f *finder) associated(o object, place Place) error {
	o, err := f.at(o)
	if err != nil {
		return err
	}
	files, many := o.(types.Array)
	if !many {
		files = types.Array{o}
	}
	for _, file := range files {
		if err := f.excuse(f.attachment(file, place, "")); err != nil {
			return err
		}
	}
	return nil
}

// loose goes through all objects for descriptions of files. Only a damaged file
// is searched in this way: in a sound one, what nothing leads to was deleted.
func (f *finder) loose() error {
	for _, number := range slices.Sorted(maps.Keys(f.Table)) {
		o, err := f.at(*types.NewIndirectRef(number, generation(f.Table[number].Generation)))
		if d, ok := o.(types.Dict); ok && err == nil && d["EF"] != nil {
			err = f.attachment(d, InLooseObject, "")
		}
		if err := f.excuse(err); err != nil {
			return err
		}
	}
	return nil
}

func generation(g *int) int {
	if g == nil {
		return 0
	}
	return *g
}
