package cli

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model/sampled"
	"einvoice/rulesets"
	"einvoice/service/authoring"

	"gopkg.in/yaml.v3"
)

const mistakesFile = "testdata/mistakes.yaml"

// Mistakes are what people do wrong in files of rules, with the exact messages. Each case
// changes the good folder, in which there is no mistake.
type mistakes struct {
	Good  map[string]string `yaml:"good"` // files by their names
	Cases []*mistake        `yaml:"cases"`
}

type mistake struct {
	Name   string            `yaml:"name"`
	Change [][]string        `yaml:"change,omitempty,flow"` // texts of the good files, and what is written instead
	Files  map[string]string `yaml:"files,omitempty"`       // more files, or others; "" for none
	Strict bool              `yaml:"strict,omitempty"`
	Want   string            `yaml:"want"` // a mistake a line
}

// What people do wrong is told with file, line and column, with what may be meant, and in
// words that do not come from the programs inside.
func TestMistakes(t *testing.T) {
	all := readMistakes(t)
	if err := check(t, all, &mistake{Strict: true}); err != "" {
		t.Fatalf("the good folder is not: %s", err)
	}
	names := map[string]bool{}
	for i, c := range all.Cases {
		if names[c.Name] {
			t.Errorf("there are two cases %q", c.Name)
		}
		names[c.Name] = true
		if !*update && !sampled.Takes(i, 6) {
			continue
		}
		got := check(t, all, c)
		switch {
		case got == "":
			t.Errorf("%s: no mistake was found", c.Name)
		case *update:
			c.Want = got
		case got != strings.TrimSpace(c.Want):
			t.Errorf("%s: got\n%s\nwant\n%s", c.Name, got, c.Want)
		}
		for _, foreign := range []string{"overload", "container ''", "IDENTIFIER", " yaml: ", "unmarshal", "!!", "EOF", "mismatched input", "token recognition", "<nil>", "engine."} {
			if strings.Contains(got, foreign) {
				t.Errorf("%s: the message is in words of a program inside (%s): %s", c.Name, foreign, got)
			}
		}
	}
	if len(all.Cases) < 128 {
		t.Errorf("only %d mistakes were made", len(all.Cases))
	}
	if *update {
		data, err := os.ReadFile(mistakesFile)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		head, _, _ := bytes.Cut(data, []byte("good:"))
		b.Write(head)
		encoder := yaml.NewEncoder(&b)
		encoder.SetIndent(2)
		if err := encoder.Encode(all); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(mistakesFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readMistakes reads the cases, with no key that nothing reads.
func readMistakes(t *testing.T) *mistakes {
	t.Helper()
	data, err := os.ReadFile(mistakesFile)
	if err != nil {
		t.Fatal(err)
	}
	all := &mistakes{}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(all); err != nil {
		t.Fatal(err)
	}
	return all
}

// folder is the good folder with the changes and the files of a case.
func (all *mistakes) folder(c *mistake) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, text := range all.Good {
		for _, change := range c.Change {
			text = strings.Replace(text, change[0], change[1], 1)
		}
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range c.Files {
		if folder[name] = (&fstest.MapFile{Data: []byte(text)}); text == "" {
			delete(folder, name)
		}
	}
	return folder
}

// check is what is said of the good folder with the changes of a case.
func check(t *testing.T, all *mistakes, c *mistake) string {
	t.Helper()
	for _, change := range c.Change {
		found := false
		for _, text := range all.Good {
			found = found || strings.Contains(text, change[0])
		}
		if !found {
			t.Errorf("%s: the good folder has no %q", c.Name, change[0])
		}
	}
	folder := all.folder(c)
	l, err := engine.Open(engine.Layered(folder, rulesets.FS))
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	if err := checkRules(&out, l, ".", "text", c.Strict, nil); err != nil && !errors.Is(err, errInvalid) {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return strings.Join(lines[:len(lines)-1], "\n") // without how many there are
}

// fixesSampled is one in how many mistakes make test corrects: each correction checks a folder
// again.
const fixesSampled = 9

// TestFixesCorrect applies every correction that is offered for the mistakes, and checks again:
// the mistake is gone, and no other has come in its place.
func TestFixesCorrect(t *testing.T) {
	all := readMistakes(t)
	offered, without, mistaken := 0, 0, 0
	for i, c := range all.Cases {
		if !sampled.Takes(i, fixesSampled) {
			continue
		}
		folder := all.folder(c)
		before, err := authoring.Open(folder, rulesets.FS).Check()
		if err != nil {
			continue // nothing loads, and nothing is offered
		}
		for file, found := range before {
			for _, m := range found {
				mistaken++
				fixes := authoring.Open(folder, rulesets.FS).Proven(m)
				if len(m.Fixes) > 0 && len(fixes) == 0 {
					without++
				}
				for _, fix := range fixes {
					offered++
					lines := strings.Split(string(folder[file].Data), "\n")
					runes := []rune(lines[m.Line-1])
					lines[m.Line-1] = string(runes[:m.Column-1]) + fix.Text + string(runes[m.End-1:])
					mended := maps.Clone(folder)
					mended[file] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
					after, err := authoring.Open(mended, rulesets.FS).Check()
					if err != nil {
						t.Errorf("%s: after %q: %v", c.Name, fix.Text, err)
						continue
					}
					for _, other := range after[file] {
						if !other.Warning && other.Line == m.Line {
							t.Errorf("%s: %q becomes %q, of which is said: %s", c.Name, string(runes), lines[m.Line-1], other.Message)
						}
					}
				}
			}
		}
	}
	t.Logf("%d cases, %d mistakes and warnings, %d corrections offered; for %d mistakes what the message suggests mends nothing and is not offered", len(all.Cases), mistaken, offered, without)
	if offered < sampled.Of(50, 2*fixesSampled) { // corrections are not spread evenly over the cases
		t.Errorf("only %d corrections are offered", offered)
	}
}
