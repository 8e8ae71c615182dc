package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"einvoice/engine/files"
	"einvoice/model/quote"
	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// A ruleFile reads one YAML file of a ruleset.
type ruleFile struct {
	name     string
	contents *contents // nil for rules of another file
	errors   LoadErrors
	growth   growth
	stopped  bool // the mistake that ends reading is told

	ruleset, version string
	extends          Located[string]
	source           *Source
	layer            Layer
	effective        Period
	without, only    []string
	languages        []string
	withoutExamples  string
	levels           []LevelChange
	constants        map[string]Located[string]
	parameters       []*Parameter
	rules            []*Rule
}

func newRuleFile(c *contents) *ruleFile {
	return &ruleFile{name: c.name, contents: c, growth: growth{library: c.library}}
}

// mostMistakes bounds what is told of one file before its rules are compiled.
const mostMistakes = 1000

// items are the elements of a list, until reading the file is to end: it has too many mistakes, its
// rules come to too much, or the library's checks end.
func (f *ruleFile) items(n *yaml.Node) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		for _, item := range n.Content {
			if f.ends(item) || !yield(item) {
				return
			}
		}
	}
}

func (f *ruleFile) ends(at *yaml.Node) bool {
	switch {
	case f.stopped:
	case f.growth.over:
		f.errors = append(f.errors, f.growth.mistake(f.name, at))
	case len(f.errors) >= mostMistakes:
		f.fail(at, "the file has %d mistakes up to here: correct them, and check again", len(f.errors))
	case f.contents != nil && f.contents.library.Ended() != nil: // who asked is told
	default:
		return false
	}
	f.stopped = true
	return true
}

func (f *ruleFile) fail(n *yaml.Node, format string, args ...any) {
	f.errors = append(f.errors, LoadError{File: f.name, Line: n.Line, Column: n.Column, Message: quote.Shorten(fmt.Sprintf(format, args...), mostMessage)})
}

// mostMessage is how many characters of a mistake are told, which may show a value that is much longer.
const mostMessage = 4000

// parseRuleFile reads a file of rules; all mistakes are in its errors.
func parseRuleFile(c *contents) *ruleFile {
	f := newRuleFile(c)
	root := f.root()
	if root == nil {
		return f
	}
	known := f.mapping(root, "a rule file", func(key string, value *yaml.Node) bool {
		switch key {
		case "ruleset":
			f.ruleset = f.scalar(value)
		case "version":
			f.version = f.scalar(value)
		case "extends":
			f.extends = located(f.scalar(value), value)
		case "layer":
			f.readLayer(value)
		case "source":
			f.readSource(value)
		case "without":
			f.without = f.names(value)
		case "only":
			f.only = f.names(value)
		case "withoutExamples":
			f.withoutExamples = f.scalar(value)
		case "languages":
			f.languages = f.names(value)
		case "effective":
			f.effective = f.period(value)
		case "levels":
			f.levels = f.levelChanges(value, false)
		case "parameters":
			f.readParameters(value)
		default:
			return f.readPart(key, value)
		}
		return true
	})
	for _, missing := range [][2]string{{"ruleset", f.ruleset}, {"version", f.version}, {"layer", string(f.layer)}} {
		if missing[1] == "" && known && root.Kind == yaml.MappingNode {
			f.fail(root, "the key %q is missing", missing[0])
		}
	}
	return f
}

func (f *ruleFile) readLayer(n *yaml.Node) {
	f.layer = Layer(f.scalar(n))
	if !slices.Contains(layers, f.layer) {
		f.fail(n, "unknown layer %q: use one of %s", f.layer, join(layers))
	}
}

// root reads the file as YAML; nil after a mistake.
func (f *ruleFile) root() *yaml.Node {
	switch doc, err := f.contents.node(); {
	case errors.Is(err, io.EOF):
		f.errors = append(f.errors, LoadError{File: f.name, Message: "the file is empty"})
		return nil
	case err != nil:
		f.errors = append(f.errors, f.contents.mistakes(err)...)
		return nil
	default:
		return doc.Content[0]
	}
}

// readPart reads what files of rules and overlays have alike: rules, in any form, and the
// constants in them. It is false for any other key.
func (f *ruleFile) readPart(key string, value *yaml.Node) bool {
	switch key {
	case "constants":
		f.readConstants(value)
	case "rules":
		f.readRules(value)
	case "repeat":
		f.readRepeats(value)
	case "tables":
		f.readTables(value)
	default:
		return false
	}
	return true
}

// YamlErrors are the mistakes that keep a file from being read.
func YamlErrors(file string, data []byte, err error) LoadErrors {
	return yamlErrors(context.Background(), file, data, err)
}

func yamlErrors(ctx context.Context, file string, data []byte, err error) (failures LoadErrors) {
	for _, m := range strictyaml.Mistakes(data, narrowed(ctx, data, err)) {
		failures = append(failures, LoadError{File: file, Line: m.Line, Column: m.Column, Message: m.Message + suggestKey("", file, m.Key)})
	}
	return failures
}

// mapping reads a mapping; read returns false for a key that it does not know. known tells
// whether all keys were: what lacks may else be there under the wrong name.
func (f *ruleFile) mapping(n *yaml.Node, what string, read func(key string, value *yaml.Node) bool) (known bool) {
	known = true
	err := strictyaml.Mapping(n, what, func(key string, value *yaml.Node) error {
		if !read(key, value) {
			known = false
			return strictyaml.ErrUnknownKey
		}
		return nil
	})
	var mistakes strictyaml.Errors
	errors.As(err, &mistakes)
	for _, mistake := range mistakes {
		var at *strictyaml.Error
		if errors.As(mistake, &at) {
			f.errors = append(f.errors, LoadError{File: f.name, Line: at.Line, Column: at.Column, Message: at.Message + suggestKey(what, f.name, at.Key)})
		}
	}
	return known
}

// suggestKey ends the message of an unknown key with the one that may be meant; what is
// the name of the mapping in messages, "" where it is not known.
func suggestKey(what, file, key string) string {
	if key == "" {
		return ""
	}
	near, keys := files.NearestKey(what, file, key)
	if near == "" && len(keys) > 0 {
		return "; there are " + strings.Join(keys, ", ")
	}
	return Meant(near)
}

func (f *ruleFile) scalar(n *yaml.Node) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		f.fail(n, "expected a text")
	case n.Style&yaml.TaggedStyle != 0: // !x is a tag in YAML, and no part of the text
		f.fail(n, "a value that begins with ! is put in quotation marks")
	}
	return strings.TrimSpace(n.Value)
}

// names reads ids: a list, or one text of them in lines of a convenient length.
func (f *ruleFile) names(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return strings.Fields(n.Value)
	}
	return f.texts(n)
}

func (f *ruleFile) texts(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "expected a list%s", asList(n))
		return nil
	}
	out := make([]string, 0, len(n.Content))
	for item := range f.items(n) {
		out = append(out, f.scalar(item))
	}
	return out
}

// asList says how one text is written as a list.
func asList(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return ""
	}
	if strings.ContainsAny(n.Value, " ,:[]{}#\"'\n") {
		return fmt.Sprintf(": write [%s]", quote.Value(n.Value))
	}
	return fmt.Sprintf(": write [%s]", quote.Shorten(n.Value, quote.Most))
}
