package server_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quoted is what a page has in backquotes.
var quoted = regexp.MustCompile("`([^`]+)`")

// Each promise of docs/security.md names what holds it, and that is there: a test or fuzzer, the
// folder of a package that has tests, or a target of make.
func TestPromisesHaveTests(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join("..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	functions, folders := map[string]bool{}, map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(\w+ \*testing\.[TF]\)`)
	err = fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		for _, found := range function.FindAllSubmatch(data, -1) {
			functions[string(found[1])] = true
		}
		folders[path.Dir(name)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	isThere := func(name string) bool {
		target, isTarget := strings.CutPrefix(name, "make ")
		switch {
		case isTarget:
			return regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(strings.Fields(target)[0]) + `:`).Match(makefile)
		case strings.HasPrefix(name, "Test"), strings.HasPrefix(name, "Fuzz"):
			if beginning, many := strings.CutSuffix(name, "*"); many {
				for have := range functions {
					if strings.HasPrefix(have, beginning) {
						return true
					}
				}
				return false
			}
			return functions[name]
		}
		return folders[name]
	}
	_, promises, _ := strings.Cut(string(page), "\n| --- | --- | --- |\n")
	promises, _, _ = strings.Cut(promises, "\n\n")
	rows := 0
	for row := range strings.Lines(promises) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		if len(cells) != 3 {
			t.Errorf("a row has %d cells: %s", len(cells), row)
			continue
		}
		rows++
		names := quoted.FindAllStringSubmatch(cells[2], -1)
		if len(names) == 0 {
			t.Errorf("nothing holds the promise about %s", cells[0])
		}
		for _, name := range names {
			if !isThere(name[1]) {
				t.Errorf("the promise about %s names %s, which is not there", cells[0], name[1])
			}
		}
	}
	if rows < 25 {
		t.Errorf("only %d promises were found", rows)
	}
}
