package xmlparse

import (
	"fmt"

	"einvoice/model/source"
)

// The codes of an Error. They are stable: programs may depend on them.
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

// An Error says why a document could not be read.
type Error struct {
	Code     string
	Position source.Position // in the document's text, as UTF-8; zero where there is no text
	Message  string          // what is wrong there
	Remedy   string          // what to do about it
}

// Error is one line with everything.
func (e *Error) Error() string {
	place := ""
	if e.Position != (source.Position{}) {
		place = fmt.Sprintf("line %d, column %d: ", e.Position.Line, e.Position.Column)
	}
	return fmt.Sprintf("%s%s [%s]; %s", place, e.Message, e.Code, e.Remedy)
}
