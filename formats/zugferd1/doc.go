// Package zugferd1 is the folder of ZUGFeRD 1.0, which is older than EN 16931. Its
// documents are read as far as the model has terms for their content; there are no rules
// for them, and they are not written any more. Which element holds which term is in
// bindings.yaml, which package binding explains. Package formats reads the table; the
// tests of it are here.
package zugferd1
