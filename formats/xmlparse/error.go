package xmlparse

// The codes of the errors that Parse returns, which are of type *problem.Error. They
// are stable: programs may depend on them.
const (
	CodeEmpty     = "XML-EMPTY"     // there is no document
	CodeNotXML    = "NOT-XML"       // it is something else, named where it is recognised
	CodeEncoding  = "XML-ENCODING"  // its bytes are not the characters they claim to be
	CodeDoctype   = "XML-DOCTYPE"   // it has a document type declaration
	CodeEntity    = "XML-ENTITY"    // it refers to an entity other than the five of XML
	CodeLimit     = "XML-LIMIT"     // it exceeds one of Limits
	CodeNamespace = "XML-NAMESPACE" // a prefix is not bound, or bound against the rules
	CodeSyntax    = "XML-SYNTAX"    // it is not well-formed in some other way
)
