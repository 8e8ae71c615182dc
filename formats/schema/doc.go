// Package schema checks a document against the published XML schema of its
// syntax: names, order and number of elements, attributes, simple values.
//
//	library := schema.NewLibrary(rulesets.FS, "schemas")
//	s, err := library.Schema("ubl-2.1-invoice")
//	for _, fault := range s.Check(tree, 100) {
//		fmt.Println(fault.Rule, tree.Position(fault.Ref), fault.Message)
//	}
//
// # The data
//
// What the schemas say is kept as text files that package gen writes. A schema
// is read when it is first asked for.
//
//	include ubl-2.1-common                      the facts of another file hold too
//	prefix cbc urn:oasis:...                    what a prefix means in this file
//
//	element cbc:ID cbc:IDType                   a global element and its type
//
//	type cac:PartyType                          a type; what it holds, in order:
//		0..1 cbc:WebsiteURI                     a global element, at most once
//		0..n ram:IncludedNote ram:NoteType      a local element with its type
//		1..n choice                             a group: one of those inside, each time
//			1 ds:KeyName
//			1 any lax except ds                 any element, but none of this namespace;
//			                                    lax: checked if it is known, strict: must be
//		1 @unitCode xs:token                    an attribute, here required
//		0..1 @listID xs:token = 4465            an attribute with the only value it may have
//		0..n @any strict                        any further attribute that is known
//
//	type cbc:IDType < udt:IdentifierType        a type derived from another, which says
//	                                            the same unless more lines follow
//
// A type that begins with the line "text xs:decimal" holds text and no
// elements, one with "empty" holds neither, one with "mixed" holds text between
// its elements. A simple type may say "length 1..3", or list each "value".
package schema
