package schema

import "einvoice/model/source"

// The rules that a document can violate. They are stable: programs may depend on
// them.
const (
	RuleRoot       = "XSD-ROOT"       // the root element is not that of the schema
	RuleMissing    = "XSD-MISSING"    // a required element is missing
	RuleOrder      = "XSD-ORDER"      // an element is after one that must follow it
	RuleRepeated   = "XSD-REPEATED"   // an element occurs more often than it may
	RuleUnexpected = "XSD-UNEXPECTED" // an element is not allowed there
	RuleContent    = "XSD-CONTENT"    // text where only elements are allowed, or the reverse
	RuleValue      = "XSD-VALUE"      // a text or attribute value is not valid for its type
	RuleAttribute  = "XSD-ATTRIBUTE"  // an attribute is missing, or is not allowed there
	RuleType       = "XSD-TYPE"       // xsi:type names an unknown type, or one that is not allowed there
	RuleNil        = "XSD-NIL"        // xsi:nil on an element that must have a value
	RuleID         = "XSD-ID"         // two elements have the same identifier
)

// A Fault is one place where a document differs from its schema.
type Fault struct {
	Rule string
	// Ref is the element or attribute to look at: the wrong one or, if something is
	// missing, the element that it should precede or contain.
	Ref source.Ref
	// Parent is the element whose content is wrong, for the rules about child
	// elements and attributes. Together with Name it says what is missing.
	Parent source.Node
	// Name is the element or attribute concerned, such as "cbc:ID" or "@unitCode".
	Name string
	// Expected are the names that would be allowed there, or a description of the
	// values that would be valid.
	Expected []string
	// Constraints are the constraints of XML Schema that are violated, in the codes that
	// the parser Xerces has for them: the names of the recommendation ("Outcome
	// Tabulations" of part 1), some with a letter for the case, such as
	// cvc-complex-type.2.4.a. A value that is wrong violates two, that of its type and that
	// of its element or attribute.
	Constraints []string
	// Message is a sentence that contains all of this.
	Message string
}
