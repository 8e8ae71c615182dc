package parse_test

import (
	"bytes"
	"flag"
	"os"
	"testing"
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
	if !bytes.Equal(kept, made.PDF) {
		t.Errorf("%s is another page than is made now: run this test with -letter", path)
	}
}
