package authoring_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/rulesets"
	"einvoice/service/authoring"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// Every shipped file names its schema in its first line and fits it, and the schemas beside
// them are those that the program makes.
func TestShippedFilesFitTheirSchemas(t *testing.T) {
	compiled := map[string]*jsonschema.Schema{}
	for _, kind := range authoring.Kinds() {
		made, err := json.Marshal(authoring.Schema(kind))
		if err != nil {
			t.Fatal(err)
		}
		shipped, err := os.ReadFile(filepath.Join("..", "..", "rulesets", authoring.SchemaFolder, kind+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := errors.Join(json.Unmarshal(shipped, &got), json.Unmarshal(made, &want)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s.json is not what the program makes: run einvoice rules schema --write rulesets", kind)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(made))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(kind, value); err != nil {
			t.Fatal(err)
		}
		if compiled[kind], err = c.Compile(kind); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]int{}
	err := fs.WalkDir(rulesets.FS, ".", func(name string, d fs.DirEntry, err error) error {
		line := authoring.SchemaLine(name)
		if err != nil || d.IsDir() || line == "" {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			return err
		}
		if first, _, _ := strings.Cut(string(data), "\n"); first != line {
			t.Errorf("%s begins with %q, want %q", name, first, line)
		}
		var value any
		if err := yaml.Unmarshal(data, &value); err != nil {
			return err
		}
		kind := strings.TrimSuffix(filepath.Base(line), ".json")
		seen[kind]++
		if err := compiled[kind].Validate(inJSON(value)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range authoring.Kinds() {
		if seen[kind] == 0 && kind != "lookup" { // tables are a company's own
			t.Errorf("no shipped file is of kind %s", kind)
		}
	}
}

// inJSON turns what YAML has beyond JSON, such as dates, into texts.
func inJSON(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k := range v {
			v[k] = inJSON(v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = inJSON(v[i])
		}
		return v
	case int:
		return json.Number(strconv.Itoa(v))
	case float64, string, bool, nil:
		return v
	}
	return "a value that JSON does not have"
}

// A file that the loader refuses for its keys or values does not fit its schema.
func TestSchemaRefuses(t *testing.T) {
	made, err := json.Marshal(authoring.Schema("rules"))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("rules", value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("rules")
	if err != nil {
		t.Fatal(err)
	}
	const head = "ruleset: company\nversion: 1\nlayer: cius\n"
	const rule = "rules:\n  - {id: CO-1, level: fatal, context: /invoice, assert: 'true', btCodes: [], message: m, text: t"
	for text, fits := range map[string]bool{
		head: true, head + rule + "}\n": true, head + rule + ", on: ubl}\n": true,
		head + rule + ", variants: {'ubl:Invoice': {level: warning, reason: r}}}\n": true,
		"ruleset: company\nversion: 1\n":                                            false, head + "rule: []\n": false, head + rule + ", on: edifact}\n": false,
		head + rule + ", levle: fatal}\n": false, head + rule + ", variants: {xml: {reason: r}}}\n": false,
		head + "rules:\n  - {id: CO-1}\n": false, "ruleset: company\nversion: 1\nlayer: federal\n": false,
	} {
		var parsed any
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(inJSON(parsed)); (err == nil) != fits {
			t.Errorf("%q fits: %v, want %v", text, err, fits)
		}
	}
}

// The schemas have the keys that the loader reads: those of the cases in its source, and
// those of its types.
func TestSchemaHasTheKeysOfTheLoader(t *testing.T) {
	for shape, functions := range map[string][]string{
		"rules": {"parseRuleFile", "readPart"}, "rule": {"readRule"}, "variant": {"readVariants"}, "example": {"readExamples"}, "repeat": {"readRepeats"},
		"table": {"readTable"}, "source": {"readSource"}, "period": {"period"}, "parameter": {"readParameters"}, "levelChange": {"levelChanges"},
		"overlayFile": {"read", "readPart"}, "overlayBase": {"overlayBase"}, "documents": {"documents"}, "listChange": {"listChanges"}, "lookupTable": {"readDeclaration"},
	} {
		var want []string
		for _, function := range functions {
			want = append(want, casesIn(t, function)...)
		}
		slices.Sort(want)
		if got := keysOf(t, shape); !slices.Equal(got, want) {
			t.Errorf("%s has the keys %v in the schema, and the loader reads %v", shape, got, want)
		}
	}
	for shape, of := range map[string]any{
		"profile": engine.Profile{}, "hybrid": engine.Hybrid{}, "finding": engine.Notice{}, "case": engine.NoticeCase{},
		"language": words.Language{}, "translation": words.Text{},
	} {
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			if name := f.Tag.Get("yaml"); name != "" {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		if got := keysOf(t, shape); !slices.Equal(got, want) {
			t.Errorf("%s has the keys %v in the schema, and the loader's type %v", shape, got, want)
		}
	}
}

// keysOf are the keys of a shape, as any schema has it.
func keysOf(t *testing.T, shape string) []string {
	t.Helper()
	for _, kind := range authoring.Kinds() {
		definitions := authoring.Schema(kind)["definitions"].(map[string]any)
		if of, ok := definitions[shape].(map[string]any); ok {
			return slices.Sorted(maps.Keys(of["properties"].(map[string]any)))
		}
	}
	t.Fatalf("no schema has %s", shape)
	return nil
}

// casesIn are the keys that the innermost reader of a mapping in a function of the loader
// takes.
func casesIn(t *testing.T, function string) []string {
	t.Helper()
	files, err := filepath.Glob("../../engine/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != function {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.SwitchStmt)
				if !ok {
					return true
				}
				if tag, ok := s.Tag.(*ast.Ident); !ok || tag.Name != "key" {
					return true
				}
				for _, c := range s.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						if lit, ok := e.(*ast.BasicLit); ok {
							text, err := strconv.Unquote(lit.Value)
							if err != nil {
								t.Fatal(err)
							}
							keys = append(keys, text)
						}
					}
				}
				return true
			})
		}
	}
	if keys == nil {
		t.Fatalf("%s of the loader reads no key: this test no longer sees them", function)
	}
	slices.Sort(keys)
	return keys
}
