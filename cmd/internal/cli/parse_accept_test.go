package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"einvoice/formats/pdf/pdftest"
)

// The decision on each of several invoices says on which page it begins.
func TestDecisionsNameTheirPage(t *testing.T) {
	folder := t.TempDir()
	told := func(pages ...string) string {
		file := filepath.Join(folder, "invoices.pdf")
		if err := os.WriteFile(file, pdftest.Letters(pages...), 0o600); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs([]string{"parse", "--accept", "0.99", file})
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&said)
		_ = cmd.Execute() // invoices for a person to look at are an error
		return said.String()
	}
	invoice := func(number string) string { return pdftest.Rows("", fmt.Sprintf(pdftest.Bill, number, "58.31")) }
	first, second := invoice("INV-17"), invoice("INV-18")
	if said := told(first, second); !regexp.MustCompile(`(?m)^page 1: (accept|review).*\npage 2: (accept|review)`).MatchString(said) {
		t.Errorf("the decisions are %q", said)
	}
	if said := told(first); !regexp.MustCompile(`^(accept|review)`).MatchString(said) {
		t.Errorf("the decision on one is %q", said)
	}
}
