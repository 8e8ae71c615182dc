package schema_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/schema"
)

const small = `# a comment
prefix a urn:a
prefix xs http://www.w3.org/2001/XMLSchema

element a:root a:RootType

type a:RootType
	0..2 a:code a:CodeType
	1 choice
		1 a:x xs:string
		1..n a:y xs:decimal
	1 @id xs:token = 1

type a:CodeType < xs:token
	length 1..3
`

func TestLoad(t *testing.T) {
	fsys := fstest.MapFS{"schemas/small.txt": {Data: []byte(small)}}
	s, err := schema.NewLibrary(fsys, "schemas").Schema("small")
	if err != nil {
		t.Fatal(err)
	}
	for doc, valid := range map[string]bool{
		`<root xmlns="urn:a" id="1"><x/></root>`:                                            true,
		`<root xmlns="urn:a" id=" 1"><code>abc</code><code>a</code><y>1</y><y>2</y></root>`: true,
		`<root xmlns="urn:a" id="2"><x/></root>`:                                            false,
		`<root xmlns="urn:a"><x/></root>`:                                                   false,
		`<root xmlns="urn:a" id="1"/>`:                                                      false,
		`<root xmlns="urn:a" id="1"><x/><y>1</y></root>`:                                    false,
		`<root xmlns="urn:a" id="1"><x/><x/></root>`:                                        false,
		`<root xmlns="urn:a" id="1"><code>abcd</code><x/></root>`:                           false,
		`<root xmlns="urn:a" id="1"><code/><x/></root>`:                                     false,
		`<root xmlns="urn:a" id="1"><code>a</code><code>a</code><code>a</code><x/></root>`:  false,
		`<root id="1"><x/></root>`:                                                          false,
	} {
		tree := parse(t, []byte(doc))
		if faults := s.Check(tree, 10); (len(faults) == 0) != valid {
			t.Errorf("%s: %s", doc, messages(tree, faults))
		}
	}
}

// A mistake in the data is reported when it is loaded, with its line.
func TestLoadErrors(t *testing.T) {
	const head = "prefix a urn:a\nprefix xs http://www.w3.org/2001/XMLSchema\n"
	for name, c := range map[string]struct {
		text, says string
		line       int
	}{
		"unknown line":           {head + "elment a:x xs:string\n", `"elment" is not understood`, 3},
		"line without type":      {head + "\t1 a:x xs:string\n", "belongs to no type", 3},
		"unknown prefix":         {head + "element b:x xs:string\n", `prefix "b" is not declared`, 3},
		"unknown type":           {head + "element a:x a:T\n", "type a:T is used but not defined", 3},
		"unknown builtin":        {head + "element a:x xs:T\n", "XML Schema has no type T", 3},
		"unknown element":        {head + "type a:T\n\t1 a:x\n", "element a:x is used but not declared", 4},
		"element twice":          {head + "element a:x xs:string\nelement a:x xs:string\n", "declared twice", 4},
		"type twice":             {head + "type a:T < xs:string\ntype a:T < xs:string\n", "defined twice", 4},
		"type without facts":     {head + "type a:T\nelement a:x a:T\n", "says nothing", 4},
		"type derived of itself": {head + "type a:T < a:U\ntype a:U < a:T\n", "derived from itself", 3},
		"unknown word":           {head + "type a:T < xs:string final\n", `"final" is not understood`, 3},
		"occurrence":             {head + "type a:T\n\tmany a:x xs:string\n", "how often", 4},
		"occurrence of nothing":  {head + "type a:T\n\t0 a:x xs:string\n", "0 times", 4},
		"occurrence backwards":   {head + "type a:T\n\t2..1 a:x xs:string\n", "2..1 times", 4},
		"group too often":        {head + "type a:T\n\t0..2 choice\n\t\t1 a:x xs:string\n", "0..2 times", 4},
		"indentation":            {head + "type a:T\n\t\t1 a:x xs:string\n", "indented too far", 4},
		"wildcard":               {head + "type a:T\n\t1 any skip\n", "strict or lax", 4},
		"attribute too often":    {head + "type a:T\n\t0..n @a xs:string\n", "an attribute occurs", 4},
		"length":                 {head + "type a:T < xs:string\n\tlength long\n", "not understood", 4},
		"facets of no type":      {head + "type a:T\n\tlength 1..2\n", "its base is not simple", 3},
		"text of no type":        {head + "type a:T\n\ttext a:U\ntype a:U\n\tempty\n", "a:U is not simple", 4},
		"attribute of no type":   {head + "type a:T\n\t1 @a a:U\ntype a:U\n\tempty\n", "a:U is not simple", 4},
		"too many":               {head + "type a:T\n" + strings.Repeat("\t9..n a:x xs:string\n", 200), "more than 1000", 3},
	} {
		t.Run(name, func(t *testing.T) {
			err := schema.LoadText(c.text)
			e, ok := errors.AsType[*schema.LoadError](err)
			if !ok || e.Line != c.line || !strings.Contains(e.Message, c.says) {
				t.Errorf("got %v, want line %d: %s", err, c.line, c.says)
			}
		})
	}
}

func TestLibrary(t *testing.T) {
	fsys := fstest.MapFS{
		"schemas/loop.txt": {Data: []byte("include loop\n")},
		"schemas/a.txt":    {Data: []byte("include b\n")},
		"schemas/b.txt":    {Data: []byte("include missing\n")},
	}
	l := schema.NewLibrary(fsys, "schemas")
	for _, name := range []string{"missing", "a", "b", "../schemas/a"} {
		if _, err := l.Schema(name); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := l.Schema("loop"); err == nil || !strings.Contains(err.Error(), "includes itself") {
		t.Errorf("loop: got %v", err)
	}
	first, second := load(t, "cii-d16b"), load(t, "cii-d16b")
	if first != second {
		t.Error("a schema is loaded twice")
	}
	if root := parse(t, []byte(invoice(1))); first.Declares(root.NameOf(root.Name(1))) || !load(t, "ubl-2.1-invoice").Declares(root.NameOf(root.Name(1))) {
		t.Error("a root element is declared by the wrong schema")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(small)
	f.Add("prefix a urn:a\nelement a:x a:T\ntype a:T abstract\n\tmixed\n\t0..n any lax except a\n\t0..n @any strict\n")
	f.Fuzz(func(t *testing.T, text string) {
		if err := schema.LoadText(text); err != nil {
			if _, ok := errors.AsType[*schema.LoadError](err); !ok && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("an error of another type: %v", err)
			}
		}
	})
}
