package formats

// The codes of the errors that Read returns, of type *problem.Error, besides those
// of packages xmlparse and pdf. They are stable: programs may depend on them.
const (
	CodePDF           = "FORMAT-PDF"            // a PDF where only XML is taken
	CodeWrapped       = "FORMAT-WRAPPED"        // an invoice, or room for one, in an envelope
	CodeOtherDocument = "FORMAT-OTHER-DOCUMENT" // a business document that is no invoice of EN 16931
	CodeNamespace     = "FORMAT-NAMESPACE"      // the root element of an invoice in another namespace
	CodeUnknown       = "FORMAT-UNKNOWN"        // XML of some other kind
)
