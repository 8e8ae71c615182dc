package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// What a document says is shown on a terminal without characters that change what else is
// shown there.
func TestTerminalShowsNoHiddenCharacters(t *testing.T) {
	const hidden = "\u202e\u009b"
	sample, err := os.ReadFile("../../einvoice/samples/ubl-faulty.xml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(">EUR<", ">E"+hidden+"R<", "Example Seller", "Example"+hidden+"Seller", "<cbc:IssueDate>", "<cbc:IssueDate>"+hidden).Replace(string(sample))
	dir := t.TempDir()
	file := filepath.Join(dir, "invoice.xml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"validate", file},
		{"validate", "--explain", "BR-CL-04", file},
		{"validate", "--explain", "BR-06", file},
		{"cel", "this.name", "--context", "/invoice/seller", file},
		{"cel", "this", "--context", "/invoice/seller", file},
		{"cel", "this.issueDate", file},
		{"xpath", "//cbc:RegistrationName", file},
		{"convert", "--to", "xrechnung", file},
	} {
		got := output(t, args)
		if !strings.Contains(got, `\u202e`) {
			t.Errorf("%q does not show what is hidden:\n%.2000s", args, got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }); i >= 0 {
			t.Errorf("%q prints %q", args, got[max(0, i-60):min(len(got), i+20)])
		}
	}
}

// output is what a command prints, on both outputs.
func output(t *testing.T, args []string) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	Machines{}.run(args, os.Stdin, file, file)
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
