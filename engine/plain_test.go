package engine_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/rulesets"

	"gopkg.in/yaml.v3"
)

// plainWords is testdata/plain.yaml: what messages may not say, and what they have to.
type plainWords struct {
	Longest int               `yaml:"longest"` // characters of a message, values aside
	Long    map[string]string `yaml:"long"`    // messages that need more, and why
	Words   map[string]string `yaml:"words"`   // regular expressions of coined words, and what to write
	Verbs   []string          `yaml:"verbs"`   // that say what to do, one at the beginning of a clause
	Forms   []string          `yaml:"forms"`   // of verbs, one of which is in each error
	Bare    map[string]string `yaml:"bare"`    // errors without a verb, and why
	Told    map[string]string `yaml:"told"`    // findings that ask for nothing, and why
}

// shownValue is a value within a message.
var shownValue = regexp.MustCompile(`\{[^{}]*\}|<[0-9a-zA-Z]+>`)

// plainly reads testdata/plain.yaml, and the coined words with what to write instead.
func plainly(t *testing.T) (plain plainWords, coined map[*regexp.Regexp]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/plain.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	coined = map[*regexp.Regexp]string{}
	for word, instead := range plain.Words {
		coined[regexp.MustCompile(`(?i)`+word)] = instead
	}
	return plain, coined
}

// Messages are short in every language, have no coined words, and say what to do with a verb.
func TestMessagesArePlain(t *testing.T) {
	plain, coined := plainly(t)
	clause := regexp.MustCompile(`(?:^|[.:;,] +(?:and |or |so )?|\) |, for [^,]*, )(?:` + strings.Join(plain.Verbs, "|") + `)\b`)
	messages, others := textsOfRules(t)
	kinds := map[string]int{"messages": len(messages), "texts and phrases": len(others)}
	excepted := map[string]bool{} // from the longest length
	short := func(where, text string) {
		long := len([]rune(shownValue.ReplaceAllString(text, "")))
		if long > plain.Longest {
			id := strings.Fields(where)[0]
			if kinds["long"]++; plain.Long[id] == "" {
				t.Errorf("%s has %d characters beside its values, more than %d: %s", where, long, plain.Longest, text)
			}
			excepted[id] = true
		}
	}
	judge := func(where, text string) {
		short(where, text)
		for word, instead := range coined {
			if found := word.FindString(text); found != "" {
				kinds["coined"]++
				t.Errorf("%s says %q; write %s: %s", where, found, instead, text)
			}
		}
	}
	for _, where := range slices.Sorted(maps.Keys(messages)) {
		text := messages[where]
		judge(where, text)
		if !clause.MatchString(text) && plain.Told[strings.Fields(where)[0]] == "" {
			kinds["without a verb"]++
			t.Errorf("%s does not say what to do: %s", where, text)
		}
	}
	for _, where := range slices.Sorted(maps.Keys(others)) {
		judge(where, others[where])
	}
	for where, text := range translated(t) {
		kinds["translated"]++
		short(where, text)
	}
	for id := range plain.Long {
		if !excepted[id] {
			t.Errorf("%s is short: take it out of long", id)
		}
	}
	if t.Log(kinds); kinds["translated"] < 7000 || len(messages) < 1200 || len(others) < 2300 {
		t.Errorf("only %d messages and %d other texts, %d in other languages", len(messages), len(others), kinds["translated"])
	}
}

// Errors of Go code are short, have no coined words, and say with a verb what is wrong. One that
// only says where another came about ends with it.
func TestErrorsArePlain(t *testing.T) {
	plain, coined := plainly(t)
	verbs := regexp.MustCompile(`\b(?:` + strings.Join(plain.Forms, "|") + `)\b`)
	errors := map[string]string{}
	errorsIn(t, "..", errors)
	bare := map[string]bool{}
	for _, text := range slices.Sorted(maps.Keys(errors)) {
		where := errors[text]
		if n := len([]rune(text)); n > plain.Longest {
			t.Errorf("%s: %d characters, more than %d: %s", where, n, plain.Longest, text)
		}
		for word, instead := range coined {
			if found := word.FindString(text); found != "" {
				t.Errorf("%s: %q; write %s: %s", where, found, instead, text)
			}
		}
		switch {
		case plain.Bare[strings.TrimPrefix(text, "X: ")] != "":
			bare[strings.TrimPrefix(text, "X: ")] = true
		case !strings.Contains(text, ": X") && !verbs.MatchString(text):
			t.Errorf("%s: no verb: %s", where, text)
		}
	}
	for text := range plain.Bare {
		if !bare[text] {
			t.Errorf("no error says %q: take it out of bare", text)
		}
	}
	if t.Logf("%d errors", len(errors)); len(errors) < 600 {
		t.Errorf("only %d errors", len(errors))
	}
}

// textsOfRules are the messages of all rules and findings, and what else readers are shown:
// what rules say, and the phrases of the program. Expressions in messages are empty braces.
func textsOfRules(t *testing.T) (messages, others map[string]string) {
	t.Helper()
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	messages, others = map[string]string{}, map[string]string{}
	seen := map[string]bool{} // versions that extend another have its texts
	add := func(to map[string]string, where, text string) {
		if text = withoutExpressions(strings.Join(strings.Fields(text), " ")); text != "" && text != "{}" && !seen[text] {
			to[where], seen[text] = text, true
		}
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		for _, version := range versions[family] {
			set, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range set.Rules {
				if r.Row != nil {
					continue // its message is that of its kind of table, with a path
				}
				where := r.ID + " of " + family + "/" + version
				add(messages, where, r.Message.Value)
				add(others, where+", its text", r.Text)
				for _, v := range r.Variants {
					add(messages, where+" in "+string(v.Syntax)+v.Root, v.Message.Value)
				}
			}
		}
	}
	notices, err := l.Notices()
	if err != nil {
		t.Fatal(err)
	}
	for id, n := range notices {
		add(messages, id+" of the program", n.Message)
		add(others, id+" of the program, its text", n.Text)
		for name, c := range n.Cases {
			add(messages, id+" of the program, "+name, c.Message)
		}
	}
	german, err := words.Open(rulesets.FS, "de")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(rulesets.FS, german.Path("phrases/*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if namesOrReasons[name] {
			continue
		}
		phrases, err := german.Phrases("phrases/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for english := range phrases {
			add(others, fmt.Sprintf("%s %.40q", name, english), english)
		}
	}
	return messages, others
}

// namesOrReasons are the files of phrases with names and meanings of terms, and with reasons why
// rules differ from the published ones.
var namesOrReasons = map[string]bool{"definitions.yaml": true, "terms.yaml": true, "reasons.yaml": true}

// translated are the messages and texts of all rules, tables and findings, and the phrases of
// the program, in all other languages.
func translated(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, tag := range words.Tags(rulesets.FS) {
		language, err := words.Open(rulesets.FS, tag)
		if err != nil {
			t.Fatal(err)
		}
		root := language.Path("")
		err = fs.WalkDir(rulesets.FS, root, func(name string, entry fs.DirEntry, err error) error {
			file := strings.TrimPrefix(name, root+"/")
			if err != nil || entry.IsDir() || file == "language.yaml" || namesOrReasons[filepath.Base(file)] {
				return err
			}
			if strings.HasPrefix(file, "phrases/") {
				phrases, err := language.Phrases(file)
				for english, phrase := range phrases {
					texts[fmt.Sprintf("%s in %s %.40q", filepath.Base(file), tag, english)] = phrase
				}
				return err
			}
			of, err := language.Texts(file)
			for id, said := range of {
				texts[id+" in "+tag+", "+file] = said.Message
				texts[id+" in "+tag+", "+file+", its text"] = said.Text
				for name, message := range said.Cases {
					texts[id+" in "+tag+", "+file+", "+name] = message
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// withoutExpressions is a message with {} for each of its expressions, which may have braces.
func withoutExpressions(message string) string {
	var b strings.Builder
	depth := 0
	for _, r := range message {
		switch {
		case r == '{':
			if depth++; depth == 1 {
				b.WriteRune(r)
			}
		case r == '}' && depth > 0:
			if depth--; depth == 0 {
				b.WriteRune(r)
			}
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
