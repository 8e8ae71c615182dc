// Package schema checks a document against the published XML Schema of its syntax:
// the names, order and number of elements, the attributes, and simple values.
//
//	library := schema.NewLibrary(rulesets.FS, "schemas")
//	s, err := library.Schema("ubl-2.1-invoice")
//	for _, fault := range s.Check(tree, 100) {
//		fmt.Println(fault.Rule, tree.Position(fault.Ref), fault.Message)
//	}
//
// # The data
//
// The facts of the schemas are kept as text files, which package gen writes. A
// file is read when its schema is first requested.
//
//	include ubl-2.1-common                      the facts of another file apply too
//	prefix cbc urn:oasis:...                    what a prefix means in this file
//
//	element cbc:ID cbc:IDType                   a global element and its type
//
//	type cac:PartyType                          a type, and its content in order:
//		0..1 cbc:WebsiteURI                     a global element, at most once
//		0..n ram:IncludedNote ram:NoteType      a local element with its type
//		1..n choice                             a model group: one of its particles each time
//			1 ds:KeyName
//			1 any lax except ds                 a wildcard: any element of another namespace;
//			                                    lax: checked if it is declared,
//			                                    strict: must be declared
//		1 @unitCode xs:token                    a required attribute
//		0..1 @listID xs:token = 4465            an optional attribute with a fixed value
//		0..n @any strict                        any further attribute that is declared
//
//	type cbc:IDType < udt:IdentifierType        a type that is derived from another; without
//	                                            further lines it has the same content
//
// A type that begins with the line "text xs:decimal" contains text and no elements,
// one with "empty" contains neither, and one with "mixed" may contain text between
// its elements. A simple type may have the facets "length 1..3" or one line "value"
// for each value of an enumeration.
package schema
