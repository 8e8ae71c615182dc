package formats_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/formats"

	"pgregory.net/rapid"
)

// Whatever the order in which a syntax has the entries of lists, and however often one entry is
// written, each term of the document is said to be where the invoice has it.
func TestPlaces(t *testing.T) {
	for _, f := range formats.All {
		t.Run(string(f.Syntax), func(t *testing.T) {
			moved := false
			rapid.Check(t, func(t *rapid.T) {
				invoice, c, made := writtenAndRead(t, f.Syntax)
				others := slices.DeleteFunc(slices.Clone(c.Losses), func(l formats.Loss) bool {
					return strings.Contains(l.Reason, "changes their order") || strings.Contains(l.Reason, "so that this is written")
				})
				want := exactTerms(invoice)
				for path, value := range exactTerms(made.Invoice) {
					if strings.Contains(path, "further") {
						continue // without the first, one of these is read as that, which the losses say
					}
					place := c.Place(path)
					moved = moved || place != path
					if want[place] != value && !slices.ContainsFunc(others, func(l formats.Loss) bool { return concerns(l, withoutIndices(place)) }) {
						t.Fatalf("%s of the document is %q, and %s of the invoice %q", path, value, place, want[place])
					}
				}
			})
			if !moved {
				t.Error("no term was in another place")
			}
		})
	}
}
