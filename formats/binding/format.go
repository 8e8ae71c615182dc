package binding

import (
	"fmt"
	"slices"
	"sync"

	"einvoice/model"
	"einvoice/model/source"
)

// A Format is one syntax: how its documents are recognised, and where terms
// stand in them.
type Format struct {
	Syntax model.Syntax
	Name   string   // as people call it: UBL 2.1
	Roots  []string // names of root elements with conventional prefixes; a credit note has the last

	bindings []byte
	roots    []source.Name
	intern   func()
	table    func() *table
	plans    []func() *plan   // by root
	layouts  []func() *layout // by root
}

// New makes a format from its table. Nothing is compiled before the first
// document of the format is read.
func New(syntax model.Syntax, name string, bindings []byte, roots ...string) *Format {
	f := &Format{Syntax: syntax, Name: name, Roots: roots, bindings: bindings}
	f.intern = sync.OnceFunc(func() {
		source.Intern(mentioned(bindings)...)
		for _, root := range roots {
			q, err := source.ParseQName(root)
			f.must(err)
			f.roots = append(f.roots, source.Intern(q)...)
		}
	})
	f.table = sync.OnceValue(func() *table {
		t, err := parseTable(bindings)
		f.must(err)
		return t
	})
	for _, root := range roots {
		f.plans = append(f.plans, sync.OnceValue(func() *plan {
			p, err := compile(f.table(), syntax, root)
			f.must(err)
			return p
		}))
		f.layouts = append(f.layouts, sync.OnceValue(func() *layout {
			l, err := lay(f.table(), syntax, root)
			f.must(err)
			return l
		}))
	}
	return f
}

// must stops the program on a faulty table: it is part of the program, and a
// test holds it right.
func (f *Format) must(err error) {
	if err != nil {
		panic(fmt.Sprintf("bindings of %s: %v", f.Name, err))
	}
}

// Check compiles everything that would be compiled on first use and returns the
// first mistake in the table.
func (f *Format) Check() error {
	t, err := parseTable(f.bindings)
	if err != nil {
		return err
	}
	if err := checkRoots(t.rows, f.Roots); err != nil {
		return err
	}
	for _, root := range f.Roots {
		if _, err := compile(t, f.Syntax, root); err != nil {
			return fmt.Errorf("under %s: %w", root, err)
		}
		if _, err := lay(t, f.Syntax, root); err != nil {
			return fmt.Errorf("written under %s: %w", root, err)
		}
	}
	return nil
}

// Root is the root element of an invoice or a credit note.
func (f *Format) Root(creditNote bool) string {
	if creditNote {
		return f.Roots[len(f.Roots)-1]
	}
	return f.Roots[0]
}

// InternNames makes the names in the table known. A document must be parsed
// after it: its elements are found by their known names.
func (f *Format) InternNames() { f.intern() }

// Reads reports whether a document with this root element is of the format.
func (f *Format) Reads(root source.Name) bool {
	f.intern()
	return slices.Contains(f.roots, root)
}

// Read reads the invoice out of a document for which Reads is true. The error
// can only be a *TooManyGroups.
func (f *Format) Read(tree *source.Tree) (*model.Invoice, error) { return f.read(tree, nil) }

func (f *Format) read(tree *source.Tree, k *keeper) (*model.Invoice, error) {
	f.intern()
	i := slices.Index(f.roots, tree.Name(tree.Root()))
	return f.plans[i]().read(tree, k)
}
