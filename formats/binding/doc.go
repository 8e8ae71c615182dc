// Package binding reads an invoice from its XML, and writes it, by a table that
// says which term stands where.
//
// A syntax has one table, a YAML file, and a [Format] that carries it:
//
//	var Format = binding.New(model.UBL, "UBL 2.1", bindings, "ubl:Invoice", "cn:CreditNote")
//
//	invoice, err := Format.Read(tree)
//	written, err := Format.Write(invoice, "ubl:Invoice")
//
// Neither drops anything silently: [Format.ReadAll] accounts for every element of
// the document, and what is written comes with the terms that found no place.
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
// What the schema demands or forbids, which only a writer needs to know:
//
//	always    the element is there even when nothing is inside
//	limit     how many entries of the list there may be
//	split     the list inside of which the element holds one entry only: the
//	          element around is written again for each further one
//	prefer    {term, codes}: for a term that is none of the list around, the
//	          entry to put it in; without, or where no entry has such a code, it
//	          is the first
//	otherwise what stands in for the term where it is absent and the element is
//	          demanded: a text, or {total: a term of a list}, {sum: [a, b]},
//	          {difference: [a, b]}
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
//
// # Writing
//
// A writer walks the rows in their order. An element is written when a term
// inside has a value, when it is an entry of a list, or when it is a group that
// is there without any term; values of the table alone (fixed, equals) make no
// element. Where several rows have a place for the same term or group, as for
// identifiers with and without a scheme, the first that can hold all of it is
// taken. The same invoice gives the same bytes.
package binding
