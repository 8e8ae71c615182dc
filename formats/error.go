package formats

// The codes of the *problem.Error values that Read returns, in addition to those of
// packages xmlparse and pdf. They are stable: programs may depend on them.
const (
	CodePDF           = "FORMAT-PDF"            // a PDF where only XML is accepted
	CodeWrapped       = "FORMAT-WRAPPED"        // an envelope, with an invoice inside or without one
	CodeOtherDocument = "FORMAT-OTHER-DOCUMENT" // a business document that is not an invoice of EN 16931
	CodeNamespace     = "FORMAT-NAMESPACE"      // the root element of an invoice in another namespace
	CodeUnknown       = "FORMAT-UNKNOWN"        // XML of some other kind
)
