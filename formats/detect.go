package formats

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model/problem"
	"einvoice/model/source"
)

const sbdhNamespace = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"

// unrecognised is the error for a document that no format reads. It says what the
// document is instead of an invoice.
func unrecognised(tree *source.Tree) *problem.Error {
	root := tree.NameOf(tree.Name(tree.Root()))
	e := &problem.Error{Code: CodeUnknown, Position: tree.Position(tree.Root().Ref()), Remedy: "send " + expectedRoots()}
	if inside := findInvoice(tree); inside != 0 {
		e.Code = CodeWrapped
		e.Message = fmt.Sprintf("the invoice is wrapped in %s; it begins at line %d with %s",
			wrapperName(root), tree.Position(inside.Ref()).Line, tree.NameOf(tree.Name(inside)))
		e.Remedy = "send that element as a document of its own"
		return e
	}
	if known := Known(root); known != nil {
		known.Position = e.Position
		return known
	}
	switch namespaces := namespacesOf(root.Local); {
	case root.Local == "html" || root.Local == "HTML":
		e.Message = "this is a web page, not an invoice"
	case namespaces != nil:
		e.Code = CodeNamespace
		e.Message = fmt.Sprintf("the root element is called %s, but is in %s", root.Local, namespaceText(root.URI))
		e.Remedy = "declare the namespace " + strings.Join(namespaces, " or ")
	case otherNamed(root) != nil || root.URI == sbdhNamespace:
		e.Code = CodeWrapped
		e.Message = fmt.Sprintf("this is %s without an invoice that can be read inside", wrapperName(root))
	default:
		otherDocument(e, root)
	}
	return e
}

// otherDocument completes the error for a document that contains no invoice: a
// document of a known syntax, an invoice of a legacy format, or something unknown.
func otherDocument(e *problem.Error, root source.QName) {
	for _, f := range All {
		if f.About.NamespacePrefix != "" && strings.HasPrefix(root.URI, f.About.NamespacePrefix) {
			e.Code, e.Message = CodeOtherDocument, fmt.Sprintf("this is a %s %s, not an invoice", f.About.Label, root.Local)
			return
		}
	}
	for _, f := range Legacy {
		if slices.ContainsFunc(f.RootNames(), func(q source.QName) bool { return q.Local == root.Local }) {
			e.Code = CodeOtherDocument
			e.Message = fmt.Sprintf("this is an invoice of %s, a legacy format that is older than EN 16931", f.Name)
			e.Remedy = fmt.Sprintf("ask the sender for %s; what is in this one can be extracted as JSON, transformed and rendered", f.About.Successors)
			return
		}
	}
	e.Message = fmt.Sprintf("the root element %s belongs to no known invoice format", root)
}

// findInvoice is the first element inside the document that is the root element of
// an invoice; 0 if there is none.
func findInvoice(tree *source.Tree) source.Node {
	for n := tree.Root() + 1; int(n) < len(tree.Elements); n++ {
		for _, f := range All {
			if f.Reads(tree.Name(n)) {
				return n
			}
		}
	}
	return 0
}

// namespacesOf are the namespaces in which a root element with this local name
// would be an invoice.
func namespacesOf(local string) (namespaces []string) {
	for _, f := range All {
		for _, q := range f.RootNames() {
			if q.Local == local && !slices.Contains(namespaces, q.URI) {
				namespaces = append(namespaces, q.URI)
			}
		}
	}
	return namespaces
}

// expectedRoots lists the root elements that can be read, for messages.
func expectedRoots() string {
	lists := make([]string, len(All))
	for i, f := range All {
		lists[i] = "a " + f.About.Label
		for j, q := range f.RootNames() {
			if j > 0 {
				lists[i] += " or"
			}
			lists[i] += " " + q.Local
		}
	}
	return strings.Join(lists, " or ")
}

func wrapperName(root source.QName) string {
	if o := otherNamed(root); o != nil {
		return o.Is
	}
	return "the element " + root.String()
}

func namespaceText(uri string) string {
	if uri == "" {
		return "no namespace"
	}
	return "the namespace " + uri
}
