package archive_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
)

const verapdf = "../../../bin/verapdf/verapdf"

// The converted samples comply with PDF/A-3b by veraPDF.
func TestVeraPDF(t *testing.T) {
	if _, err := os.Stat(verapdf); err != nil {
		t.Skipf("skipped: %s is not there; make verapdf installs it", verapdf)
	}
	if testing.Short() {
		t.Skip("skipped: veraPDF takes a second to start")
	}
	dir := t.TempDir()
	for name, c := range repairs {
		result, err := archive.Convert(c.build(), metadata, []archive.File{invoiceXML}, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".pdf")
		if err := os.WriteFile(file, result.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said, err := exec.Command(verapdf, "--flavour", "3b", "--format", "text", "--verbose", dir).Output()
	if err != nil || strings.Count(string(said), "PASS ") != len(repairs) {
		t.Errorf("%v; of %d files:\n%s", err, len(repairs), said)
	}
}
