//go:build !js

package render

import "einvoice/formats/pdf/page"

// PDF draws the pages of a PDF.
var PDF = page.PDF
