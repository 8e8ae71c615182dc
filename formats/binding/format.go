package binding

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"einvoice/model"
	"einvoice/model/source"
	"einvoice/model/syntax"

	"gopkg.in/yaml.v3"
)

// A Format reads and writes the documents of one syntax.
type Format struct {
	Syntax model.Syntax
	Name   string   // with the version: UBL 2.1
	Roots  []string // root elements with conventional prefixes
	About  *syntax.Syntax

	bindings Bindings
	roots    []source.Name
	intern   func() // interns all names of the table, and fills roots
	table    func() *table
	terms    func() *termLister
	// The compiled tables, one for each root element.
	readPlans  []func() *readPlan
	writePlans []func() *writePlan
}

// Bindings is a table of bindings as YAML.
type Bindings func() (*yaml.Node, error)

// New makes a format from the description of its syntax and its table of bindings. The
// table is not compiled before the first document of the format is read or written.
func New(s *syntax.Syntax, bindings Bindings) *Format {
	f := &Format{Syntax: model.Syntax(s.ID), Name: s.Name, About: s, bindings: bindings}
	for _, root := range s.Roots {
		f.Roots = append(f.Roots, root.Element)
	}
	f.intern = sync.OnceFunc(func() {
		table, err := bindings()
		f.must(err)
		source.Intern(namesIn(table)...)
		f.roots = source.Intern(f.RootNames()...)
	})
	f.table = sync.OnceValue(func() *table {
		t, err := parseTable(bindings)
		f.must(err)
		return t
	})
	f.terms = sync.OnceValue(func() *termLister {
		l := &termLister{table: f.table(), index: map[string]int{}}
		l.rows(l.table.rows, "", "")
		return l
	})
	for _, root := range f.Roots {
		f.readPlans = append(f.readPlans, sync.OnceValue(func() *readPlan {
			p, err := compileReadPlan(f.table(), f.Syntax, root)
			f.must(err)
			return p
		}))
		f.writePlans = append(f.writePlans, sync.OnceValue(func() *writePlan {
			p, err := compileWritePlan(f.table(), f.Syntax, root)
			f.must(err)
			return p
		}))
	}
	return f
}

// must panics if the table is wrong. The table is part of the program, and a test
// that calls Check ensures that it is right.
func (f *Format) must(err error) {
	if err != nil {
		panic(fmt.Sprintf("bindings of %s: %v", f.Name, err))
	}
}

// Check compiles everything that is otherwise compiled on first use, and returns
// the first mistake in the table.
func (f *Format) Check() error {
	t, err := parseTable(f.bindings)
	if err != nil {
		return err
	}
	if err := checkRoots(t.rows, f.Roots); err != nil {
		return err
	}
	for _, root := range f.Roots {
		if _, err := compileReadPlan(t, f.Syntax, root); err != nil {
			return fmt.Errorf("under %s: %w", root, err)
		}
		if _, err := compileWritePlan(t, f.Syntax, root); err != nil {
			return fmt.Errorf("written under %s: %w", root, err)
		}
	}
	return nil
}

// Root is the name of the root element of an invoice or of a credit note.
func (f *Format) Root(creditNote bool) string {
	if creditNote {
		return f.Roots[len(f.Roots)-1]
	}
	return f.Roots[0]
}

// RootNames are the names in Roots with their namespaces.
func (f *Format) RootNames() []source.QName {
	names := make([]source.QName, len(f.Roots))
	for i, root := range f.Roots {
		var err error
		names[i], err = source.ParseQName(root)
		f.must(err)
	}
	return names
}

// InternNames interns all names in the table. It must be called before a document
// is parsed, because the elements of a document are found by interned names.
func (f *Format) InternNames() { f.intern() }

// Reads reports whether the format reads documents with this root element.
func (f *Format) Reads(root source.Name) bool {
	f.intern()
	return slices.Contains(f.roots, root)
}

// Read reads the invoice from a document for which Reads is true. The error can
// only be a *TooManyGroups.
func (f *Format) Read(tree *source.Tree) (*model.Invoice, error) {
	doc, err := f.Document(context.Background(), tree)
	if err != nil {
		return nil, err
	}
	return doc.Invoice, nil
}

// Document is Read of a document that can be given back. The context ends the reading with its
// error.
func (f *Format) Document(ctx context.Context, tree *source.Tree) (*model.Document, error) {
	in := model.NewMemory()
	invoice, err := f.read(ctx, tree, in, nil)
	if err != nil {
		return nil, err
	}
	return model.Made(invoice, in, f.Syntax, tree), nil
}

func (f *Format) read(ctx context.Context, tree *source.Tree, in *model.Memory, usage *usageRecorder) (*model.Invoice, error) {
	f.intern()
	i := slices.Index(f.roots, tree.Name(tree.Root()))
	return f.readPlans[i]().read(ctx, tree, in, usage)
}
