package schema

import "einvoice/model/source"

// The rules that a document can break. They are stable.
const (
	RuleRoot       = "XSD-ROOT"       // the root element is another
	RuleMissing    = "XSD-MISSING"    // a required element is missing
	RuleOrder      = "XSD-ORDER"      // an element stands behind one that must follow it
	RuleRepeated   = "XSD-REPEATED"   // an element occurs more often than it may
	RuleUnexpected = "XSD-UNEXPECTED" // an element may not occur there at all
	RuleContent    = "XSD-CONTENT"    // text where only elements may be, or the reverse
	RuleValue      = "XSD-VALUE"      // a text or attribute is no value of its type
	RuleAttribute  = "XSD-ATTRIBUTE"  // an attribute is missing, or may not occur there
	RuleType       = "XSD-TYPE"       // xsi:type names a type that is not allowed there
	RuleNil        = "XSD-NIL"        // xsi:nil on an element that must have a value
	RuleID         = "XSD-ID"         // two elements have the same identifier
)

// A Fault is one place where a document differs from its schema.
type Fault struct {
	Rule string
	// Ref is the element or attribute to look at: what is wrong, or what
	// something is missing in front of or within.
	Ref source.Ref
	// Parent is the element whose content is wrong, for RuleMissing and others
	// about child elements and attributes. With Name it says where what is
	// missing should have been.
	Parent source.Node
	// Name is the element or attribute concerned, such as "cbc:ID" or "@unitCode".
	Name string
	// Expected are the names that could have stood there, or what a value should
	// have been.
	Expected []string
	// Message is one sentence with all of this.
	Message string
}
