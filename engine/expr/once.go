package expr

import (
	"slices"

	"einvoice/model"
)

// A rule about each line may ask for something that is the same for all lines:
//
//	invoice.lines.filter(l, l.vat.categoryCode == "E").size() == 1
//	this.texts("//cac:InvoiceLine/cbc:ID").distinct().size() == this.count("//cac:InvoiceLine")
//
// What depends on no variable is evaluated once in a document.

// onceFrom is how many steps an expression takes at least whose value is kept.
const onceFrom = 200

// A constant is the value of an expression for one document.
type constant struct {
	boolean bool
	text    string
	decimal model.Decimal
	integer int64
	list    list
}

// markConstants adds the parts of an expression that depend on no variable and go through
// a list or follow a path. It returns the variables that the expression reads and does not declare,
// and whether it has such work.
func markConstants(n *node, marked map[*node]bool) (free []string, works bool) {
	switch n.op {
	case nodeVariable:
		if n.name != varInvoice {
			free = []string{n.name}
		}
		return free, false
	case nodeCall:
		if isRooted(n) {
			marked[n] = true
			return nil, true
		}
	}
	for i, arg := range n.args {
		of, work := markConstants(arg, marked)
		works = works || work
		for _, name := range of {
			if isDeclared := n.op == nodeLoop && i > 0 && (name == n.name || name == n.text); !isDeclared && !slices.Contains(free, name) {
				free = append(free, name)
			}
		}
	}
	works = works || n.op == nodeLoop
	if works && len(free) == 0 {
		marked[n] = true
	}
	return free, works
}

// once keeps the value of an expression that is the same wherever it is evaluated in a document.
func once(n *node, c compiled) compiled {
	switch {
	case c.boolean != nil:
		c.boolean = kept(n, c.boolean, func(c *constant) *bool { return &c.boolean })
	case c.text != nil:
		c.text = kept(n, c.text, func(c *constant) *string { return &c.text })
	case c.decimal != nil:
		c.decimal = kept(n, c.decimal, func(c *constant) *model.Decimal { return &c.decimal })
	case c.integer != nil:
		c.integer = kept(n, c.integer, func(c *constant) *int64 { return &c.integer })
	case c.list != nil:
		evaluate := c.list
		c.list = kept(n, func(act *Activation) (list, bool) {
			before := act.budget.Used()
			l, ok := evaluate(act)
			if ok && act.budget.Used()-before >= onceFrom {
				l = l.kept() // its memory would be used again
			}
			return l, ok
		}, func(c *constant) *list { return &c.list })
	}
	return c
}

// kept evaluates once, and then gives the value that it finds in its place among constants.
func kept[T any](n *node, evaluate fn[T], place func(*constant) *T) fn[T] {
	return func(act *Activation) (T, bool) {
		if known := act.constants[n]; known != nil {
			return *place(known), act.step()
		}
		before := act.budget.Used()
		value, ok := evaluate(act)
		if ok && act.budget.Used()-before >= onceFrom {
			if act.constants == nil {
				act.constants = map[*node]*constant{}
			}
			act.constants[n] = new(constant)
			*place(act.constants[n]) = value
		}
		return value, ok
	}
}
