// Package header reads the title and the head of an invoice: the values that labels ask for.
package header
