package compose

// CodeTooLong is the code of the error, a *problem.Error, of an invoice that needs more pages
// than are allowed. It is stable: programs may depend on it.
const CodeTooLong = "PAGES-TOO-MANY"
