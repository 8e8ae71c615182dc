// Package ubl is the folder of UBL 2.1, Invoice and CreditNote: which element holds which
// term is in bindings.yaml, which package binding explains. Package formats reads the
// table; the tests of it are here.
package ubl
