package cii_test

import (
	"einvoice/formats"
	"einvoice/model"
)

var format, _ = formats.For(model.CII)
