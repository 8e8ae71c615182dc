// Package create makes a document of a request in JSON: it completes the invoice, writes it in
// the format that is asked for, validates what it wrote, and draws pages around it where the
// format is a PDF. A document that violates a rule is not made.
package create
