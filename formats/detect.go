package formats

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model/problem"
	"einvoice/model/source"
)

const (
	ublNamespaces = "urn:oasis:names:specification:ubl:schema:xsd:"
	sbdhNamespace = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"
	zugferd1Root  = "CrossIndustryDocument"
	useInvoice    = "hand in a UBL Invoice or CreditNote or a CII CrossIndustryInvoice"
)

// wrappers are root elements that are known to carry other documents.
var wrappers = map[string]string{
	"StandardBusinessDocument": "a Standard Business Document (SBDH)",
	"XHE":                      "an Exchange Header Envelope (XHE)",
	"Envelope":                 "a SOAP envelope",
	"AttachedDocument":         "a UBL AttachedDocument",
	"ASiCManifest":             "an ASiC manifest",
}

// unrecognised says what a document is that is no invoice.
func unrecognised(tree *source.Tree) *problem.Error {
	root := tree.NameOf(tree.Name(tree.Root()))
	e := &problem.Error{Code: CodeUnknown, Position: tree.Position(tree.Root().Ref()), Remedy: useInvoice}
	if inside := findInvoice(tree); inside != 0 {
		e.Code = CodeWrapped
		e.Message = fmt.Sprintf("the invoice is wrapped in %s; it begins at line %d with %s",
			wrapperName(root), tree.Position(inside.Ref()).Line, tree.NameOf(tree.Name(inside)))
		e.Remedy = "hand in that element as a document of its own"
		return e
	}
	switch wanted := rootsCalled(root.Local); {
	case root.Local == "html" || root.Local == "HTML":
		e.Message = "this is a web page, not an invoice"
	case wanted != nil:
		e.Code = CodeNamespace
		e.Message = fmt.Sprintf("the root element is called %s, but is in %s", root.Local, namespaceText(root.URI))
		e.Remedy = "declare the namespace " + strings.Join(wanted, " or ")
	case wrappers[root.Local] != "" || root.URI == sbdhNamespace:
		e.Code = CodeWrapped
		e.Message = fmt.Sprintf("this is %s without an invoice that can be read inside", wrapperName(root))
	case strings.HasPrefix(root.URI, ublNamespaces):
		e.Code, e.Message = CodeOtherDocument, fmt.Sprintf("this is a UBL %s, not an invoice", root.Local)
	case root.Local == zugferd1Root:
		e.Code = CodeOtherDocument
		e.Message = "this is an invoice of ZUGFeRD 1.0, a legacy format that is older than EN 16931"
		e.Remedy = "ask the sender for ZUGFeRD 2.1 or later, or for XRechnung; what is in this one can be extracted as JSON"
	default:
		e.Message = fmt.Sprintf("the root element %s belongs to no known invoice format", root)
	}
	return e
}

// findInvoice is the first element inside the document that is the root of an
// invoice.
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

// rootsCalled are the namespaces in which a root element of this name would be
// an invoice.
func rootsCalled(local string) (namespaces []string) {
	for _, f := range All {
		for _, root := range f.Roots {
			if q, err := source.ParseQName(root); err == nil && q.Local == local && !slices.Contains(namespaces, q.URI) {
				namespaces = append(namespaces, q.URI)
			}
		}
	}
	return namespaces
}

func wrapperName(root source.QName) string {
	if name, ok := wrappers[root.Local]; ok {
		return name
	}
	return "the element " + root.String()
}

func namespaceText(uri string) string {
	if uri == "" {
		return "no namespace"
	}
	return "the namespace " + uri
}
