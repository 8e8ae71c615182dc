// Package cii is the folder of UN/CEFACT Cross Industry Invoice, which is read as D16B and
// D22B and written as D16B: which element holds which term is in bindings.yaml, which
// package binding explains. Package formats reads the table; the tests of it are here.
package cii
