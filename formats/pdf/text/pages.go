package text

import (
	"errors"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// pages reads all pages, in their order.
func (r *reader) pages() error {
	if r.table.Root == nil {
		return nil
	}
	root, err := r.dict(*r.table.Root)
	if err != nil {
		return err
	}
	return r.tree(root["Pages"], nil, map[int]bool{}, 0)
}

// tree reads the pages below a node, which inherit resources from it. A node is
// read once, however often it is referred to.
func (r *reader) tree(o, inherited object, seen map[int]bool, depth int) error {
	if ref, ok := o.(types.IndirectRef); ok {
		number := ref.ObjectNumber.Value()
		if seen[number] {
			return nil
		}
		seen[number] = true
	}
	node, err := r.dict(o)
	if err != nil || node == nil || depth > r.limits.Depth {
		return err
	}
	if resources := node["Resources"]; resources != nil {
		inherited = resources
	}
	kids, err := r.array(node["Kids"])
	if err != nil {
		return err
	}
	if kids == nil {
		return r.readPage(node, inherited)
	}
	for _, kid := range kids {
		if err := r.tree(kid, inherited, seen, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readPage(page types.Dict, resources object) error {
	if len(r.document.Pages) >= r.limits.Pages {
		return ErrLimit
	}
	r.page = len(r.document.Pages) + 1
	i := &interpreter{reader: r, out: &layout{}, state: newState()}
	data, err := r.contents(page["Contents"])
	if err == nil {
		err = i.run(data, resources, 0)
	}
	if err == nil {
		err = i.annotations(page["Annots"])
	}
	text := i.out.String()
	r.document.Pages = append(r.document.Pages, text)
	if r.characters += len(text); r.characters > r.limits.Characters {
		return ErrLimit
	}
	return err
}

// contents joins the streams of a page, which may be cut anywhere between two
// operators.
func (r *reader) contents(o object) ([]byte, error) {
	target, err := r.at(o)
	parts, several := target.(types.Array)
	if err != nil || !several {
		data, failed := r.stream(o)
		return data, errors.Join(err, failed)
	}
	var all strings.Builder
	for _, part := range parts {
		data, err := r.stream(part)
		if err != nil {
			return nil, err
		}
		all.Write(data)
		all.WriteByte('\n')
	}
	return []byte(all.String()), nil
}
