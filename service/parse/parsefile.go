//go:build !js

package parse

import "einvoice/formats/parse"

// parseFile reads an invoice off the pages of a file.
var parseFile = parse.File
