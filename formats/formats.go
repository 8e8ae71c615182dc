package formats

import (
	"einvoice/formats/binding"
	"einvoice/formats/cii"
	"einvoice/formats/ubl"
)

// All are the formats that can be read, in the order in which they are listed.
var All = []*binding.Format{
	ubl.Format,
	cii.Format,
}
