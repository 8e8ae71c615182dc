package cli

import (
	"bytes"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
)

// The decision on each of several invoices says on which page it begins.
func TestDecisionsNameTheirPage(t *testing.T) {
	folder := t.TempDir()
	of := func(name string) string { return filepath.Join(folder, name) }
	told := func(args ...string) string {
		var said bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs(args)
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&said)
		_ = cmd.Execute() // invoices for a person to look at are an error
		return said.String()
	}
	for _, name := range []string{"ubl-valid", "cii-valid"} {
		told("render", "../../einvoice/samples/"+name+".xml", "--to", "pdf", "-o", of(name+".pdf"))
	}
	if err := api.MergeCreateFile([]string{of("ubl-valid.pdf"), of("cii-valid.pdf")}, of("both.pdf"), false, nil); err != nil {
		t.Fatal(err)
	}
	if said := told("parse", "--accept", "0.99", of("both.pdf")); !regexp.MustCompile(`(?m)^page 1: (accept|review).*\npage [2-9]: (accept|review)`).MatchString(said) {
		t.Errorf("the decisions are %q", said)
	}
	if said := told("parse", "--accept", "0.99", of("cii-valid.pdf")); !regexp.MustCompile(`^(accept|review)`).MatchString(said) {
		t.Errorf("the decision on one is %q", said)
	}
}
