package expr

import (
	"slices"

	"github.com/google/cel-go/common/operators"
)

// A Demand is what an assertion asks of a term: that it has one of some texts.
type Demand struct {
	Of    string // this or invoice
	Path  string // of the term below it, with slashes
	Texts []string
}

// Demands are what an assertion asks of terms whatever else they are: of several that && joins,
// each; nothing of what it asks otherwise.
func Demands(text string, this This) (demands []Demand, err error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, err
	}
	root, err := nodesOf(tree, tree.Expr())
	if err != nil {
		return nil, err
	}
	root.demands(&demands)
	return demands, nil
}

func (n *node) demands(out *[]Demand) {
	if n.op != nodeCall {
		return
	}
	switch {
	case n.name == operators.LogicalAnd:
		for _, arg := range n.args {
			arg.demands(out)
		}
	case n.name == operators.Equals:
		for i, arg := range n.args {
			n.args[1-i].demanded([]*node{arg}, out)
		}
	case n.name == operators.In && n.args[1].op == nodeList:
		n.args[0].demanded(n.args[1].args, out)
	}
}

// demanded adds that the term which a node reads has one of some texts, if all are.
func (n *node) demanded(values []*node, out *[]Demand) {
	d := Demand{}
	for _, v := range values {
		if v.op != nodeText {
			return
		}
		d.Texts = append(d.Texts, v.text)
	}
	at := n
	for ; at.op == nodeField; at = at.args[0] {
		if d.Path != "" {
			d.Path = "/" + d.Path
		}
		d.Path = at.name + d.Path
	}
	if at.op == nodeVariable && slices.Contains([]string{"this", "invoice"}, at.name) && d.Path != "" {
		d.Of = at.name
		*out = append(*out, d)
	}
}
