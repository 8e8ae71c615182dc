package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testCalls = regexp.MustCompile(`\$\(GO\) test [^\n]*-run '([^']+)'[^\n]*`)
	testPaths = regexp.MustCompile(` \./([\w/]+)(/\.\.\.)?`)
	testNames = regexp.MustCompile(`(?m)^func (Test\w*)\(`)
)

// Every target of the Makefile that runs tests by name names some that are in its package: go test
// passes where there is none.
func TestMakeTargetsRunTests(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, call := range testCalls.FindAllStringSubmatch(strings.ReplaceAll(string(makefile), "\\\n", " "), -1) {
		run := strings.ReplaceAll(call[1], "$$", "$")
		if run == "^$" {
			continue // benchmarks and fuzzing run no tests
		}
		named++
		wanted, found := regexp.MustCompile(run), false
		for _, dir := range testPaths.FindAllStringSubmatch(call[0], -1) {
			files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir[1]), "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range testNames.FindAllStringSubmatch(string(text), -1) {
					found = found || wanted.MatchString(name[1])
				}
			}
		}
		if !found {
			t.Errorf("no test is named %s: %s", run, call[0])
		}
	}
	if named < 30 {
		t.Errorf("only %d calls of go test with -run were found", named)
	}
}
