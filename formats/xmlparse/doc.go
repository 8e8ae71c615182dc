// Package xmlparse parses XML into a source.Tree. It accepts only documents that are
// well-formed by XML 1.0 and Namespaces in XML 1.0, have no document type
// declaration, and do not exceed limits.
//
//	tree, err := xmlparse.Parse(data, xmlparse.DefaultLimits())
//	if e, ok := errors.AsType[*problem.Error](err); ok {
//		fmt.Println(e.Code, e.Position.Line, e.Message, e.Remedy)
//	}
//
// It supports UTF-8, UTF-16, ISO-8859-1 and windows-1252. Without document type
// declarations there are no entities, default attributes or external files, so a
// small document cannot become a large one, and nothing outside the document is ever
// read.
package xmlparse
