package cii_test

import (
	"testing"

	"einvoice/formats/cii"
	"einvoice/formats/internal/readtest"
)

func FuzzRead(f *testing.F) { readtest.Fuzz(f, cii.Format) }
