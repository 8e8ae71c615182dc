package cli

import (
	"bufio"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"einvoice/model/sampled"
)

// left are the lines that are not run as they are written, and why.
var left = []struct{ line, why string }{
	{"make ", "it is this run, or a longer one"},
	{"einvoiced bulk", "needs S3 and NATS"},
	{"einvoice watch --in", "it goes on until it is stopped; the script watch.txt runs it"},
	{"einvoice watch --tenants", "likewise; the script tenants.txt runs it"},
	{"jq ", "needs jq, and TestCookbook makes what it makes"},
	{"einvoice rules import", "needs a published artefact"},
	{"einvoice rules prove", "needs a published artefact"},
	{"einvoice validate --verapdf", "needs veraPDF"},
	{"einvoice parse scan.jpg", "needs Tesseract"},
	{"--data-binary @scan.jpg", "needs Tesseract"},
	{"--parse-model-url", "needs a language model"},
	{"curl -i -H", "TestTutorial of the server carries it out"},
}

// ownTest are the pages that a test of their own carries out.
var ownTest = []string{"editing-rules.md", "commands.md"}

// TestDocsBlocks runs each line of the sh blocks of the README and the docs as it is written,
// block by block, each in a folder with the files that the pages speak of. Each ends with status
// 0, or with the one that stands behind it as "exit N".
func TestDocsBlocks(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not here, so no block was run")
	}
	_, err = exec.LookPath("curl")
	hasCurl := err == nil
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	countries, err := filepath.Glob("../../../docs/countries/*.md")
	if err != nil || len(countries) < 6 {
		t.Fatal(len(countries), err)
	}
	bin := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A link of the file system, or else a copy: processes of the program start it by this name.
	if named := filepath.Join(bin, "einvoice"); os.Link(program, named) != nil {
		data, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(named, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files := filesOfDocs(t, bin, shell)
	address := serveForDocs(t, filepath.Join(bin, "einvoice"))
	blocks, ran, skipped := 0, 0, 0
	shown := 0
	for _, page := range slices.Concat(pages, countries, []string{"../../../README.md"}) {
		if strings.Contains(strings.Join(ownTest, " "), filepath.Base(page)) {
			continue
		}
		for _, b := range shellBlocks(t, page) {
			if blocks++; !sampled.Takes(blocks, 3) {
				continue
			}
			dir := filepath.Join(t.TempDir(), "work")
			if err := os.CopyFS(dir, os.DirFS(files)); err != nil {
				t.Fatal(err)
			}
			var printed strings.Builder
			for i, line := range b.lines {
				why := ""
				for _, l := range left {
					if strings.Contains(line, l.line) {
						why = l.why
					}
				}
				if strings.Contains(line, "curl ") && !hasCurl {
					why = "curl is not here"
				}
				if why != "" {
					skipped++
					t.Logf("%s:%d: not run, %s: %s", filepath.Base(page), b.at+i, why, line)
					continue
				}
				ran++
				want := 0
				if exit := regexp.MustCompile(`# .*exit (\d)`).FindStringSubmatch(line); exit != nil {
					want, _ = strconv.Atoi(exit[1])
				}
				out, got := runLine(shell, bin, dir, address, line)
				printed.Write(out)
				if got != want {
					t.Errorf("%s:%d: %s: status %d, want %d\n%s", filepath.Base(page), b.at+i, line, got, want, out)
				}
			}
			if !slices.Contains(countries, page) {
				continue
			}
			for _, line := range b.shows {
				if shown++; !strings.Contains(printed.String(), line+"\n") {
					t.Errorf("%s:%d: the page shows %q, which was not printed:\n%s", filepath.Base(page), b.at, line, &printed)
				}
			}
		}
	}
	t.Logf("%d lines ran, %d did not", ran, skipped)
	if ran < sampled.Of(45, 4) || shown < sampled.Of(30, 4) {
		t.Errorf("%d lines ran, and %d shown lines were looked for", ran, shown)
	}
}

// runLine runs a line of a page; a server is ended after a moment.
func runLine(shell, bin, dir, address, line string) (out []byte, status int) {
	line = strings.ReplaceAll(line, "bin/einvoice", "einvoice")
	line = strings.ReplaceAll(line, "http://127.0.0.1:8080", address)
	if strings.HasPrefix(line, "einvoice serve") {
		command, _, _ := strings.Cut(line, "#")
		line = command + ` --listen 127.0.0.1:0 & p=$!; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; kill -0 $p || break; done; kill $p; wait $p`
	}
	if strings.HasPrefix(line, "curl ") {
		line = "curl --fail-with-body -sS " + strings.TrimPrefix(line, "curl ")
	}
	command := exec.Command(shell, "-c", line)
	command.Dir = dir
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "API_KEY=none")
	out, err := command.CombinedOutput()
	if err != nil {
		status = command.ProcessState.ExitCode()
	}
	return out, status
}

// A shellBlock are the lines of a block, from a line of its page, and those of the text behind it,
// which is what the block prints, or a part of it.
type shellBlock struct {
	at    int
	lines []string
	shows []string
}

func shellBlocks(t *testing.T, page string) (blocks []shellBlock) {
	t.Helper()
	f, err := os.Open(page)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in *shellBlock
	fenced, shows := false, false
	scan := bufio.NewScanner(f)
	for n := 1; scan.Scan(); n++ {
		line := scan.Text()
		switch {
		case strings.HasPrefix(line, "```") && fenced:
			fenced = false
			if in != nil {
				blocks, in = append(blocks, *in), nil
				shows = true
			}
		case strings.HasPrefix(line, "```"):
			if fenced = true; strings.HasPrefix(line, "```sh") {
				in = &shellBlock{at: n + 1}
			}
			shows = shows && strings.HasPrefix(line, "```text")
		case in != nil && strings.TrimSpace(line) != "":
			in.lines = append(in.lines, line)
		case fenced && shows && line != "":
			last := &blocks[len(blocks)-1]
			last.shows = append(last.shows, line)
		case !fenced && line != "":
			shows = false
		}
	}
	return blocks
}

// namedBlock is a block that is a file of that name.
var namedBlock = regexp.MustCompile("(?ms)^```(?:json|yaml) ([\\w./-]+)\n(.*?)^```")

// filesOfDocs is a folder with the files that the pages name, made by the program itself.
func filesOfDocs(t *testing.T, bin, shell string) string {
	t.Helper()
	dir := t.TempDir()
	page, err := os.ReadFile("../../../docs/create.md")
	if err != nil {
		t.Fatal(err)
	}
	_, request, _ := strings.Cut(string(page), "```json\n")
	request, _, _ = strings.Cut(request, "```")
	lacking := strings.Replace(request, `, "buyerReference": "04011000-12345-03"`, "", 1)
	written := map[string]string{
		"invoice.json": request, "lacking.json": lacking, "bare.json": strings.Replace(lacking, `"name": "Ida Lindner", `, "", 1),
	}
	for _, page := range []string{"peppol", "extended", "countries/nl", "countries/ro", "countries/hr", "countries/pt", "countries/be", "countries/fr"} {
		text, err := os.ReadFile("../../../docs/" + page + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range namedBlock.FindAllStringSubmatch(string(text), -1) {
			written[m[1]] = m[2]
		}
	}
	for name, text := range written {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dirs := range []string{"invoices", "fonts", "my-rules"} {
		if err := os.Mkdir(filepath.Join(dir, dirs), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"einvoice create xrechnung invoice.json -o invoice.xml",
		"einvoice create ubl lacking.json -o plain.xml",
		"einvoice create ubl bare.json -o bare.xml",
		"einvoice create cii invoice.json -o invoice-cii.xml",
		"einvoice create zugferd invoice.json -o invoice.pdf",
		"einvoice render invoice.xml -o letter.pdf",
		"cp letter.pdf terms.pdf",
		"cp invoice.xml invoices/a.xml && cp invoice-cii.xml invoices/b.xml",
		"einvoice look show din5008 > acme.yaml",
		"einvoice rules export my-rules/x en16931 && cp -r my-rules/x/. my-rules && rm -r my-rules/x",
	} {
		if out, status := runLine(shell, bin, dir, "", line); status != 0 {
			t.Fatalf("%s: %s", line, out)
		}
	}
	logo := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><rect width="60" height="20" fill="#8A1538"/></svg>`
	if err := os.WriteFile(filepath.Join(dir, "logo.svg"), []byte(logo), 0o644); err != nil {
		t.Fatal(err)
	}
	photo := []byte{0xff, 0xd8, 0xff, 0xd9}
	if err := os.WriteFile(filepath.Join(dir, "photo.jpg"), photo, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// serveForDocs serves without keys until the test ends.
func serveForDocs(t *testing.T, program string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program)
	command.Args = append(command.Args, "serve", "--no-auth", "--listen", address)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = command.Process.Kill(), command.Wait() })
	for range 100 {
		if a, err := http.Get("http://" + address + "/health/live"); err == nil {
			_ = a.Body.Close()
			return "http://" + address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the server does not answer")
	return ""
}
