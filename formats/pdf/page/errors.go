package page

// The codes of the errors of this package, of type *problem.Error. They are stable:
// programs may depend on them.
const (
	CodeLanguage = "LANGUAGE-UNKNOWN" // pages cannot be drawn in the language
	CodeLook     = "LOOK-UNKNOWN"     // there is no such look, or it cannot be used
	CodeTooLong  = "PAGES-TOO-MANY"   // the invoice needs more pages than are allowed
)
