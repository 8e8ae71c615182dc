package engine_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/engine/words"
	"einvoice/model/tongue"
	"einvoice/rulesets"
)

// complete are the languages that ship with every rule, table, finding and sentence.
var complete = []string{"de", "fr"}

// wrongBlank is a blank before French punctuation, or behind an opening quotation mark, that is
// not the one that belongs there.
var wrongBlank = regexp.MustCompile("[ \u202f]:( |\"|$)|[ \u00a0][;!?»]|«[ \u00a0]")

// French has U+00A0 before a colon and U+202F before other punctuation of two parts.
func TestFrenchBlanks(t *testing.T) {
	err := fs.WalkDir(rulesets.FS, "languages/fr", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if at := wrongBlank.FindString(line); at != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") {
				t.Errorf("%s:%d: %q", file, i+1, at)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A language with a region, a script or in other letters is the language that there is, wherever it
// is asked for: for messages and for pages alike. A word that is no language is refused.
func TestLanguagesOfRegions(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range append(library.Languages(), tongue.Tags()...) {
		for _, more := range []string{"", "-AT", "-at", "_CH", "-Latn", "-Latn-BE", "-419", "-x-own", "-1996"} {
			for _, asked := range []string{tag + more, strings.ToUpper(tag) + more} {
				if slices.Contains(library.Languages(), tag) {
					if found, err := library.Language(asked); err != nil || found.String() != tag {
						t.Errorf("%s is %s, %v", asked, found, err)
					}
				}
				if slices.Contains(tongue.Tags(), tag) {
					if found, err := tongue.Match(asked); err != nil || found != tag {
						t.Errorf("pages in %s are in %s, %v", asked, found, err)
					}
				}
			}
		}
	}
	for _, wrong := range []string{"xx", "xx-DE", "german", "de-", "de--AT", "-de", "../de", "d", "de AT", "de,fr", "de;q=1", "\x00", strings.Repeat("de-", 1000)} {
		if found, err := library.Language(wrong); err == nil || !strings.Contains(err.Error(), "there are en, de") {
			t.Errorf("%.40q is %s, %v", wrong, found, err)
		}
		if found, err := tongue.Match(wrong); err == nil {
			t.Errorf("pages in %.40q are in %s", wrong, found)
		}
	}
	if found, err := library.LanguageOf("de-AT"); err == nil {
		t.Errorf("the folder de-AT, which is not there, is %s", found)
	}
}

// Check compares files with what they translate; here no file may be missing.
func TestLanguagesAreComplete(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{"tables.yaml": true}
	versions, err := library.Versions()
	if err != nil {
		t.Fatal(err)
	}
	limited := map[string]bool{} // families that are not in all languages, and say so
	for family, all := range versions {
		for _, version := range all {
			set, err := library.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			limited[family] = len(set.Languages) > 0
			for _, r := range set.Rules {
				if r.Row == nil {
					files[r.File()] = true
				}
			}
		}
	}
	findings, err := fs.Glob(rulesets.FS, "findings/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range findings {
		files[file] = true
	}
	for file := range files {
		if family, _, _ := strings.Cut(file, "/"); limited[family] {
			delete(files, file)
		}
	}
	if len(files) < 50 {
		t.Fatalf("only %d files with texts were found", len(files))
	}
	for _, tag := range complete {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		for file := range files {
			texts, err := language.Texts(file)
			if err != nil || len(texts) == 0 {
				t.Errorf("%s has %d texts (%v)", language.Path(file), len(texts), err)
			}
		}
		for _, file := range []string{"phrases/terms.yaml", "phrases/reasons.yaml"} {
			phrases, err := language.Phrases(file)
			if err != nil || len(phrases) == 0 {
				t.Errorf("%s has %d phrases (%v)", language.Path(file), len(phrases), err)
			}
		}
	}
}

// Each rule of a country says what to do in the language of the country.
func TestCountriesSpeakTheirLanguages(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	for family, tags := range map[string][]string{
		"nlcius": {"nl"}, "nlcius-gaccount": {"nl"}, "cius-ro": {"ro"}, "hr-eracun": {"hr"}, "cius-pt": {"pt"},
		"ubl-be": {"nl", "fr"}, "fr-ctc": {"fr"}, "fr-ctc-extended": {"fr"},
	} {
		versions, err := library.Versions()
		if err != nil || len(versions[family]) == 0 {
			t.Fatalf("%s has no version: %v", family, err)
		}
		set, err := library.Ruleset(family + "/" + versions[family][0])
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range tags {
			language, err := library.Language(tag)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range set.Rules {
				if !strings.HasPrefix(r.File(), family+"/") {
					continue // taken over from another ruleset
				}
				if message, text := r.Said(language); r.Speaks(language) != "" || message == r.Message.Value || text == r.Text {
					t.Errorf("%s says %q and %q in %s", r.ID, message, text, tag)
				}
			}
		}
	}
}

// A language with texts of rules alone says so: what else is said is English.
func TestPartOfALanguage(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	for tag, want := range map[string]string{"en": "en", "de": "de", "nl": "nl, en", "ro": "ro, en"} {
		language, err := library.Language(tag)
		if err != nil || language.Content() != want || language.Whole() != !strings.Contains(want, ",") {
			t.Errorf("%s: %s, %v, %v", tag, language.Content(), language.Whole(), err)
		}
	}
}

// Findings of every kind are said in another language, with their values in its form.
func TestTranslate(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	validator, err := library.Validator("en16931", "facturx/1.09-extended")
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range complete {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ubl-faulty.xml", "cii-faulty.xml"} {
			doc := sample(t, name)
			english, err := validator.Validate(t.Context(), doc)
			if err != nil {
				t.Fatal(err)
			}
			translated, err := validator.Validate(t.Context(), doc)
			if err != nil {
				t.Fatal(err)
			}
			if err := translated.Translate(language); err != nil {
				t.Fatal(err)
			}
			if translated.Language != tag || english.Language != words.English {
				t.Errorf("the reports are in %s and %s", english.Language, translated.Language)
			}
			if len(english.Findings) == 0 {
				t.Errorf("%s has no findings to translate", name)
			}
			for i := range english.Findings {
				from, to := english.Findings[i], translated.Findings[i]
				if to.Language != "" || to.Message == from.Message || to.Raw == from.Raw {
					t.Errorf("%s: %s is not translated into %s: %q %q", name, from.Rule, tag, to.Message, to.Raw)
				}
				if unfilled := regexp.MustCompile(`[{<][a-z0-9]+[}>]|\$\{`).FindString(to.Message + to.Raw); unfilled != "" {
					t.Errorf("%s: %s in %s has %s left: %q", name, from.Rule, tag, unfilled, to.Message)
				}
				if to.Rule != from.Rule || to.Level != from.Level || to.Location != from.Location {
					t.Errorf("%s: %s became another finding: %+v", name, from.Rule, to)
				}
			}
		}
	}
}

// A rule that its language has no words for stays in English and says so.
func TestUntranslatedFindingSaysSo(t *testing.T) {
	library, err := engine.Open(fstest.MapFS{
		"company/1/a.yaml": {Data: []byte(`ruleset: company
version: 1
layer: cius
rules:
  - {id: CO-1, level: fatal, context: /invoice, assert: "!filled(this.number)", btCodes: [BT-1], message: "The number is {this.number}.", text: There is no number.}
`)},
		"languages/de/language.yaml": {Data: []byte("language: de\nname: Deutsch\ndate: 02.01.2006\ndecimal: \",\"\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	validator, err := library.Validator("company")
	if err != nil {
		t.Fatal(err)
	}
	report, err := validator.Validate(t.Context(), sample(t, "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	language, err := library.Language("de")
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Translate(language); err != nil {
		t.Fatal(err)
	}
	if f := report.Findings[0]; f.Language != words.English || !strings.HasPrefix(f.Message, "The number is ") || report.Language != "de" {
		t.Errorf("the report is in %s, its finding in %q: %q", report.Language, f.Language, f.Message)
	}
}

// A translation that names a constant which its rule does not have is a mistake of the check:
// readers would see ${limt}.
func TestTranslatedConstantsExist(t *testing.T) {
	for text, want := range map[string]string{
		"Mehr als ${limit} sind zu viel.": "",
		"Mehr als ${limt} sind zu viel.":  "CO-1: nothing gives ${limt} a value, so readers would see the name: write a constant of the rule's file, or what is meant; did you mean limit?",
	} {
		library, err := engine.Open(fstest.MapFS{
			"company/1/a.yaml": {Data: []byte(`ruleset: company
version: 1
layer: cius
constants: {limit: "1000"}
rules:
  - id: CO-1
    level: fatal
    context: /invoice
    assert: this.amountDueForPayment < ${limit}
    btCodes: [BT-115]
    message: "More than ${limit} is too much."
    text: At most ${limit} is due.
`)},
			"languages/de/language.yaml":    {Data: []byte("language: de\nname: Deutsch\ndate: 02.01.2006\ndecimal: \",\"\n")},
			"languages/de/company/1/a.yaml": {Data: []byte("texts:\n  CO-1: {message: \"" + text + "\", text: \"Höchstens ${limit} sind fällig.\"}\n")},
		})
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		if err := lint.Check(library, false); err != nil {
			told = err.Error()
		}
		if want == "" && strings.Contains(told, "nothing gives") || want != "" && !strings.Contains(told, want) {
			t.Errorf("%s: the check says %q", text, told)
		}
	}
}

// A language that a ruleset names is checked as one of the folder and as one of the ruleset, and
// each mistake in it is told once.
func TestMistakesOfTranslationsAreToldOnce(t *testing.T) {
	library, err := engine.Open(fstest.MapFS{
		"company/1/a.yaml": {Data: []byte(`ruleset: company
version: 1
layer: cius
languages: de
withoutExamples: A test.
rules:
  - {id: CO-1, level: fatal, context: /invoice, assert: "this.number == \"1\"", btCodes: [BT-1], message: "Not {this.number}.", text: The number is 1.}
`)},
		"languages/de/language.yaml":    {Data: []byte("language: de\nname: Deutsch\ndate: 02.01.2006\ndecimal: \",\"\n")},
		"languages/de/company/1/a.yaml": {Data: []byte("texts:\n  CO-1: {message: \"Nicht {2}.\", text: Die Nummer ist 1.}\n  CO-9: {message: Nein., text: Nein.}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = lint.Check(library, false)
	for _, mistake := range []string{"company/1/a.yaml does not have CO-9", "CO-1: message shows {2}"} {
		if err == nil || strings.Count(err.Error(), mistake) != 1 {
			t.Errorf("%q is not told once: %v", mistake, err)
		}
	}
}

// Every sentence that the program makes for its users is in the phrases of the languages:
// those that are literals in the calls that make them.
func TestPhrasesCoverTheProgram(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	sentences := map[string]string{} // by text: where
	for _, source := range []struct {
		dir string
		// call is the name of the function, arguments which of its arguments are sentences.
		call      string
		arguments []int
	}{
		{"../server", "newProblem", []int{1}},
		{"../server/admission", "New", []int{1}},
		{"../server/jobs", "New", []int{1}},
		{"../server/jobs", "New", []int{0}}, // what the status of a job says went wrong
		{"../server/webhook", "New", []int{0}},
		{"../server/webhook", "Errorf", []int{0}},
		{"../server/bulkwork", "Errorf", []int{0}},
		{"../service/bulk", "Errorf", []int{0}},
		{"../service/inputfile", "Errorf", []int{0}},
		{"../server/option", "New", []int{1}},
		{"../server/publishing", "New", []int{1}},
		{"../formats/jsoninvoice", "add", []int{2}},
		{"../formats/pdf", "limitExceeded", []int{0}},
		{"../formats/pdf/archive", "limitExceeded", []int{0}},
		{"../formats/pdf/archive", "refuse", []int{1}},
		{"../formats/pdf/archive", "refuseOn", []int{2}},
		{"../formats/pdf/archive", "changed", []int{0}},
		{"../formats/xmlparse", "fail", []int{2, 3}},
		{"../service/report", "say", []int{0}},
		{"../service/report", "Say", []int{0}},
		{"../cmd/internal/cli", "say", []int{0}},
		{"../cmd/internal/cli", "title", []int{0}},
		{"../cmd/internal/cli", "Errorf", []int{0}},
		{"../cmd/internal/cli", "New", []int{0}},
		{"../server/admission", "overloaded", []int{0}},
		{"../server/keys", "Errorf", []int{0}},
		{"../server/keys", "New", []int{0}},
		{"../service/proving", "Errorf", []int{0}},
		{"../service/audit", "Errorf", []int{0}},
		{"../formats/pdf/page/logo", "Errorf", []int{0}},
		{"../formats/pdf/page/logo", "New", []int{0}},
		{"../formats/pdf/page/look", "Errorf", []int{0}},
		{"../formats/pdf/page/layout", "Errorf", []int{0}},
		{"../server", "wrongKey", []int{1}},
		{"../service/workbench", "wrong", []int{1, 2}},
		{"../formats/parse", "tell", []int{1}},
	} {
		before := len(sentences)
		literalsIn(t, source.dir, source.call, source.arguments, sentences)
		if len(sentences) == before {
			t.Errorf("%s has no call of %s with a literal: this test no longer sees them", source.dir, source.call)
		}
	}
	before := len(sentences)
	problemsIn(t, "..", sentences)
	if len(sentences) < before+50 {
		t.Errorf("only %d sentences of a problem.Error were found", len(sentences)-before)
	}
	if len(sentences) < 150 {
		t.Fatalf("only %d sentences were found", len(sentences))
	}
	for sentence, where := range sentences {
		if file, _, _ := strings.Cut(where, ".go:"); flags.MatchString(sentence) && slices.Contains(ofJobs, filepath.ToSlash(filepath.Dir(file))) && !slices.Contains(ofCommands, filepath.ToSlash(file)) {
			t.Errorf("%s: jobs over HTTP say %q too, and have no flags: name the option", where, sentence)
		}
	}
	for _, tag := range complete {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		for sentence, where := range sentences {
			if _, found := language.Phrase(sentence); !found && !chosen[sentence] {
				t.Errorf("%s: %q is not in languages/%s/phrases", where, sentence, tag)
			}
		}
	}
}

// chosen are sentences whose values are words that the program chooses from a few; they are
// in the phrases with each of these.
var chosen = map[string]bool{
	"X.": true, "The form has no part named X; X.": true, "more than X X": true, "The invoice is X": true,
	"X: X": true, "X=X: X": true, "--at: X": true, "X:X: X\n  X\n  X^": true, "X of X: X": true, "the rulesets in X do not load:\nX": true, // names before a sentence of its own
	"DecidedX": true, "validated against X": true, "send X": true, "this is X": true, "X (read as X)": true, "the results in X are X": true, "X more are not shown here; the JSON form has X.": true,
}

var verb = regexp.MustCompile(`%[#.0-9]*[a-zA-Z]`)

// literalsIn collects the sentences in calls of a function, with a word for every value.
func literalsIn(t *testing.T, dir, call string, arguments []int, into map[string]string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if base := filepath.Base(name); strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "kosit") || strings.HasPrefix(base, "mustang") {
			continue // commands in place of other programs have the language of these
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || nameOf(c.Fun) != call {
				return true
			}
			for _, i := range arguments {
				if i >= len(c.Args) {
					continue
				}
				if sentence := sentenceOf(c.Args[i]); strings.Trim(sentence, "X ") != "" {
					into[sentence] = set.Position(c.Pos()).String()
				}
			}
			return true
		})
	}
}

// flags are those of the command line.
var flags = regexp.MustCompile(`--[a-z]`)

// ofJobs are packages whose errors jobs have, on the command line and over HTTP, where there are no flags.
var ofJobs = []string{"../service/bulk", "../service/inputfile", "../service/operation", "../service/convert", "../service/extract", "../service/parse", "../service/render", "../service/transform", "../service/write", "../server/jobs"}

// ofCommands are files of theirs, without the ending, with errors that commands alone have.
var ofCommands = []string{"../service/bulk/job", "../service/bulk/together"}

// sayOwn are files whose problems have messages that are errors of the program's own, which have phrases.
var sayOwn = []string{"../formats/read.go", "../model/problem/option.go", "../server/publishing/publication.go", "../service/bulk/files.go", "../service/transform/supply.go"}

// problemsIn collects the messages and remedies of all errors that are written as such.
func problemsIn(t *testing.T, root string, into map[string]string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		if filepath.Base(filepath.Dir(name)) == "kosit" {
			return nil // a command in place of another program
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if of, ok := literal.Type.(*ast.SelectorExpr); !ok || nameOf(of.X) != "problem" || of.Sel.Name != "Error" {
				return true
			}
			for _, element := range literal.Elts {
				pair, ok := element.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				if call, ok := pair.Value.(*ast.CallExpr); ok && nameOf(call.Fun) == "Error" && !slices.Contains(sayOwn, filepath.ToSlash(name)) {
					t.Errorf("%s: an error of the system has no phrase: put a sentence before it", set.Position(pair.Pos()))
				}
				if key := nameOf(pair.Key); key == "Message" || key == "Remedy" {
					if sentence := sentenceOf(pair.Value); strings.Trim(sentence, "X ") != "" {
						into[sentence] = set.Position(pair.Pos()).String()
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// errorsIn collects the texts of errors that are made by packages errors and fmt, with an X for
// every value.
func errorsIn(t *testing.T, root string, into map[string]string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata"):
			return fs.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			of, ok := call.Fun.(*ast.SelectorExpr)
			if made := ok && (nameOf(of.X) == "errors" && of.Sel.Name == "New" || nameOf(of.X) == "fmt" && of.Sel.Name == "Errorf"); made {
				if text := sentenceOf(call.Args[0]); strings.Trim(text, "X:=-/%, \n") != "" {
					into[text] = set.Position(call.Pos()).String()
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func nameOf(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// sentenceOf is the sentence that an expression makes; "" for one that is not a literal.
func sentenceOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return ""
		}
		return strings.ReplaceAll(verb.ReplaceAllString(text, "X"), "%%", "%")
	case *ast.BinaryExpr:
		left, right := sentenceOf(e.X), sentenceOf(e.Y)
		if left == "" {
			left = "X"
		}
		if right == "" {
			right = "X"
		}
		return left + right
	case *ast.CallExpr:
		if nameOf(e.Fun) == "Sprintf" && len(e.Args) > 0 {
			return sentenceOf(e.Args[0])
		}
	}
	return ""
}

// French has a no-break space before marks of two parts, and inside quotation marks.
func TestFrenchHasNoBreakSpaces(t *testing.T) {
	phrase := regexp.MustCompile(`^  "(?:[^"\\]|\\.)*": `)
	wrong := regexp.MustCompile(` [;:!?»]|« `)
	looked := 0
	err := fs.WalkDir(rulesets.FS, "languages/fr", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		for i, line := range strings.Split(string(data), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			looked++
			french := line
			if strings.Contains(name, "/phrases/") {
				french = phrase.ReplaceAllString(line, "")
			}
			if found := wrong.FindString(french); found != "" {
				t.Errorf("%s:%d has an ordinary space in %q: %s", name, i+1, found, french)
			}
		}
		return err
	})
	if err != nil || looked < 2000 {
		t.Fatal(looked, err)
	}
}

func ExampleReport_Translate() {
	library, _ := engine.Open(rulesets.FS)
	german, _ := library.Language("de")
	fmt.Println(german.Name, german.Say("no findings"))
	// Output: Deutsch keine Befunde
}

// What goes on behind a semicolon begins small in every language, as it does in English.
func TestAdviceBeginsSmall(t *testing.T) {
	wrong := regexp.MustCompile(`^  "[a-z](?:[^"\\]|\\.)*": "(?:\p{Lu}\pL+ Sie |\p{Lu}\pL+ez )`)
	looked := 0
	for _, language := range complete {
		err := fs.WalkDir(rulesets.FS, "languages/"+language+"/phrases", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(rulesets.FS, name)
			for i, line := range strings.Split(string(data), "\n") {
				if looked++; wrong.MatchString(line) {
					t.Errorf("%s:%d begins with a capital, and English does not: %s", name, i+1, line)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if looked < 2000 {
		t.Errorf("%d lines", looked)
	}
}
