// Package layout makes rows and cells of the words of pages, finds labels in them, and the
// heads of tables. It is the first stage of reading an invoice.
package layout
