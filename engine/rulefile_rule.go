package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/model"
	"einvoice/model/nearest"
	"einvoice/model/syntax"

	"gopkg.in/yaml.v3"
)

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
