package workbench

import _ "embed"

// Sample is an invoice with five faults, each by one rule, to see what the page does.
//
//go:embed sample.xml
var Sample []byte
