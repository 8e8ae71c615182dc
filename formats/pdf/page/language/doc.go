// Package language has what pages show that is not in the invoice: labels, names of codes, what
// the law wants to be said, and how numbers and dates are written. A language is a file in the
// folder languages.
package language
