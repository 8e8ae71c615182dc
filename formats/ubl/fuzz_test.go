package ubl_test

import (
	"testing"

	"einvoice/formats/internal/readtest"
)

func FuzzRead(f *testing.F) { readtest.Fuzz(f, format) }
