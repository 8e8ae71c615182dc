package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model/numeral"
	"einvoice/service/importer/schematron"
	"einvoice/service/importer/xpath2"
)

// Options say how an artefact is read.
type Options struct {
	Phase     string              // of a Schematron; "" for its default, or all patterns
	Functions map[string]string   // of the artefact, in CEL, with $1 and $2 for the arguments
	CodeLists map[string][]string // that there are: assertions ask them where they hold the same codes
	Lists     string              // what the names of new code lists begin with
	Leave     func(id string) bool
	Structure *xpath.Structure // what documents can have
}

// A Translation is what became of an artefact.
type Translation struct {
	Rules     []*Rule
	CodeLists []CodeList
	Refused   []Refusal
	// NeverFire are rules that an earlier rule of their pattern hides, or whose context
	// names what no document has.
	NeverFire []Refusal
	Asserts   int    // that were looked at
	Phase     string // whose patterns alone were; "" for all
}

// A Rule is a translated rule of one syntax.
type Rule struct {
	ID, Level string
	Syntax    string
	Context   string
	Assert    string
	Lines     []int
}

// A Refusal says why an assert was not translated.
type Refusal struct {
	ID, File string
	Line     int
	Reason   string
	Test     string
}

// Import translates an artefact.
func Import(fsys fs.FS, file string, o Options) (*Translation, error) {
	sheet, err := schematron.Read(fsys, file, o.Phase)
	if err != nil {
		return nil, err
	}
	i := &importing{file: file, options: o, sheet: sheet, out: &Translation{Phase: sheet.Phase}, levels: map[ruleKey]string{}}
	i.t = newTranslator(o)
	for prefix, uri := range sheet.Prefixes {
		if ours, known := prefixOf(uri); known {
			i.t.prefixes[prefix] = ours
		}
	}
	i.declare()
	for _, p := range sheet.Patterns {
		i.pattern(p)
	}
	i.out.Rules = merged(i.rules)
	i.out.CodeLists = i.t.lists.lists
	return i.out, nil
}

func newTranslator(o Options) *translator {
	t := &translator{
		prefixes: map[string]string{}, functions: map[string]*function{}, globals: map[string]*variable{},
		structure: o.Structure, at: map[string]xpath.Places{}, followed: map[string]followed{},
		lists: &codeLists{prefix: cmp.Or(o.Lists, "imported"), names: map[string]string{}, known: map[string]string{}},
	}
	for name, codes := range o.CodeLists {
		if key := keyOf(codes); t.lists.known[key] == "" || name < t.lists.known[key] {
			t.lists.known[key] = name
		}
	}
	return t
}

type importing struct {
	file    string
	options Options
	sheet   *schematron.Sheet
	t       *translator
	out     *Translation
	rules   []*form
	levels  map[ruleKey]string
}

// A ruleKey names a rule: two syntaxes have one each of an id.
type ruleKey struct{ syntax, id string }

// declare reads the variables and functions of the artefact.
func (i *importing) declare() {
	i.t.globals = rootVariables(nil, i.sheet.Variables)
	for _, f := range i.sheet.Functions {
		i.t.functions[f.Name] = functionOf(f)
	}
	for name, cel := range i.options.Functions {
		i.t.functions[name] = &function{cel: cel}
	}
}

// rootVariables are variables that are evaluated at the document, in place of those of the same
// names that there are already.
func rootVariables(there map[string]*variable, more []schematron.Variable) map[string]*variable {
	all := map[string]*variable{}
	maps.Copy(all, there)
	for _, v := range more {
		all[v.Name] = variableOf(v, &scope{atRoot: true, variables: all})
	}
	return all
}

func functionOf(f *schematron.Function) *function {
	out := &function{parameters: f.Parameters}
	if f.Result == "" {
		out.why = "is more than one expression"
		return out
	}
	var err error
	if out.result, err = xpath2.Parse(f.Result); err != nil {
		out.why = "cannot be read (" + err.Error() + ")"
	}
	for _, v := range f.Variables {
		node, err := xpath2.Parse(v.Select)
		if err != nil {
			out.why = "cannot be read (" + err.Error() + ")"
		}
		out.variables = append(out.variables, namedNode{v.Name, node})
	}
	return out
}

// A form is one assert of the artefact, translated.
type form struct {
	key    ruleKey
	level  string
	places []string
	assert func(element string) term
	line   int
}

func (i *importing) pattern(p *schematron.Pattern) {
	variables := rootVariables(i.t.globals, p.Variables) // seen in this pattern alone
	var before []*place
	unread := ""
	for _, r := range p.Rules {
		node, err := xpath2.Parse(r.Context)
		var places []*place
		if err == nil {
			err = caught(func() { places = i.t.places(node, &scope{variables: variables}) })
		}
		if err == nil && unread != "" {
			err = fmt.Errorf("%s comes first in its pattern, and its context is not translated", unread)
		}
		if err != nil {
			for _, a := range r.Asserts {
				i.refuse(a, "context "+r.Context+": "+reason(err))
			}
			if unread == "" {
				unread = fmt.Sprintf("the rule in line %d", r.Line)
			}
			continue
		}
		contexts := i.exclusive(before, places, variables)
		before = append(before, places...)
		for _, a := range r.Asserts {
			i.assert(a, contexts, node.Op == xpath2.Path && node.Root && len(node.Steps) == 0, variables)
		}
	}
}

func reason(err error) string {
	if at, ok := errors.AsType[*xpath2.Error](err); ok {
		return fmt.Sprintf("column %d: %s", at.Column, at.Message)
	}
	if at, ok := errors.AsType[*refusal](err); ok {
		return fmt.Sprintf("column %d: %s", at.column, at.reason)
	}
	return err.Error()
}

// A context is where a rule looks: a path, a condition that paths cannot say, and the syntaxes whose
// documents have such elements.
type context struct {
	path     string
	guard    func(element string) term // nil for none
	syntaxes []string
}

func pathsOf(contexts []context) []string {
	paths := make([]string, len(contexts))
	for n, c := range contexts {
		paths[n] = c.path
	}
	return paths
}

// exclusive are the contexts of places without what earlier places of the pattern take; none where
// they take everything.
func (i *importing) exclusive(before, places []*place, variables map[string]*variable) (contexts []context) {
	for _, p := range places {
		var more []string
		var guarded []*place // earlier ones, which take the node where their guards hold
		hidden := false
		for _, earlier := range before {
			switch i.relation(earlier, p) {
			case contains:
				hidden = true
			case overlap:
				if len(earlier.guard) > 0 {
					guarded = append(guarded, earlier)
					continue
				}
				if c := "not(" + earlier.taken() + ")"; !slices.Contains(more, c) {
					more = append(more, c)
				}
			}
		}
		if hidden {
			continue
		}
		c := context{path: p.text(more), syntaxes: i.syntaxesOf(p)}
		own := p.guard
		if len(own)+len(guarded) > 0 {
			c.guard = func(element string) term {
				s := &scope{variables: variables}
				var all []term
				for _, g := range own {
					all = append(all, i.t.holds(g, element, s))
				}
				for _, earlier := range guarded {
					var taken []term
					if bare := (&place{earlier.steps, earlier.tests, earlier.anchored, earlier.conds, nil}); bare.against(p) != contains {
						taken = append(taken, call("%s.has(%s)", element, quoted("self::*["+earlier.taken()+"]")))
					}
					for _, g := range earlier.guard {
						taken = append(taken, i.t.holds(g, element, s))
					}
					all = append(all, negated(joined("&&", taken...)))
				}
				return joined("&&", all...)
			}
		}
		contexts = append(contexts, c)
	}
	return contexts
}

// The syntaxes whose documents rules are about.
const (
	ubl = "ubl"
	cii = "cii"
)

var syntaxes = []string{ubl, cii}

// syntaxOfPrefix is the syntax that has the names of a prefix; UBL also those of its extensions.
func syntaxOfPrefix(prefix string) string {
	switch prefix {
	case "rsm", "ram", "udt", "qdt":
		return cii
	}
	return ubl
}

// syntaxesOf are the syntaxes of a place: that of its names; where it names nothing, those that the
// artefact has names of.
func (i *importing) syntaxesOf(p *place) []string {
	for _, test := range p.tests {
		if prefix, _, named := strings.Cut(test, ":"); named {
			return []string{syntaxOfPrefix(prefix)}
		}
	}
	declared := map[string]bool{}
	for _, prefix := range i.t.prefixes {
		declared[syntaxOfPrefix(prefix)] = true
	}
	if len(declared) == 1 && declared[ubl] {
		return syntaxes[:1]
	}
	if len(declared) == 1 {
		return syntaxes[1:]
	}
	return syntaxes
}

// relation is what two places have in common; elements that documents have in different
// places are apart.
func (i *importing) relation(earlier, later *place) relation {
	a, _ := i.t.follow(alternative{path: earlier.text(nil)})
	b, _ := i.t.follow(alternative{path: later.text(nil)})
	if a != nil && b != nil {
		shared := false
		for e := range a {
			shared = shared || b[e]
		}
		if !shared {
			return apart
		}
	}
	return earlier.against(later)
}

func (i *importing) refuse(a *schematron.Assert, reason string) {
	if i.options.Leave != nil && i.options.Leave(a.ID) {
		return
	}
	i.out.Asserts++
	i.out.Refused = append(i.out.Refused, Refusal{a.ID, i.file, a.Line, reason, a.Test})
}

var levels = map[string]string{"fatal": "fatal", "error": "fatal", "warning": "warning", "warn": "warning", "information": "information", "info": "information"}

func (i *importing) assert(a *schematron.Assert, contexts []context, document bool, variables map[string]*variable) {
	if a.ID == "" {
		i.refuse(a, "it has no id: a rule of ours needs one")
		return
	}
	if i.options.Leave != nil && i.options.Leave(a.ID) {
		return
	}
	level, known := levels[strings.ToLower(cmp.Or(a.Level, "fatal"))]
	if !known {
		i.refuse(a, fmt.Sprintf("its level %q is none of ours", a.Level))
		return
	}
	test, err := xpath2.Parse(a.Test)
	if err != nil {
		i.refuse(a, reason(err))
		return
	}
	if len(contexts) == 0 {
		i.out.Asserts++
		i.out.NeverFire = append(i.out.NeverFire, Refusal{a.ID, i.file, a.Line, "an earlier rule of its pattern takes every node of its context, or no document has such an element", a.Test})
		return
	}
	translate := func(element string) term {
		s := (&scope{variables: maps.Clone(variables)}).inside(elementValue(element))
		s.atRoot = document
		for _, v := range a.Variables {
			s = s.with(v.Name, variableOf(v, s))
		}
		c := i.t.condition(test, s)
		if a.Report {
			c = negated(c)
		}
		return c
	}
	var forms []*form
	for _, syntax := range syntaxes {
		key := ruleKey{syntax, a.ID}
		var of []context
		for _, c := range contexts {
			if slices.Contains(c.syntaxes, syntax) {
				of = append(of, c)
			}
		}
		if other := i.levels[key]; other != "" && other != level && len(of) > 0 {
			i.refuse(a, fmt.Sprintf("its level is %s, and that of another assert with its id is %s: a rule has one; give them different ids", level, other))
			return
		}
		for _, part := range i.alike(of) {
			f := &form{key: key, level: level, places: part.contexts, line: a.Line}
			f.assert = func(element string) term {
				i.t.next = 0
				i.t.settle(element, f.places)
				if part.guard == nil {
					return translate(element)
				}
				asked := part.guard(element)
				i.t.next += 100 // variables of the condition have other names
				return joined("||", negated(asked), translate(element))
			}
			forms = append(forms, f)
		}
	}
	for _, c := range pathsOf(contexts) { // with what earlier rules take, as no rule would load with it
		if i.t.nowhere(c) {
			i.refuse(a, "its context without the nodes of earlier rules names what no document has: "+c)
			return
		}
	}
	for _, f := range forms {
		size := 0
		if err := caught(func() { size = len(f.assert("this").text) }); err != nil {
			i.refuse(a, reason(err))
			return
		}
		if size > longest {
			i.refuse(a, fmt.Sprintf("its translation has %s, and a rule at most %d", numeral.Count(size, "character"), longest))
			return
		}
	}
	i.out.Asserts++
	i.rules = append(i.rules, forms...)
	for _, f := range forms {
		i.levels[f.key] = level
	}
}

const longest = 100_000 // characters of an assertion that loads

// A part is contexts with the same condition, which the assertion asks.
type part struct {
	contexts []string
	guard    func(element string) term
	asked    string
}

// alike are contexts by the conditions that paths cannot say.
func (i *importing) alike(contexts []context) []*part {
	var parts []*part
	for _, c := range contexts {
		asked := ""
		if c.guard != nil {
			i.t.next = 0
			i.t.settle("this", []string{c.path})
			if err := caught(func() { asked = c.guard("this").text }); err != nil {
				asked = "refused " + err.Error()
			}
		}
		at := slices.IndexFunc(parts, func(p *part) bool { return p.asked == asked })
		if at < 0 {
			at = len(parts)
			parts = append(parts, &part{guard: c.guard, asked: asked})
		}
		parts[at].contexts = append(parts[at].contexts, c.path)
	}
	return parts
}

// settle says that an element is at one of these contexts.
func (t *translator) settle(element string, contexts []string) {
	all := make(alternatives, 0, len(contexts))
	for _, c := range contexts {
		all = append(all, alternative{path: c})
	}
	t.place(element, all)
}

// merged are rules with one form for each id of a syntax: several asserts with an id are one rule,
// which looks from the document at the places of each.
func merged(all []*form) []*Rule {
	byKey := map[ruleKey][]*form{}
	var keys []ruleKey
	for _, f := range all {
		if byKey[f.key] == nil {
			keys = append(keys, f.key)
		}
		byKey[f.key] = append(byKey[f.key], f)
	}
	var rules []*Rule
	for _, key := range keys {
		forms := byKey[key]
		r := &Rule{ID: key.id, Level: forms[0].level, Syntax: key.syntax, Context: strings.Join(forms[0].places, " | ")}
		asserts := []term{forms[0].assert("this")}
		alike := true
		for _, f := range forms {
			r.Lines = append(r.Lines, f.line)
			alike = alike && slices.Equal(f.places, forms[0].places)
		}
		switch {
		case alike:
			for _, f := range forms[1:] {
				asserts = append(asserts, f.assert("this"))
			}
		default:
			asserts = nil
			for n, f := range forms {
				element := fmt.Sprintf("x%d", n+1)
				asserts = append(asserts, call("this.elements(%s).all(%s, %s)", quoted(strings.Join(f.places, " | ")), element, f.assert(element).text))
			}
			r.Context = map[string]string{ubl: "/ubl:Invoice | /cn:CreditNote", cii: "/rsm:CrossIndustryInvoice"}[r.Syntax]
		}
		r.Assert = joined("&&", asserts...).text
		rules = append(rules, r)
	}
	return rules
}

// Joined has a rule that several files say alike once for each syntax. What they say otherwise
// of one syntax is refused: no rule has two forms for it.
func Joined(rules []*Rule) (joined []*Rule, refused []Refusal) {
	at := map[ruleKey]*Rule{}
	for _, r := range rules {
		key := ruleKey{r.Syntax, r.ID}
		switch first := at[key]; {
		case first == nil:
			at[key] = r
			joined = append(joined, r)
		case first.Context != r.Context || first.Assert != r.Assert || first.Level != r.Level:
			line := 0
			if len(r.Lines) > 0 {
				line = r.Lines[0]
			}
			refused = append(refused, Refusal{ID: r.ID, Line: line, Reason: "two files say it otherwise for one syntax: import them as two rulesets", Test: r.Assert})
		}
	}
	return joined, refused
}
