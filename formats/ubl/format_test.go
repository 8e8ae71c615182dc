package ubl_test

import (
	"einvoice/formats"
	"einvoice/model"
)

var format, _ = formats.For(model.UBL)
