package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"einvoice/engine/files"
	"einvoice/model"
	"einvoice/model/nearest"
	"einvoice/model/quote"
	"einvoice/model/strictyaml"
	"einvoice/model/syntax"

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

func (f *ruleFile) readRules(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "rules must be a list")
		return
	}
	for item := range f.items(n) {
		if len(NamesIn(item)) > 0 { // to be read once the constants are known
			f.rules = append(f.rules, &Rule{file: f.name, Node: item, Template: item})
			continue
		}
		if r := f.readRule(item); r != nil {
			f.rules = append(f.rules, r)
		}
	}
}

// readRepeats makes rules out of templates: each row of "for" fills ${...} in
// each of the rules.
func (f *ruleFile) readRepeats(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "repeat must be a list of {for, rules}")
		return
	}
	for block := range f.items(n) {
		var rows []map[string]string
		var rules *yaml.Node
		f.mapping(block, "a repeat", func(key string, value *yaml.Node) bool {
			switch key {
			case "for":
				if err := value.Decode(&rows); err != nil {
					f.fail(value, "for must be a list of mappings from names to texts")
				}
			case "rules":
				rules = value
			default:
				return false
			}
			return true
		})
		if rules == nil || len(rows) == 0 {
			f.fail(block, "a repeat needs the rows to repeat for and the rules")
			continue
		}
		for _, row := range rows {
			if f.ends(block) {
				return
			}
			f.readRules(fill(rules, row, &f.growth))
		}
		f.ends(block) // by what the last row comes to
	}
}

// fill is a template in which every ${name} that has a value is replaced. Where an
// element of a list is only a placeholder, a value with commas makes several elements.
// What has no placeholder inside stays the template's own, and so does all once there is too much.
func fill(n *yaml.Node, row map[string]string, g *growth) *yaml.Node {
	if g.over {
		return n
	}
	if _, later := strictyaml.Later(n); later {
		return fillLater(n, row)
	}
	value := g.fillText(n.Value, row)
	var content []*yaml.Node // nil while it is the template's
	for i, child := range n.Content {
		filled := fill(child, row, g)
		several := n.Kind == yaml.SequenceNode && isPlaceholder(child)
		if content == nil {
			if filled == child && !several {
				continue
			}
			content = append(make([]*yaml.Node, 0, len(n.Content)), n.Content[:i]...)
		}
		if !several {
			content = append(content, filled)
			continue
		}
		for part := range strings.SplitSeq(filled.Value, ",") {
			if !g.take(nodeGrown) {
				break
			}
			item := *filled
			item.Value = strings.TrimSpace(part)
			content = append(content, &item)
		}
	}
	if content == nil && value == n.Value {
		return n
	}
	g.take(nodeGrown)
	c := *n
	c.Value = value
	if content != nil {
		c.Content = content
	}
	return &c
}

// fillLater is a value put off that is to be filled when it is read: each node inside it
// is a mapping of the values for its placeholders.
func fillLater(n *yaml.Node, row map[string]string) *yaml.Node {
	values := &yaml.Node{Kind: yaml.MappingNode}
	for _, name := range NamesIn(n) {
		if value, ok := row[name]; ok && !slices.ContainsFunc(values.Content, func(n *yaml.Node) bool { return n.Value == name }) {
			values.Content = append(values.Content, &yaml.Node{Value: name}, &yaml.Node{Value: value})
		}
	}
	if len(values.Content) == 0 {
		return n
	}
	c := *n
	c.Content = append(slices.Clip(c.Content), values)
	return &c
}

// isFilledLater is true for a placeholder of a value put off that fillLater knows already.
func isFilledLater(n *yaml.Node, name string) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	for _, values := range n.Content {
		for i := 0; i+1 < len(values.Content); i += 2 {
			if values.Content[i].Value == name {
				return true
			}
		}
	}
	return false
}

// readLater reads a value that was put off, and fills it.
func readLater(n *yaml.Node, read func() (*yaml.Node, error)) (*yaml.Node, error) {
	filled, err := read()
	if err != nil {
		return nil, err
	}
	var g growth
	for _, values := range n.Content {
		row := map[string]string{}
		for i := 0; i+1 < len(values.Content); i += 2 {
			row[values.Content[i].Value] = values.Content[i+1].Value
		}
		if filled = fill(filled, row, &g); g.over {
			return nil, errors.New("the values of the examples come to too much")
		}
	}
	return filled, nil
}

func isPlaceholder(n *yaml.Node) bool {
	return strings.HasPrefix(n.Value, "${") && strings.Index(n.Value, "}") == len(n.Value)-1
}

func (f *ruleFile) readRule(n *yaml.Node) *Rule {
	r := &Rule{file: f.name, Node: n}
	var decidedBy Located[string]
	before := len(f.errors)
	known := f.mapping(n, "a rule", func(key string, value *yaml.Node) bool {
		switch key {
		case "id":
			r.ID, r.Node = f.scalar(value), value
			if !isID(r.ID) {
				f.fail(value, "the id of a rule is %q: write it with letters, digits, - . and _ alone, as overlays and options name it", r.ID)
			}
		case "level":
			r.Level = f.level(value)
		case "on":
			r.On = f.syntax(value)
		case "context":
			r.Context = located(f.scalar(value), value)
		case "assert":
			r.Assert = located(f.scalar(value), value)
		case "btCodes":
			r.BTCodes = located(f.texts(value), value)
		case "fields":
			r.Fields = located(f.texts(value), value)
		case "message":
			r.Message = located(f.scalar(value), value)
		case "text":
			r.Text = f.scalar(value)
		case "variants":
			f.readVariants(r, value)
		case "examples":
			r.examples = f.examples(value)
		case "neverFires":
			r.NeverFires = f.scalar(value)
		case "effective":
			r.Effective = f.period(value)
		case "replaces":
			r.Replaces = f.scalar(value)
		case "decidedBy":
			decidedBy = located(f.decidedBy(value), value)
		default:
			return false
		}
		return true
	})
	if n.Kind != yaml.MappingNode {
		return nil
	}
	if decidedBy.Written() && r.Effective == (Period{}) {
		f.fail(decidedBy.Node, "decidedBy says which day decides whether the rule is in force, and the rule always is: give it effective, or remove decidedBy")
	}
	r.Effective.By = decidedBy.Value
	f.checkComplete(r, n, known)
	if len(f.errors) > before {
		return nil
	}
	return r
}

// checkComplete reports what is missing, unless it may be there under an unknown key, and
// what contradicts each other. Only btCodes and fields may be empty.
func (f *ruleFile) checkComplete(r *Rule, n *yaml.Node, known bool) {
	lacks := func(key string) {
		switch {
		case !known:
		case r.ID == "":
			f.fail(n, "the rule lacks the key %q", key)
		case key == "btCodes":
			f.fail(n, "rule %s lacks the key %q: name the terms that it is about, as in btCodes: [BT-10], or write btCodes: [] for a rule about elements that no term is", r.ID, key)
		default:
			f.fail(n, "rule %s lacks the key %q", r.ID, key)
		}
	}
	has := func(key string) bool {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return true
			}
		}
		return false
	}
	if r.ID == "" {
		lacks("id")
	}
	keys := []string{"level", "text", "message"}
	// A rule that says how several syntaxes decide it needs no form for the others: it does
	// not apply to them. One that is about a single syntax says so with "on".
	bySyntax := 0
	for i := range r.Variants {
		if r.Variants[i].Root == "" {
			bySyntax++
		}
	}
	if bySyntax < 2 {
		keys = append(keys, "context", "assert")
	}
	for _, key := range append(keys, "btCodes") {
		if !has(key) {
			lacks(key)
		}
	}
	if r.Context.Written() && r.Context.Value == "" {
		f.fail(n, "rule %s has an empty context: /invoice is the whole invoice", r.ID)
	}
	if r.Assert.Written() && r.Assert.Value == "" && r.Assert.Node.Style&yaml.TaggedStyle == 0 {
		f.fail(n, "rule %s has an empty assertion: write what is true of an invoice that is right", r.ID)
	}
	if r.Message.Written() && r.Message.Value == "" && r.Message.Node.Kind == yaml.ScalarNode {
		f.fail(n, "rule %s has an empty message: say what whoever wrote the invoice has to do", r.ID)
	}
	if has("text") && r.Text == "" {
		f.fail(n, "rule %s has an empty text: say what the rule demands", r.ID)
	}
	if r.NeverFires == "" {
		return
	}
	examples := r.Examples()
	if i := slices.IndexFunc(examples, func(e Example) bool { return e.Fires }); i >= 0 {
		f.fail(examples[i].Node, "rule %s has an example that fires, and neverFires says that it never does: remove one of them", r.ID)
	}
}

// isID reports whether a text may be the id of a rule: letters, digits, - . and _, and ${...} where a constant or
// a value of a row is filled in.
func isID(text string) bool {
	for text != "" {
		if _, behind, found := strings.Cut(text, "}"); found && strings.HasPrefix(text, "${") {
			text = behind
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._", r) {
			return false
		}
		text = text[size:]
	}
	return true
}

// levelCalled are levels by what other programs call them.
var levelCalled = map[string]Level{
	"error": Fatal, "err": Fatal, "critical": Fatal, "fehler": Fatal, "warn": Warning, "warnung": Warning, "info": Information, "note": Information, "hinweis": Information,
}

func (f *ruleFile) level(n *yaml.Node) Level {
	l := Level(f.scalar(n))
	if !slices.Contains(Levels, l) {
		f.fail(n, "unknown level %q: use one of %s%s", l, join(Levels), Meant(string(levelCalled[strings.ToLower(string(l))])))
	}
	return l
}

func (f *ruleFile) syntax(n *yaml.Node) model.Syntax {
	s := model.Syntax(f.scalar(n))
	if !slices.Contains(model.Syntaxes(), s) {
		f.fail(n, "unknown syntax %q: use one of %s", s, join(model.Syntaxes()))
	}
	return s
}

// readVariants reads what differs by syntax, or by document element.
func (f *ruleFile) readVariants(r *Rule, n *yaml.Node) {
	f.mapping(n, "variants", func(key string, value *yaml.Node) bool {
		v := Variant{Syntax: model.Syntax(key), Applies: true}
		if of, root := syntax.OfRoot(key); of != nil && len(of.Roots) > 1 {
			v.Syntax, v.Root = model.Syntax(of.ID), root.Element
		}
		if !slices.Contains(model.Syntaxes(), v.Syntax) {
			known := variantKeys()
			f.fail(value, "unknown syntax or document element %q: use one of %s%s", key, strings.Join(known, ", "), Meant(nearest.Of(key, known)))
			return true
		}
		f.mapping(value, "a variant", func(key string, value *yaml.Node) bool {
			if v.Root != "" && slices.Contains([]string{"context", "assert", "fields", "message"}, key) {
				f.fail(value, "a variant for a document element has level or applies, and not %s: write it for a syntax", key)
				return true
			}
			switch key {
			case "applies":
				v.Applies = f.scalar(value) != "false"
			case "level":
				v.Level = f.level(value)
			case "context":
				v.Context = located(f.scalar(value), value)
			case "assert":
				v.Assert = located(f.scalar(value), value)
			case "fields":
				v.Fields = located(f.texts(value), value)
			case "message":
				v.Message = located(f.scalar(value), value)
			case "reason":
				v.Reason = f.scalar(value)
			default:
				return false
			}
			return true
		})
		if v.Reason == "" {
			f.fail(value, "the %s variant of rule %s needs a reason", key, r.ID)
		}
		r.Variants = append(r.Variants, v)
		return true
	})
}

// variantKeys are the syntaxes, and the document elements of those that have several.
func variantKeys() (keys []string) {
	for _, s := range model.Syntaxes() {
		keys = append(keys, string(s))
		if of := syntax.Named(string(s)); len(of.Roots) > 1 {
			for _, root := range of.Roots {
				keys = append(keys, root.Element)
			}
		}
	}
	return keys
}

// examples reads the examples of a rule, at once where they may hold mistakes. The store
// has those that were read before; validation needs none of them.
func (f *ruleFile) examples(n *yaml.Node) func() []Example {
	stored, later := strictyaml.Later(n)
	if !later {
		list := f.readExamples(n)
		return func() []Example { return list }
	}
	return sync.OnceValue(func() []Example {
		n, err := readLater(n, stored)
		if err != nil { // a damaged store: the check reports a rule without examples
			return nil
		}
		return f.readExamples(n)
	})
}

func (f *ruleFile) readExamples(n *yaml.Node) (examples []Example) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "examples must be a list")
		return nil
	}
	for item := range f.items(n) {
		e := Example{Node: item}
		outcome := ""
		known := f.mapping(item, "an example", func(key string, value *yaml.Node) bool {
			switch key {
			case "passes", "fires":
				outcome += key
				e.Fires = key == "fires"
				if value.Kind == yaml.ScalarNode {
					e.Base = value.Value
				} else {
					e.Changes = f.changes(value)
				}
			case "base":
				e.Base = f.scalar(value)
			case "in":
				e.Syntax = f.syntax(value)
			default:
				return false
			}
			return true
		})
		if outcome != "passes" && outcome != "fires" && known {
			f.fail(item, "an example says either passes or fires")
		}
		examples = append(examples, e)
	}
	return examples
}

// changes reads what an example changes.
func (f *ruleFile) changes(n *yaml.Node) []Change {
	var set map[string]any
	if err := n.Decode(&set); err != nil {
		f.fail(n, "an example is the name of a base invoice or the fields to change in it")
		return nil
	}
	changes := make([]Change, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		changes = append(changes, Change{n.Content[i].Value, n.Content[i+1]})
	}
	return changes
}

func join[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = string(list[i])
	}
	return strings.Join(texts, ", ")
}
