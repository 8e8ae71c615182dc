package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A printer makes of each source a PDF beside it, with the same name.
type printer func(t *testing.T, sources []string)

// printerOf is the program that prints templates of the file's kind; the test is skipped where
// it is not there. A file names its program by its kind, HTML for Chromium or, in *.weasy.html,
// for WeasyPrint.
func printerOf(t *testing.T, file string) printer {
	t.Helper()
	switch {
	case strings.HasSuffix(file, ".weasy.html"):
		weasyprint := installed(t, "weasyprint")
		return each(func(source, pdf string) *exec.Cmd { return exec.Command(weasyprint, source, pdf) })
	case strings.HasSuffix(file, ".html"):
		if *chromium == "" {
			t.Skip("skipped: no browser is given with -chromium")
		}
		return func(t *testing.T, sources []string) {
			b := startBrowser(t, *chromium)
			for _, source := range sources {
				b.open("file://"+source, 1000, true)
				save(t, besides(source), b.print())
			}
		}
	case strings.HasSuffix(file, ".fodt"):
		office := installed(t, "soffice")
		return func(t *testing.T, sources []string) {
			dir := filepath.Dir(sources[0])
			runProgram(t, exec.Command(office, append([]string{"-env:UserInstallation=file://" + t.TempDir(), "--headless", "--convert-to", "pdf", "--outdir", dir}, sources...)...))
		}
	case strings.HasSuffix(file, ".tex"):
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		engine := "pdflatex"
		if strings.Contains(string(text), "fontspec") {
			engine = "xelatex"
		}
		latex := installed(t, engine)
		return each(func(source, _ string) *exec.Cmd {
			return exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", source)
		})
	case strings.HasSuffix(file, ".py"):
		python := withReportLab(t)
		return each(func(source, pdf string) *exec.Cmd { return exec.Command(python, source, pdf) })
	case strings.HasSuffix(file, ".ms"):
		groff := installed(t, "groff")
		return each(func(source, pdf string) *exec.Cmd {
			return exec.Command("sh", "-c", `"$0" -Kutf8 -t -ms -Tpdf "$1" > "$2"`, groff, source, pdf)
		})
	}
	t.Fatalf("no program is known that prints %s", file)
	return nil
}

func each(command func(source, pdf string) *exec.Cmd) printer {
	return func(t *testing.T, sources []string) {
		t.Helper()
		for _, source := range sources {
			cmd := command(source, besides(source))
			cmd.Dir = filepath.Dir(source)
			runProgram(t, cmd)
		}
	}
}

func besides(source string) string {
	return strings.TrimSuffix(source, filepath.Ext(source)) + ".pdf"
}

func runProgram(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("skipped: %s is not there", name)
	}
	return path
}

// withReportLab is a Python that has the library: that of the system, where Debian puts it, may
// not be the one on the PATH.
func withReportLab(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import reportlab").Run() == nil {
			return python
		}
	}
	t.Skip("skipped: ReportLab is not there")
	return ""
}
