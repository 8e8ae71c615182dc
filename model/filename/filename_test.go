package filename_test

import (
	"testing"

	"einvoice/model/filename"
)

func TestSafe(t *testing.T) {
	for name, want := range map[string]string{
		"com¹.txt": "_com¹.txt", "AUX .txt": "_AUX .txt", "CON.xml": "_CON.xml", "lpt9": "_lpt9", "nul.tar.gz": "_nul.tar.gz", "CONIN$": "_CONIN$",
		"com.txt": "com.txt", "com10.txt": "com10.txt", "comX.txt": "comX.txt", "console.xml": "console.xml", "a.con": "a.con", "": "",
	} {
		if got := filename.Safe(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
