package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"index/suffixarray"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine/words"
	"einvoice/rulesets"
)

// composed begin the phrases that stand nowhere in one piece: the program puts them together
// of parts, or a library says them.
var composed = []string{
	"unknown flag: ", "unknown shorthand flag: ", "accepts {1} arg(s)", "accepts at most {1} arg(s)", "unknown command {1} for ", "requires at least {1} arg(s)", "required flag(s) ", // cobra
	"<1> more are not shown here; ",
	"The invoice is not valid", "{1} is in force ", "Decided not at all in ",
	"there is no profile ", "this is <1>; write an object with the terms of ", "send a UBL Invoice",
	"this is not JSON: this ", "this is not JSON: in this text, after ", "(read as ", "use pdf, html or svg", "use create, convert, ",
	"the document ends within a character", "half a surrogate pair",
	"this is an order, an order change", "this is an invoice of a draft of ZUGFeRD", // formats/others.yaml
	"Decided in {1}", "also looks at ", "{1} table rows", "{1} translation files",
	"The type {1} is not known; expected {2} or none.", "one of {1}, ... ({2} more)", "{1} does not go with a group",
}

// No language has a sentence that the program no longer says. What stands between the values
// of a phrase must be in a text of the program, or in a file of its data.
func TestPhrasesAreSaid(t *testing.T) {
	texts, asked := suffixarray.New([]byte(textsOf(t, ".."))), map[string]bool{}
	for _, tag := range complete {
		language, err := words.Open(rulesets.FS, tag)
		if err != nil {
			t.Fatal(err)
		}
		files, err := fs.Glob(rulesets.FS, language.Path("phrases/*.yaml"))
		if err != nil || len(files) < 10 {
			t.Fatalf("%d files of phrases in %s: %v", len(files), tag, err)
		}
		for _, file := range files {
			phrases, err := language.Phrases("phrases/" + filepath.Base(file))
			if err != nil {
				t.Fatal(err)
			}
			for english := range phrases {
				if asked[english] {
					continue
				}
				asked[english] = true
				if part, ok := isSaid(english, texts); !ok {
					t.Errorf("%s: the program no longer says %q (%q stands nowhere): take the phrase away", file, english, part)
				}
			}
		}
	}
}

// blanks are folded: data breaks long texts into lines.
var blanks = regexp.MustCompile(`\s+`)

// phrasePlace is where a value stands. The 1 of "1 error" is one: report.Count puts it before its
// noun. So is a Period, which says "from" and "until".
var phrasePlace = regexp.MustCompile(`(?:(?:from|until) )?[{<]\d+[}>]|^1 `)

func isSaid(phrase string, texts *suffixarray.Index) (missing string, ok bool) {
	for _, begin := range composed {
		if strings.Contains(phrase, begin) {
			return "", true
		}
	}
	for _, part := range phrasePlace.Split(phrase, -1) {
		part = blanks.ReplaceAllString(strings.Trim(part, " .,:;\n"), " ")
		if len(part) > 2 && len(texts.Lookup([]byte(part), 1)) == 0 {
			return part, false
		}
	}
	return "", true
}

// textsOf are all texts in the sources and data of the program, tests and translations aside.
func textsOf(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); base == words.Folder || base == "node_modules" || base == "dist" || base == "bin" || len(base) > 2 && base[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go":
			if strings.HasSuffix(name, "_test.go") {
				return nil
			}
			return literalsOf(name, &all)
		case ".yaml", ".html", ".tmpl", ".ts", ".txt":
			data, err := os.ReadFile(name)
			all.Write(data)
			all.WriteByte('\n')
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return blanks.ReplaceAllString(all.String(), " ")
}

// literalsOf writes the texts of a Go file; those that are added to each other as one.
func literalsOf(name string, to *strings.Builder) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if ok {
			if text := joined(e); text != "" {
				to.WriteString(text + "\n")
			}
		}
		return true
	})
	return nil
}

// joined is the text of a literal or of a sum of some, with a line break for each value.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return verb.ReplaceAllString(text, "\n")
		}
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	}
	return ""
}
