// Package zugferd1 contains the table of bindings for ZUGFeRD 1.0, which is older than EN
// 16931, and its tests. Its documents are read as far as the model has terms for their
// content; there are no rules for them, and they are not written any more. The table,
// bindings.yaml, says which element holds which term; package binding explains it, and
// package formats reads it.
package zugferd1
