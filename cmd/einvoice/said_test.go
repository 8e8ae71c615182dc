package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command line's own errors, cards and explanations are in the language that is asked
// for.
func TestLanguageOfTheCommandLine(t *testing.T) {
	const sample = "samples/ubl-faulty.xml"
	for _, c := range []struct {
		args   []string
		stderr bool
		want   string
	}{
		{[]string{"validate", "--language", "de", "-o", "yaml", sample}, true, `unbekannte Ausgabe "yaml": verwenden Sie eine von text`},
		{[]string{"validate", "--language", "fr", "--explain", "BR-01", sample, sample}, true, "--explain prend un document, pas 2"},
		{[]string{"validate", "--language", "fr", "--nope", sample}, true, "option inconnue : --nope"},
		{[]string{"validate", "--nope", sample}, true, "unknown flag: --nope"},
		{[]string{"validate", "--language", "xx", "--nope", sample}, true, "unknown flag: --nope"},
		{[]string{"validate", "--language", "de", "--explain", "BR-CO-10", sample}, false, "✗ verletzt bei 186:3"},
		{[]string{"rules", "show", "--language", "de", "BR-CO-10"}, false, "So wird es richtig"},
		{[]string{"rules", "show", "--language", "fr", "BR-CO-10"}, false, "{this.sumOfLineNetAmounts}"},
		{[]string{"rules", "show", "--language", "fr", "UBL-CR-646"}, false, "Publiée dans"},
	} {
		dir := t.TempDir()
		var files [2]*os.File
		for i, name := range []string{"out", "err"} {
			f, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			files[i] = f
		}
		run(c.args, os.Stdin, files[0], files[1])
		name := "out"
		if c.stderr {
			name = "err"
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s: got\n%.600s\nwant %s", strings.Join(c.args, " "), text, c.want)
		}
	}
}
