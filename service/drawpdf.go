//go:build !js

package service

import "einvoice/formats/pdf/page"

// drawPDF draws the pages of a PDF.
var drawPDF = page.PDF
