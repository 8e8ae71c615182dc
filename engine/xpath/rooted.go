package xpath

import "einvoice/model/source"

// A path that begins at the root leads to the same nodes from everywhere. Rules ask
// for the same ones again and again, some at each line, so that they are remembered
// while a document is evaluated, up to a bound.
const (
	mostFromRoot   = 1 << 16 // nodes of one path
	mostRemembered = 1 << 20 // nodes of all paths
)

// fromRoot are the nodes that an absolute path leads to, in document order. It is
// false if these are too many to be remembered, or if the budget stopped it.
func (e *Evaluation) fromRoot(p *SourcePath) (nodes []source.Ref, ok bool) {
	if nodes, known := e.rooted[p]; known {
		return nodes, nodes != nil
	}
	nodes = []source.Ref{}
	all := p.search(e, 0, func(_ *Evaluation, r source.Ref) bool {
		nodes = append(nodes, r)
		return len(nodes) < mostFromRoot
	})
	if e.Budget.Stopped() {
		return nil, false
	}
	if !all || e.remembered+len(nodes) > mostRemembered {
		nodes = nil
	}
	if e.rooted == nil {
		e.rooted = map[*SourcePath][]source.Ref{}
	}
	e.rooted[p] = nodes
	e.remembered += len(nodes)
	return nodes, nodes != nil
}
