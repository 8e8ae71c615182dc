package expr

import (
	"slices"

	"einvoice/model"
)

// A rule about each line may ask for something that is the same for all lines:
//
//	invoice.lines.filter(l, l.vat.categoryCode == "E").size() == 1
//	this.elements("cac:InvoiceLine").all(l, l.count("cac:Price") <= this.count("//cac:Price"))
//
// What depends on no variable is evaluated once in a document, and what depends on no variable of
// a loop once whenever the loop begins.

// onceFrom is how many steps an expression takes at least whose value is kept.
var onceFrom int64 = 200

// A constant is the value of an expression that stays the same for a while.
type constant struct {
	boolean bool
	text    string
	decimal model.Decimal
	integer int64
	list    list
}

// lifetimes says of parts of an expression how long their value stays the same: until a loop begins
// again, or for the whole document.
type lifetimes struct {
	until map[*node]*node   // by part: the loop
	parts map[*node][]*node // by loop: the parts
}

func newLifetimes() lifetimes { return lifetimes{map[*node]*node{}, map[*node][]*node{}} }

func (k lifetimes) keep(part, until *node) {
	k.until[part] = until
	k.parts[until] = append(k.parts[until], part)
}

// wholeDocument stands for a loop that never begins again.
var wholeDocument = &node{}

// mark adds the parts of an expression that take work and whose value stays the same while the
// innermost of some loops goes on. It returns the variables that the expression reads and does not
// declare, and whether it takes work.
func (k lifetimes) mark(n *node, loops []*node) (free []string, works bool) {
	switch n.op {
	case nodeVariable:
		if n.name != varInvoice {
			free = []string{n.name}
		}
		return free, false
	case nodeCall:
		if isRooted(n) {
			k.keep(n, wholeDocument)
			return nil, true
		}
		works = takesPath(n.name) || n.name == "splitMatches" || n.name == "matches"
	case nodeLoop:
		works = true
	}
	for i, arg := range n.args {
		around := loops
		if n.op == nodeLoop && i > 1 { // the list and the beginning are evaluated before it goes on
			around = append(slices.Clip(loops), n)
		}
		of, work := k.mark(arg, around)
		works = works || work
		for _, name := range of {
			if isDeclared := n.op == nodeLoop && i > 0 && n.declares(name); !isDeclared && !slices.Contains(free, name) {
				free = append(free, name)
			}
		}
	}
	if !works {
		return free, false
	}
	if len(free) == 0 {
		k.keep(n, wholeDocument)
	} else if outer := decidedBy(loops, free); outer < len(loops) {
		k.keep(n, loops[outer])
	}
	return free, true
}

// decidedBy counts the outer ones of some loops that decide a value with these variables.
func decidedBy(loops []*node, variables []string) int {
	for i := len(loops); i > 0; i-- {
		if slices.ContainsFunc(variables, loops[i-1].declares) {
			return i
		}
	}
	return 0
}

// declares reports whether a loop has a variable of this name: of the element or of the result.
func (n *node) declares(name string) bool { return name == n.name || name == n.text }

// beginning wraps a loop so that it forgets, whenever it begins, what stays the same until then.
func (k lifetimes) beginning(loop *node, c compiled) compiled {
	parts := k.parts[loop]
	if parts == nil {
		return c
	}
	forget := func(act *Activation) {
		for _, part := range parts {
			delete(act.constants, part)
		}
	}
	switch {
	case c.boolean != nil:
		c.boolean = after(forget, c.boolean)
	case c.decimal != nil:
		c.decimal = after(forget, c.decimal)
	case c.integer != nil:
		c.integer = after(forget, c.integer)
	case c.list != nil:
		c.list = after(forget, c.list)
	}
	return c
}

func after[T any](before func(*Activation), evaluate fn[T]) fn[T] {
	return func(act *Activation) (T, bool) {
		before(act)
		return evaluate(act)
	}
}

// once keeps the value of an expression that stays the same for a while.
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
