package parse_test

import (
	"flag"
	"os"
	"reflect"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/text"
)

var writeLetter = flag.Bool("letter", false, "write testdata/letter.pdf anew")

// The letter that tests of other packages read is the first of the made pages.
func TestLetter(t *testing.T) {
	const path = "testdata/letter.pdf"
	made, err := Make(Families()[0], "de", 1)
	if err != nil {
		t.Fatal(err)
	}
	if *writeLetter {
		if err := os.WriteFile(path, made.PDF, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(wordsOf(t, kept), wordsOf(t, made.PDF)) {
		t.Errorf("%s is another page than is made now: run this test with -letter", path)
	}
}

// wordsOf are the words of the pages of a PDF. Its bytes may differ, for the fonts of two
// that say the same come in any order.
func wordsOf(t *testing.T, data []byte) []text.Sheet {
	t.Helper()
	container, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := text.Words(container, text.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return sheets
}
