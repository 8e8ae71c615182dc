package model_test

import (
	"testing"

	"einvoice/model"
)

// Check digits are 02 to 98: those beyond have the same remainder, and nobody makes them.
func TestCheckDigits(t *testing.T) {
	for text, want := range map[string]bool{
		"DE89370400440532013000": true, "DE88370400440532013000": false, "RF18539007547034": true, "RF19539007547034": false,
		"DE02370400440000000024": true, "DE99370400440000000024": false, "DE03370400440000000024": false,
		"de89370400440532013000": false, "DE8A370400440532013000": false, "DE89": false, "": false,
	} {
		if model.HasCheckDigits(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
