// Package binding reads an invoice from its XML by a table that says which term
// stands where.
//
// A syntax has one table, a YAML file, and a [Format] that carries it:
//
//	var Format = binding.New(model.UBL, "UBL 2.1", bindings, "ubl:Invoice", "cn:CreditNote")
//
//	invoice, err := Format.Read(tree)
//
// # The table
//
// Rows stand in the order of the syntax's schema; a row nested in another stands
// inside its element. Model paths are always written out from the invoice
// (seller.postalAddress.city; lines.item.name means that of every line), XML
// paths start at the element of the row around. The table says what a reader
// looks for and what a writer writes, so that one table serves both.
//
//	rows:
//	  - path: cac:AccountingSupplierParty
//	    group: seller
//	    rows:
//	      - path: cac:Party/cac:PartyTaxScheme
//	        rows:
//	          - {path: cbc:CompanyID, term: seller.vatIdentifier}
//	          - {path: cac:TaxScheme/cbc:ID, fixed: VAT, match: caseless}
//
// Every row has a path: child elements with conventional prefixes, at the end
// perhaps an attribute ("@schemeID"), or a dot for the element of the row
// around. Where documents of the syntax have several roots, path may be a
// mapping from root to path, and the row exists under the roots it names.
// What else a row says:
//
//	term      the leaf of the model that the element or attribute holds
//	group     the group of the model that the element is
//	list      the list of the model that each such element is an entry of; the
//	          first step of the path is what repeats
//	around    the group whose terms the element holds among others: the group is
//	          there as soon as one of them is
//	rows      the rows inside the element
//	like      the list whose rows hold inside the element as well
//
//	fixed     a value that the element around must hold here to be what its row
//	          says, and that a writer puts here
//	match     how fixed is compared: exactly (nothing said), caseless (without
//	          regard to case and white space around), boolean (as xs:boolean),
//	          any (not at all: the value is only written)
//	equals    like fixed, but the value is that of a term of the invoice that
//	          stands further up in documents
//	needs     an element that must be inside
//	unless    elements or attributes beside the element whose presence rules the
//	          row out; with equals, their presence with the value of that term
//
//	codes     code in the document to code in the model
//	prefix    another term in front of the text, between marks: #AAI#text
//	shape     what a value looks like for a writer to use this row (iban)
//	readOnly  the row is for reading; a writer uses another one
//
// An element is bound by the first row whose conditions it meets, so a row
// without conditions stands for the rest. A term that occurs twice keeps its
// first value, a group its first element; the rest stay unbound. A term inside
// a list that no row around it opens belongs to the latest entry of that list.
//
// Rows share the elements of all steps but the last, except for what repeats in a
// list; a row with rows inside is an
// element of its own. So what one element must hold together stands in one such
// row, as the identifier and the scheme of a tax registration do.
//
// Above the rows stand two things that hold for all of them:
//
//	amounts: {currency: "@currencyID", always: true}
//	dates: {layout: "20060102", attribute: "@format", value: "102"}
//
// The first is the attribute with the currency of an amount, and whether a writer
// puts it at every amount or only where a row says so. The second is how dates
// are written, and the attribute that must say so for a date to be read.
package binding
