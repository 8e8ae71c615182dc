//go:build !js

package parse

import "einvoice/formats/parse"

// parseFile reads the documents of a file off its pages.
var parseFile = parse.Documents
