package formats

import (
	"strconv"

	"einvoice/model/source"
)

// paths writes locations as source.Tree.Path does, for many elements of one
// document: the numbers of elements among their siblings are counted once.
type paths struct {
	tree   *source.Tree
	number []int32 // of each element, from 1; 0 where it has no sibling of its name
}

func newPaths(tree *source.Tree) *paths {
	p := &paths{tree: tree}
	if tree == nil {
		return p
	}
	p.number = make([]int32, len(tree.Elements))
	type sibling struct {
		parent source.Node
		name   source.Name
	}
	latest := map[sibling]source.Node{}
	for n := tree.Root(); int(n) < len(tree.Elements); n++ {
		s := sibling{tree.Parent(n), tree.Name(n)}
		before, again := latest[s]
		latest[s] = n
		if again {
			p.number[before] = max(p.number[before], 1)
			p.number[n] = p.number[before] + 1
		}
	}
	return p
}

func (p *paths) of(ref source.Ref) string {
	n := p.tree.Owner(ref)
	path := p.element(n)
	if ref < 0 {
		path += "/@" + p.tree.NameOf(p.tree.Attributes[-1-ref].Name).String()
	}
	return path
}

func (p *paths) element(n source.Node) string {
	if n == 0 {
		return ""
	}
	step := "/" + p.tree.NameOf(p.tree.Name(n)).String()
	if i := p.number[n]; i > 0 {
		step += "[" + strconv.Itoa(int(i)) + "]"
	}
	return p.element(p.tree.Parent(n)) + step
}
