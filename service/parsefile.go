//go:build !js

package service

import "einvoice/formats/parse"

// parseFile reads an invoice off the pages of a file.
var parseFile = parse.File
