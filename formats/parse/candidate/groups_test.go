package candidate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/formats/parse/candidate"
)

// A number whose groups are parted by another sign has the decimals behind the last sign, however many they are and whatever
// the decimal sign of the document is.
func TestDecimalsBehindGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		signs := [][2]string{{",", "."}, {".", ","}, {"'", "."}, {"’", ","}, {"’", "."}}[r.IntN(5)]
		group, decimal := signs[0], signs[1]
		s := fmt.Sprint(1 + r.IntN(999))
		plain := s
		for range 1 + r.IntN(2) {
			part := fmt.Sprintf("%03d", r.IntN(1000))
			s, plain = s+group+part, plain+part
		}
		fraction := fmt.Sprintf("%0*d", 1+r.IntN(6), 1+r.IntN(9))
		want := (plain + fraction + "000000")[:len(plain)+6]
		for _, of := range []byte(".,") {
			var n candidate.Number
			if !(candidate.Notation{Decimal: of}).Parse(s+decimal+fraction, &n) || fmt.Sprint(n.Value) != want {
				t.Errorf("%s with %c for the decimals is %d, not %s", s+decimal+fraction, of, n.Value, want)
			}
		}
	}
}

// Three digits behind a sign are decimals where those before it are no group: more than three of them, or a zero.
func TestDecimalsBehindNoGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 11))
	for range 2000 {
		whole := []string{"0", fmt.Sprint(1000 + r.IntN(99000))}[r.IntN(2)]
		fraction := fmt.Sprintf("%03d", r.IntN(1000))
		for _, sign := range []string{".", ","} {
			for _, of := range []byte(".,") {
				var n candidate.Number
				if s := whole + sign + fraction; !(candidate.Notation{Decimal: of}).Parse(s, &n) || fmt.Sprintf("%07d", n.Value) != fmt.Sprintf("%07s", whole+fraction+"000") {
					t.Errorf("%s with %c for the decimals is %d", s, of, n.Value)
				}
			}
		}
	}
}
