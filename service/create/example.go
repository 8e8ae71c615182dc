package create

import _ "embed"

// Example is a request with no more than an invoice needs, for documentation.
//
//go:embed testdata/smallest.json
var Example []byte
