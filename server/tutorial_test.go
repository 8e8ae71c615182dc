package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestTutorial carries out what docs/create.md says of the way over HTTP.
func TestTutorial(t *testing.T) {
	data, err := os.ReadFile("../docs/create.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	examples := blocks(page, "json")
	if len(examples) != 3 {
		t.Fatalf("the page has %d blocks of JSON", len(examples))
	}
	request := examples[0]

	a := shared().create(t, "xrechnung", request)
	a.wants(t, http.StatusOK, "")
	if string(a.body) != blocks(page, "xml")[0] {
		t.Errorf("the answer is another:\n%s", a.body)
	}
	for line := range strings.Lines(blocks(page, "http")[0]) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if got := a.Header.Get(name); got != value {
			t.Errorf("%s is %q, the page says %q", name, got, value)
		}
	}
	shows(t, shared().create(t, "xrechnung", without(t, request, `, "buyerReference": "04011000-12345-03"`, "")), examples[1])
	shows(t, shared().create(t, "xrechnung", without(t, request, `"issueDate"`, `"isueDate"`)), examples[2])
}

// without is a text with a part of it replaced, which must be there.
func without(t *testing.T, text, part, by string) string {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Fatalf("there is no %s", part)
	}
	return strings.Replace(text, part, by, 1)
}

// shows compares the members that an example shows with those of an answer.
func shows(t *testing.T, a *answer, example string) {
	t.Helper()
	var shown, got map[string]any
	if err := json.Unmarshal([]byte(example), &shown); err != nil {
		t.Fatal(err)
	}
	a.decode(t, &got)
	for name, want := range shown {
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s is %v, the page says %v", name, got[name], want)
		}
	}
}

// blocks are the fenced blocks of a language.
func blocks(page, language string) (out []string) {
	for _, rest := range strings.Split(page, "```"+language+"\n")[1:] {
		text, _, _ := strings.Cut(rest, "```")
		out = append(out, text)
	}
	return out
}
