// Package ubl contains the table of bindings for UBL 2.1, Invoice and CreditNote, and its
// tests. The table, bindings.yaml, says which element holds which term; package binding
// explains it, and package formats reads it.
package ubl
