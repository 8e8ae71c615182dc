package compare_test

import (
	"io/fs"

	"einvoice/rulesets"
)

// exampleInvoice is an invoice that ships with the rulesets.
func exampleInvoice(name string) []byte {
	data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
	if err != nil {
		panic(err)
	}
	return data
}
