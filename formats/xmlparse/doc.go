// Package xmlparse reads XML into a source.Tree, strictly: what it accepts is
// well-formed by XML 1.0 and Namespaces in XML 1.0, without a document type
// declaration, and within limits.
//
//	tree, err := xmlparse.Parse(data, xmlparse.DefaultLimits())
//	if e, ok := errors.AsType[*problem.Error](err); ok {
//		fmt.Println(e.Code, e.Position.Line, e.Message, e.Remedy)
//	}
//
// UTF-8, UTF-16, ISO-8859-1 and windows-1252 are understood. Everything a
// document type declaration could do (entities, default attributes, external
// files) is refused with it, so a small document can not become a large one
// and nothing outside the document is ever read.
package xmlparse
