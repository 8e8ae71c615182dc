// Package app_test tests the page /app: that its bundle is of its sources and, where a
// browser is named, everything that a person does with it.
package app_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
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

var (
	imported = regexp.MustCompile(`(?:from|import) ?"\./([\w-]+\.js)"`)
	onDemand = regexp.MustCompile(`import\("\./([\w-]+\.js)"\)`)
)

// mostScript is how many bytes of JavaScript are sent until a document can be edited.
const mostScript = 150_000

// The page is drawn by few kilobytes of script, and a document is open with at most mostScript; what
// else there is comes on demand. The service worker keeps all of it.
func TestWeight(t *testing.T) {
	sent, texts := map[string]int{}, map[string]string{}
	files, err := filepath.Glob("dist/*.js.br")
	if err != nil {
		t.Fatal(err)
	}
	offline, err := os.ReadFile("dist/offline.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(brotli.NewReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".br")
		sent[name], texts[name] = len(data), string(text)
		if !strings.Contains(string(offline), `"`+name+`"`) {
			t.Errorf("the service worker does not keep %s", name)
		}
	}
	loaded := map[string]bool{}
	var load func(name string)
	load = func(name string) {
		if loaded[name] {
			return
		}
		loaded[name] = true
		for _, other := range imported.FindAllStringSubmatch(texts[name], -1) {
			load(other[1])
		}
	}
	weight := func() (bytes int) {
		for name := range loaded {
			bytes += sent[name]
		}
		return bytes
	}
	load("app.js")
	index, err := os.ReadFile("dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for name := range loaded {
		if !strings.Contains(string(index), "/app/"+name) {
			t.Errorf("the page does not ask for %s at once", name)
		}
	}
	first := weight()
	editors := 0
	for name := range maps.Clone(loaded) {
		for _, other := range onDemand.FindAllStringSubmatch(texts[name], -1) {
			if !loaded[other[1]] && strings.Contains(texts[other[1]], "as CodeEditor") {
				load(other[1])
				editors++
			}
		}
	}
	all := 0
	for _, size := range sent {
		all += size
	}
	t.Logf("%d bytes draw the page, %d with the editor, %d in all", first, weight(), all)
	if editors != 1 || weight() > mostScript || all == weight() {
		t.Errorf("%d editors, %d bytes of script with it, %d in all; at most %d are wanted", editors, weight(), all, mostScript)
	}
}
