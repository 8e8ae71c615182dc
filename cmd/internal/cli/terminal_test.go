package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
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

// Names of files, which may be a sender's, are shown in the same way.
func TestTerminalShowsNamesOfFiles(t *testing.T) {
	sample, err := os.ReadFile("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in, watched, out, kept := filepath.Join(dir, "in"), filepath.Join(dir, "watched"), filepath.Join(dir, "out"), filepath.Join(dir, "kept")
	for _, folder := range []string{in, watched} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a\x1b[2J\u202eb.xml"), sample, 0o600); err != nil {
			t.Skip("no such name here:", err)
		}
	}
	output(t, []string{"watch", "--in", watched, "--out", out, "--once", "--settle", "0"})
	output(t, []string{"archive", "add", kept, in})
	judge := []string{"--at", "2026-12-31", "--as", "xrechnung-3.0"}
	for _, args := range [][]string{
		append([]string{"audit", "judge", out}, judge...),
		append([]string{"archive", "judge", kept}, judge...),
		{"rules", "diff", "en16931/1.3.16", "xrechnung/3.0", "--on", in},
		{"audit", "verify", out},
	} {
		if args[1] == "verify" {
			files, err := filepath.Glob(filepath.Join(out, "valid", "*.xml"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if err := os.WriteFile(files[0], []byte("<a/>"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := output(t, args)
		if !strings.Contains(got, `a\x1b[2J\u202eb.xml`) || strings.Contains(got, "\x1b") || strings.Contains(got, "\u202e") {
			t.Errorf("%q prints %.2000q", args, got)
		}
	}
}

// No name of a file makes a line of its own, or bytes that are not UTF-8, in a report for
// people.
func TestNamesOfFilesStayOnTheirLine(t *testing.T) {
	sample, err := os.ReadFile("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a\nFORGED.xml", "a\x1b[1A\r\nFORGED.xml", "a\xff\nFORGED.xml", "\xc3.xml"} {
		for _, text := range [][]byte{sample, []byte("<a>")} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Skip("no such name here:", err)
			}
			path := filepath.Join(dir, name)
			for _, args := range [][]string{
				{"validate", path},
				{"validate", path + ".gone.xml"},
				{"validate", "-o", "html", path},
				{"validate", "-o", "supplier", path},
				{"kosit", "-o", dir, path},
				{"kosit", "-o", dir, path + ".gone.xml"},
				{"mustang", "--action", "validateExpectInvalid", "--directory", dir},
				{"mustang", "--action", "validate", "--source", path},
				{"mustang", "--action", "extract", "--source", path, "--out", path + ".out.xml"},
				{"convert", "--to", "cii", path},
				{"convert", "--to", "cii", path + ".gone.xml"},
				{"render", "-o", filepath.Join(dir, "pages.pdf"), path},
				{"extract", "json", path},
				{"parse", path},
				{"compare", path},
				{"validate", "--explain", "BR-99", path},
				{"xpath", "/*[", path},
				{"cel", "this.", path},
			} {
				got := output(t, args)
				if !utf8.ValidString(got) {
					t.Errorf("%q: %q is written with bytes that are not UTF-8", args[:2], name)
				}
				for line := range strings.Lines(got) {
					if strings.HasPrefix(line, "FORGED") || strings.ContainsAny(line, "\x1b\r") {
						t.Errorf("%q: %q makes the line %q", args[:2], name, line)
					}
				}
			}
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

// What bulk and archives say of files has the name that validate gives each.
func TestNamesThatAreNoText(t *testing.T) {
	sample, err := os.ReadFile("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in, out, kept := filepath.Join(dir, "in"), filepath.Join(dir, "out"), filepath.Join(dir, "kept")
	if err := os.Mkdir(in, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a\xff.xml", "a\xfe.xml", `a\xff.xml`, `a\x5cxff.xml`, "a\ufffd.xml"} {
		if err := os.WriteFile(filepath.Join(in, name), append(sample, fmt.Sprintf("<!-- %d -->", i)...), 0o600); err != nil {
			t.Skip("no such name here:", err)
		}
	}
	want := output(t, []string{"validate", in, "-o", "jsonl"})
	output(t, []string{"bulk", "run", "validate", "--in", in, "--out", out})
	if got := output(t, []string{"bulk", "results", out}); sorted(got) != sorted(want) {
		t.Errorf("bulk says %s, validate %s", got, want)
	}
	output(t, []string{"archive", "add", kept, in})
	index := output(t, []string{"archive", "export", kept})
	for line := range strings.Lines(want) {
		var said struct{ File string }
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(index, ","+said.File+","); n != 1 {
			t.Errorf("the index has %s %d times: %s", said.File, n, index)
		}
	}
}

func sorted(text string) string { return strings.Join(slices.Sorted(strings.Lines(text)), "") }
