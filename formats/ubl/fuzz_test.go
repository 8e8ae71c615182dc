package ubl_test

import (
	"testing"

	"einvoice/formats/internal/readtest"
	"einvoice/formats/ubl"
)

func FuzzRead(f *testing.F) { readtest.Fuzz(f, ubl.Format) }
