package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The pages are of the format that the ending of the file names, unless one is asked for.
func TestFormatOfPages(t *testing.T) {
	for _, c := range []struct{ file, to, begins string }{{"a.html", "", "<!DOCTYPE html"}, {"a.svg", "", "<svg"}, {"a.pdf", "", "%PDF"}, {"a", "", "%PDF"}, {"a.html", "svg", "<svg"}} {
		out := filepath.Join(t.TempDir(), c.file)
		root := newRoot(Machines{})
		root.SetArgs(append([]string{"render", "../../einvoice/samples/ubl-valid.xml", "-o", out}, map[bool][]string{true: {"--to", c.to}}[c.to != ""]...))
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out); err != nil || !bytes.HasPrefix(got, []byte(c.begins)) {
			t.Errorf("%+v: the file begins with %.20q, %v", c, got, err)
		}
	}
}
