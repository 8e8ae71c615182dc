package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/rulesets"

	"gopkg.in/yaml.v3"
)

// counted is a number before a noun in the plural, which "1" does not go with. numeral.Count writes both.
var counted = regexp.MustCompile(`%d (?:(?:more|other|further) )?([a-z]+s)\b`)

// filledCount is that in a message of a rule or a finding.
var filledCount = regexp.MustCompile(`(?:^|[^$])\{[A-Za-z][\w.]*\} (?:(?:more|other|further) )?([a-z]+s)\b`)

// notNouns end with an s and are no nouns in the plural.
var notNouns = []string{"applies", "decides", "differs", "does", "has", "is", "ms", "renews", "says", "shows", "was"}

// isBound tells of an expression that it is a limit, which is never 1.
var isBound = regexp.MustCompile(`(?i)(^|\.|\()(max|most|longest|shortest|least|deepest|limit|memoryPer|late|endsAlone)`)

// neverOne are counts that are never 1, and why.
var neverOne = map[string]string{
	"--functions is given %d times":                  "once is right for any number of files",
	"%s: %d objects":                                 "the manifests have more",
	"the file has %d mistakes up to here":            "they are more than a limit",
	"parsing for XPath: %d elements":                 "a fault of the program, which names the element too",
	"so that this is written %d times":               "once is no loss",
	"vat: %d rows are not a VAT breakdown":           "they are more than a limit",
	"the PDF has %d invoices, on page":               "one is read",
	"the PDF would have %d files attached, and":      "they are more than a limit",
	"the PDF has %d bytes, more than":                "they are more than a limit",
	"its %d × %d pixels take":                        "they are more than a limit",
	"the foot has %d columns; it has at most 5":      "they are more than a limit",
	"a tree in the PDF has more than the %d levels":  "it is a limit",
	"decompress to more than the %d bytes":           "it is a limit",
	"a mapping has %d keys, and":                     "they are more than a limit",
	"openapi.yaml: %d options are described":         "the API has more",
	"The request has %d mistakes, of which":          "they are more than a limit",
	"an event of %d bytes is too long":               "it is more than a limit",
	"the process that worked on this document ended": "the first time is not told",
	"the report has %d bytes, more than":             "it is more than a limit",
	"the file has %d bytes, more than":               "it is more than a limit",
	"assertion %d needs":                             "it is the number of one",
	"the scenarios have %d bytes, more than":         "they are more than a limit",
	"it has %d resources; one is understood":         "one is understood",
	"%d documents: %d valid":                         "the line is there with several documents",
	"(%d places)":                                    "it is there with several places",
	"%s takes %d values":                             "who writes a template of the program sees it",
	"The first %d of %d lines.":                      "they are more than a limit",
}

// A message that counts says "1 character", not "1 characters".
func TestCountsHaveTheirNouns(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && (base == "node_modules" || base == "bin" || base == "conformance" || len(base) > 2 && base[0] == '.') {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for i, arg := range call.Args {
				literal, ok := arg.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					continue
				}
				for _, m := range counted.FindAllStringSubmatchIndex(text, -1) {
					at := i + 1 + len(verb.FindAllString(strings.ReplaceAll(text[:m[0]], "%%", ""), -1))
					if slices.Contains(notNouns, text[m[2]:m[3]]) || at >= len(call.Args) {
						continue
					}
					value := string(source[set.Position(call.Args[at].Pos()).Offset:set.Position(call.Args[at].End()).Offset])
					if isBound.MatchString(value) {
						continue
					}
					known := false
					for part := range neverOne {
						if strings.Contains(text, part) {
							used[part], known = true, true
						}
					}
					if !known {
						t.Errorf("%s: %q of %s: write it with numeral.Count, or say in this test why it is never 1", set.Position(literal.Pos()), text[m[0]:m[1]], value)
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
	for part := range neverOne {
		if !used[part] {
			t.Errorf("no message has %q", part)
		}
	}
}

// No message of a rule or finding has a value before a noun in the plural: the value is the number with its noun.
func TestMessagesHaveNoPlurals(t *testing.T) {
	messages := 0
	err := fs.WalkDir(rulesets.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yaml" || strings.HasPrefix(name, "languages/") {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			return err
		}
		var node yaml.Node
		if err := yaml.Unmarshal(data, &node); err != nil {
			return err
		}
		var walk func(n *yaml.Node)
		walk = func(n *yaml.Node) {
			for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
				key, value := n.Content[i].Value, n.Content[i+1]
				if value.Kind != yaml.ScalarNode || key != "message" && key != "text" {
					continue
				}
				messages++
				for _, m := range filledCount.FindAllStringSubmatch(value.Value, -1) {
					if !slices.Contains(notNouns, m[1]) {
						t.Errorf("%s:%d: %q", name, value.Line, m[0])
					}
				}
			}
			for _, below := range n.Content {
				walk(below)
			}
		}
		walk(&node)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if messages < 1000 {
		t.Errorf("%d messages were read", messages)
	}
}
