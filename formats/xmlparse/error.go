package xmlparse

// The codes of the *problem.Error values that Parse returns. They are stable: programs
// may depend on them.
const (
	CodeEmpty     = "XML-EMPTY"     // the document is empty
	CodeNotXML    = "NOT-XML"       // the data is something else, which the message names if it is recognised
	CodeEncoding  = "XML-ENCODING"  // the bytes are not valid in the encoding, or the encoding is not supported
	CodeDoctype   = "XML-DOCTYPE"   // the document has a document type declaration
	CodeEntity    = "XML-ENTITY"    // a reference to an entity other than the five predefined ones
	CodeLimit     = "XML-LIMIT"     // the document exceeds one of Limits
	CodeNamespace = "XML-NAMESPACE" // a prefix is not bound, or must not be bound like that
	CodeSyntax    = "XML-SYNTAX"    // the document is not well-formed in some other way
)
