package xpath2

import "strings"

// Canonical writes a tree in one way, however the expression was laid out: two expressions
// with the same text ask the same. named gives the names of steps, functions and variables,
// so that prefixes do not matter; nil leaves them.
func (n *Node) Canonical(named func(kind Op, name string) string) string {
	var b strings.Builder
	n.canonical(&b, named)
	return b.String()
}

func (n *Node) canonical(b *strings.Builder, named func(Op, string) string) {
	if n == nil {
		return
	}
	name := n.Name
	if named != nil && (n.Op == Call || n.Op == Variable) {
		name = named(n.Op, name)
	}
	b.WriteString("(" + string(n.Op))
	if name != "" {
		b.WriteString(" " + name)
	}
	if n.Op == Text || n.Op == Number {
		b.WriteString(" '" + strings.Join(strings.Fields(n.Text), " ") + "'")
	}
	if n.Root {
		b.WriteString(" /")
	}
	for _, s := range n.Steps {
		b.WriteString(" ")
		if s.Descendant {
			b.WriteString("//")
		}
		if s.Expr != nil {
			s.Expr.canonical(b, named)
		} else {
			test := s.Test
			if named != nil {
				test = named(Path, test)
			}
			b.WriteString(s.Axis + "::" + test)
		}
		for _, p := range s.Predicates {
			b.WriteString("[")
			p.canonical(b, named)
			b.WriteString("]")
		}
	}
	for _, a := range n.Args {
		b.WriteString(" ")
		a.canonical(b, named)
	}
	b.WriteString(")")
}
