// Package app_test tests the page /app: that its bundle is of its sources and, where a
// browser is named, everything that a person does with it.
package app_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The bundle that is committed was made of the sources as they are: build.mjs notes the
// SHA-256 of each.
func TestBundleIsOfItsSources(t *testing.T) {
	list, err := os.Open("sources.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	noted := map[string]string{}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		noted[name] = sum
	}
	names, err := filepath.Glob("src/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "build.mjs", "package.json", "package-lock.json", "tsconfig.json") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); noted[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("%s changed after the bundle was made: run make app", name)
		}
		delete(noted, name)
	}
	for name := range noted {
		t.Errorf("%s is gone after the bundle was made: run make app", name)
	}
}

var (
	dictionary = regexp.MustCompile(`(?s)const (\w\w)(?:: Record<Word, string>)? = \{(.*?)\n\};`)
	entry      = regexp.MustCompile(`(?:^|[ ,\n])(\w+): "((?:[^"\\]|\\.)*)"`)
	hole       = regexp.MustCompile(`\{\w+\}`)
)

// Every language has every word, with the same values in it.
func TestWords(t *testing.T) {
	data, err := os.ReadFile("src/words.ts")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]map[string][]string{}
	for _, d := range dictionary.FindAllStringSubmatch(string(data), -1) {
		words[d[1]] = map[string][]string{}
		for _, e := range entry.FindAllStringSubmatch(d[2], -1) {
			holes := hole.FindAllString(e[2], -1)
			slices.Sort(holes)
			words[d[1]][e[1]] = holes
		}
	}
	if len(words) != 3 || len(words["en"]) < 100 {
		t.Fatalf("read %d languages, %d words", len(words), len(words["en"]))
	}
	for language, all := range words {
		for word, holes := range words["en"] {
			if has, ok := all[word]; !ok || !slices.Equal(has, holes) {
				t.Errorf("%s: %s has %v, want %v", language, word, has, holes)
			}
		}
		if len(all) != len(words["en"]) {
			t.Errorf("%s has %d words, English has %d", language, len(all), len(words["en"]))
		}
	}
}

// Nothing in the sources makes markup of texts: elements are made by functions.
func TestNoMarkupFromTexts(t *testing.T) {
	names, err := filepath.Glob("src/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"} {
			if strings.Contains(string(data), bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}
