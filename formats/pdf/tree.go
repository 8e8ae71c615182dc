package pdf

import (
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// Tree visits each node of a tree whose nodes name others as Kids: a name tree, the
// page tree, the fields of a form. A node is visited once, before its kids and in
// their order, whatever refers to it.
func (r *Reader) Tree(root types.Object, visit func(node types.Dict)) {
	r.tree(root, func(node types.Dict, _ types.Object) { visit(node) })
}

// Pages visits the pages of a page tree, in their order, with the resources that
// each has or inherits. What has no Kids is a page.
func (r *Reader) Pages(root types.Object, visit func(page types.Dict, resources types.Object)) {
	r.tree(root, func(node types.Dict, resources types.Object) {
		if r.Array(node["Kids"]) == nil {
			visit(node, resources)
		}
	})
}

func (r *Reader) tree(root types.Object, visit func(node types.Dict, resources types.Object)) {
	type item struct {
		node, resources types.Object
		depth           int
	}
	seen := map[int]bool{}
	for stack := []item{{root, nil, 1}}; len(stack) > 0 && r.err == nil; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if ref, ok := top.node.(types.IndirectRef); ok {
			number := ref.ObjectNumber.Value()
			if seen[number] {
				continue
			}
			seen[number] = true
		}
		if top.depth > r.limits.Depth {
			r.Fail(r.limits.Exceeded(LimitDepth))
			return
		}
		node := r.Entries(top.node)
		if node == nil {
			continue
		}
		if own := node["Resources"]; own != nil {
			top.resources = own
		}
		visit(node, top.resources)
		for _, kid := range slices.Backward(r.Array(node["Kids"])) {
			stack = append(stack, item{kid, top.resources, top.depth + 1})
		}
	}
}
