// Package binding reads an invoice from XML, and writes it as XML, by a table
// that binds terms of the invoice to elements and attributes.
//
// A syntax has one table, a YAML file, and one [Format] that is made from it:
//
//	format := binding.New(syntax.Named("ubl"), bindings)
//	invoice, err := format.Read(tree)
//	written, err := format.Write(ctx, invoice, "ubl:Invoice", false)
//
// Nothing is dropped silently: [Format.ReadWithUsage] says of every element and
// attribute of the document what it was used for, and [Format.Write] returns the
// document together with the terms that it does not hold.
//
// # The table
//
// The rows are in the order of the syntax's schema. A row inside another row
// describes something inside the element of that row. Model paths always begin at
// the invoice (seller.postalAddress.city; lines.item.name means that of every
// line). XML paths begin at the element of the row around them. One table serves
// reading and writing: each row says what a reader looks for and what a writer
// writes.
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
// Every row has a path: child elements with conventional prefixes, optionally
// with an attribute at the end ("@schemeID"), or a dot for the element of the row
// around it. Where documents of the syntax have several root elements, path may be
// a mapping from root element to path; the row then applies only to documents with
// one of these root elements. The other keys of a row are:
//
//	term      the leaf of the model that the element or attribute holds
//	group     the group of the model that the element is
//	list      the list of the model; each such element is one entry of it. The
//	          first step of the path is the element that repeats
//	around    the group whose terms the element holds among others: the group
//	          exists as soon as one of these terms does
//	rows      the rows inside the element
//	like      the list whose rows also apply inside this element
//	as        the kind whose rows also apply inside this element, after its own
//	in        the group that these rows are about, where the row opens none
//
//	fixed     a value that the element around the row must hold at this path for
//	          its row to apply, and that a writer writes here
//	match     how fixed is compared: exactly (without the key), caseless (ignoring
//	          case and surrounding white space), boolean (as xs:boolean), any (not
//	          compared at all: the value is only written)
//	equals    like fixed, but the value is that of a term of the invoice, which
//	          must come earlier in documents
//	needs     an element that must exist inside
//	once      only the first such element beside others is meant; those after it are
//	          for the next row
//	unless    elements or attributes beside the element: if one exists, the row
//	          does not apply; with equals, if one has the value of that term
//
//	codes     mapping from the code in the document to the code in the model
//	prefix    another term that is written in front of the text, between marks:
//	          #AAI#text
//	shape     what a value must look like for a writer to use this row (iban)
//	readOnly  the row is for reading only; a writer uses another one
//	rest      the row takes the elements that earlier rows leave. Whether a reader gives
//	          it what a writer wrote by it depends on what is beside it: [Written.Rest]
//
// The following keys say what the schema requires or forbids. Only a writer needs
// them:
//
//	always    the element is written even if it has no content
//	limit     the highest number of entries of the list in the oldest version of the
//	          schema
//	split     the inner list of which the element can hold one entry only: for each
//	          further entry the whole element is written again
//	first     the term is written in the first element of the list around it, and in
//	          later ones only if it is another: a rule or the syntax has it once
//	prefer    {term, codes}: a term that does not belong to the list around it is
//	          written in the first entry whose term has one of the codes; without
//	          prefer, or if no entry has such a code, in the first entry
//	unlessSame another term of the invoice: the term is not written where both have
//	          the same text, because the syntax has it only where they differ
//	otherwise what is written if the term is absent but the schema requires the
//	          element: a text, or {total: a term of a list}, {sum: [a, b]},
//	          {difference: [a, b]}
//	          or {placeholder: a text that says nothing}, which is not a difference, and
//	          is not read as the term
//
// The first row whose conditions an element meets binds it, so a row without
// conditions must come last and binds the remaining elements. If a term occurs
// twice, the first value is kept; if a group occurs twice, the first element is
// kept; the others stay unbound. A term inside a list for which no row around it
// opens an entry belongs to the latest entry of that list.
//
// Rows share the elements of all steps of their paths but the last; the element
// that repeats for a list is not shared, and neither is the element of a row with
// conditions. Terms that one element must hold together, such as the identifier
// and the scheme of a tax registration, therefore belong inside one such row.
//
// Rows that several groups have in common are a kind, above the rows. In a kind, a model
// path that begins with a dot is within the group or list of the row that names the
// kind, or within that of a row around it:
//
//	kinds:
//	  address:
//	    - {path: ram:CityName, term: .city}
//	rows:
//	  - {path: ram:PostalTradeAddress, group: payee.postalAddress, as: address}
//
// A row with the path "." that names a kind adds its rows to those beside it.
//
// Two keys above the rows apply to all of them:
//
//	amounts: {currency: "@currencyID", always: true}
//	dates: {layout: "20060102", attribute: "@format", value: "102"}
//
// The first is the attribute with the currency of an amount, and whether a writer
// writes it at every amount or only where a row says so. The second is how dates
// are written, and the attribute that must have the given value for a date to be
// read.
//
// # Writing
//
// A writer goes through the rows in their order. An element is written if a term
// inside it has a value, if it is an entry of a list, or if it is a group that
// exists without any term. Values that the table alone provides (fixed, equals) do
// not cause an element to be written. Where several rows can hold the same term or
// group, such as identifiers with and without a scheme, the first one that can
// hold all of it is used. The same invoice always gives the same bytes.
package binding
