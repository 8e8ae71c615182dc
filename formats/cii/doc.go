// Package cii contains the table of bindings for UN/CEFACT Cross Industry Invoice, which is
// read as D16B and D22B and written as D16B, and its tests. The table, bindings.yaml, says
// which element holds which term; package binding explains it, and package formats reads
// it.
package cii
