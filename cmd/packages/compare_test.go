package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/service/answer"
	"einvoice/service/create"
	"einvoice/service/guest"
)

var (
	folder  = flag.String("packages", "", "the folder of make packages; without it no package is installed")
	program = flag.String("program", "", "bin/einvoice")
	suites  = flag.String("suites", "", "folders of documents, with blanks between")
	every   = flag.Int("every", 1, "compare one of so many documents")
	only    = flag.String("only", "", "the ecosystems to try, with blanks between; all without it")
)

const (
	// longestAnswer bounds one answer, in bytes.
	longestAnswer = 64 << 20
	// madeEvery says of how many documents another is made as well.
	madeEvery = 40
	// skipped is the exit status of a script whose tools are missing.
	skipped = 3
)

// A request is what the script of an ecosystem asks its package, for a line of its input.
type request struct {
	Operation string          `json:"operation"`
	Path      string          `json:"path,omitempty"`
	Text      string          `json:"text,omitempty"` // instead of a path
	To        string          `json:"to,omitempty"`
	Request   json.RawMessage `json:"request,omitempty"`
}

// A reply is the line that it writes.
type reply struct {
	Result  map[string]any `json:"result,omitempty"`
	Problem map[string]any `json:"problem,omitempty"`
}

// TestSameVerdicts installs each package into a clean project, as its users do, and compares
// what it says of the documents of the suites with what the program says.
func TestSameVerdicts(t *testing.T) {
	if *folder == "" {
		t.Skip("no packages were named (-packages), so none was installed")
	}
	paths := documents(t)
	want := verdicts(t, paths)
	for _, of := range []string{"npm", "pypi", "maven", "php", "nuget"} {
		if *only != "" && !slices.Contains(strings.Fields(*only), of) {
			continue
		}
		t.Run(of, func(t *testing.T) {
			c := install(t, of)
			started := time.Now()
			valid, differ := 0, 0
			for _, path := range paths {
				got := c.ask(t, &request{Operation: "validate", Path: path})
				if got.Result["valid"] == true {
					valid++
				}
				if told := difference(got, want[path]); told != "" {
					if differ++; differ <= 5 {
						t.Errorf("%s: %s", path, told)
					}
				}
			}
			t.Logf("%d documents, %d of them valid, %d otherwise than the program, %.1f ms each", len(paths), valid, differ, float64(time.Since(started).Milliseconds())/float64(max(len(paths), 1)))
			c.makes(t, paths)
			c.survives(t)
			if of == "php" || of == "nuget" {
				c.everyLength(t)
			}
		})
	}
}

func documents(t *testing.T) []string {
	t.Helper()
	samples, err := filepath.Abs("../einvoice/samples")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	n := 0
	for _, folder := range append(strings.Fields(*suites), samples) {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(path), ".xml") {
				return err
			}
			if n++; n%*every == 0 || folder == samples {
				paths = append(paths, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// verdicts are what the program says of documents.
func verdicts(t *testing.T, paths []string) map[string]map[string]any {
	t.Helper()
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(strings.Join(paths, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), *program, "validate", "--output", "jsonl", "@"+list)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) { // some are not valid
		t.Fatal(err)
	}
	said := map[string]map[string]any{}
	for line := range bytes.Lines(out) {
		var one map[string]any
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		if file, ok := one["file"].(string); ok {
			said[file] = one
		}
	}
	if len(said) != len(paths) {
		t.Fatalf("the program told of %d documents, want %d", len(said), len(paths))
	}
	return said
}

// difference says how a verdict differs from that of the program; "" if it does not.
func difference(got *reply, want map[string]any) string {
	if refused, ok := want["error"].(map[string]any); ok {
		for ours, its := range map[string]string{"code": "errorCode", "line": "line", "column": "column"} {
			if a, b := refused[ours], got.Problem[its]; a != b {
				return fmt.Sprintf("%s is %v, the program says %v", its, b, a)
			}
		}
		return ""
	}
	if got.Result == nil {
		return fmt.Sprintf("it is refused: %v", got.Problem)
	}
	report, _ := got.Result["report"].(map[string]any)
	all, _ := want["findings"].([]any)
	for _, c := range []struct {
		of        string
		got, want any
	}{
		{"valid", got.Result["valid"], want["valid"]},
		{"profile", report["profile"], want["profile"]},
		{"digest", report["digest"], want["digest"]},
		{"counts", report["counts"], want["counts"]},
		{"findings", got.Result["findings"], all[:min(len(all), answer.Most)]},
	} {
		if a, b := bare(c.got), bare(c.want); !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("%s is\n%.600v\nthe program says\n%.600v", c.of, a, b)
		}
	}
	return ""
}

// bare is a value without members that are null, which types of some languages leave out.
func bare(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, of := range v {
			if of != nil {
				out[name] = bare(of)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = bare(v[i])
		}
		return out
	}
	return value
}

// A client is an installed package.
type client struct {
	in      io.Writer
	answers *bufio.Scanner
}

func install(t *testing.T, of string) *client {
	t.Helper()
	work := t.TempDir()
	script, err := filepath.Abs(filepath.Join("testdata", of+".sh"))
	if err != nil {
		t.Fatal(err)
	}
	told, err := exec.CommandContext(t.Context(), "sh", script, *folder, work).CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == skipped {
		t.Skip(strings.TrimSpace(string(told)))
	}
	if err != nil {
		t.Fatalf("%v: %s", err, told)
	}
	command := exec.CommandContext(t.Context(), filepath.Join(work, "run"))
	command.Dir, command.Stderr = work, os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = command.Wait() })
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, longestAnswer)
	return &client{in, answers}
}

func (c *client) ask(t *testing.T, r *request) *reply {
	t.Helper()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(c.in, "%s\n", line); err != nil {
		t.Fatal(err)
	}
	if !c.answers.Scan() {
		t.Fatalf("%s: no answer: %v", r.Path, c.answers.Err())
	}
	got := &reply{}
	if err := json.Unmarshal(c.answers.Bytes(), got); err != nil {
		t.Fatalf("%v: %.300s", err, c.answers.Bytes())
	}
	return got
}

// makes compares documents that are converted and created with those of package guest.
func (c *client) makes(t *testing.T, paths []string) {
	t.Helper()
	native, err := guest.Open()
	if err != nil {
		t.Fatal(err)
	}
	whole := inTexts(t, create.Example)
	asked := []request{{Operation: "create", To: "xrechnung", Request: whole}, {Operation: "create", To: "ubl", Request: json.RawMessage(`{"invoice": {"number": "1"}}`)}, {Operation: "create", To: "zugferd", Request: whole}}
	for i := 0; i < len(paths); i += madeEvery {
		asked = append(asked, request{Operation: "convert", Path: paths[i], To: "ubl"}, request{Operation: "convert", Path: paths[i], To: "cii"})
	}
	made := 0
	for i := range asked {
		r := &asked[i]
		got := c.ask(t, r)
		call := map[string]any{"operation": r.Operation, "to": r.To}
		if r.Request != nil {
			call["request"] = r.Request
		} else {
			data, err := os.ReadFile(r.Path)
			if err != nil {
				t.Fatal(err)
			}
			call["document"] = data
		}
		text, err := json.Marshal(call)
		if err != nil {
			t.Fatal(err)
		}
		want := &reply{}
		if err := json.Unmarshal(native.Call(text), want); err != nil {
			t.Fatal(err)
		}
		if want.Result != nil {
			made++
		}
		if a, b := bare(got.Result), bare(want.Result); !reflect.DeepEqual(a, b) || got.Problem["errorCode"] != want.Problem["errorCode"] {
			t.Errorf("%s %s to %s: it says\n%.600v %v\nthe program\n%.600v %v", r.Operation, r.Path, r.To, a, got.Problem, b, want.Problem)
		}
	}
	t.Logf("%d calls made %d documents, as the program does", len(asked), made)
}

// inTexts is a request with each number as a text: 12.50 is 12.5 in some languages.
func inTexts(t *testing.T, request []byte) json.RawMessage {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(request))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	var texts func(any) any
	texts = func(value any) any {
		switch v := value.(type) {
		case json.Number:
			return v.String()
		case map[string]any:
			for name := range v {
				v[name] = texts(v[name])
			}
		case []any:
			for i := range v {
				v[i] = texts(v[i])
			}
		}
		return value
	}
	out, err := json.Marshal(texts(value))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everyLength has answers end at every place of the buffers that they are read by, from a
// process: one that ends with a buffer is no longer than it is.
func (c *client) everyLength(t *testing.T) {
	t.Helper()
	const longestBuffer = 4096
	invoice, err := os.ReadFile("../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[int]bool{}
	for n := range longestBuffer {
		text := strings.Replace(string(invoice), "</cbc:Note>", strings.Repeat("x", n)+"</cbc:Note>", 1)
		got := c.ask(t, &request{Operation: "convert", Text: text, To: "cii"})
		document, _ := got.Result["document"].(string)
		lengths[len(document)%longestBuffer] = true
	}
	if len(lengths) != longestBuffer {
		t.Errorf("answers had %d of %d lengths", len(lengths), longestBuffer)
	}
}

// survives sends what is meant to hurt: each is answered, and the calls that follow as well.
func (c *client) survives(t *testing.T) {
	t.Helper()
	lines := strings.Repeat("<cac:InvoiceLine/>", 1<<20)
	for name, text := range map[string]string{
		"empty":    " ",
		"no XML":   "\x00\x01\x02",
		"deep":     strings.Repeat("<a>", 1<<18),
		"long":     `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">` + lines + `</Invoice>`,
		"entities": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
		"too much": strings.Repeat(" ", guest.MostRequest),
	} {
		got := c.ask(t, &request{Operation: "validate", Text: text})
		if name != "long" && got.Problem == nil {
			t.Errorf("%s: got %.300v", name, got.Result)
		}
		t.Logf("%s: %v", name, got.Problem["errorCode"])
	}
	if got := c.ask(t, &request{Operation: "create", To: "ubl", Request: inTexts(t, create.Example)}); got.Result == nil {
		t.Errorf("after what was meant to hurt it says %v", got.Problem)
	}
}
