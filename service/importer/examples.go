package importer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/xpath"
	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// An Example is a document that a rule accepts or refuses: what to change in a base document.
type Example struct {
	Base    string // "" for base
	Changes [][2]string
	Null    []bool // of changes: the element is removed
}

// A Prover makes documents out of what rules ask for.
type Prover struct {
	Library   *engine.Library
	Read      ruletest.ReadDocument
	Structure *xpath.Structure
	Tries     int

	validators map[*engine.Rule]*engine.Validator
}

// validator runs one rule.
func (p *Prover) validator(r *engine.Rule) *engine.Validator {
	if p.validators == nil {
		p.validators = map[*engine.Rule]*engine.Validator{}
	}
	if p.validators[r] == nil {
		p.validators[r] = p.Library.ValidatorOf(r)
	}
	return p.validators[r]
}

var (
	texts1        = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	textsInPaths  = regexp.MustCompile(`'([^']*)'`)
	numbersIn     = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)
	comparisonsIn = regexp.MustCompile(`([@A-Za-z][\w:/@.-]*) ?= ?'([^']*)'`)
	pathsIn       = regexp.MustCompile(`\.(?:text|texts|has|count|elements|total)\("((?:[^"\\]|\\.)*)"`)
	equalIn       = regexp.MustCompile(`\.texts?\("((?:[^"\\]|\\.)*)"\)(?:\.\w+\(\))*(?:\.exists\((\w+), (\w+))? (?:==|in) \[?"([^"]*)"`)
	countsIn      = regexp.MustCompile(`\.count\("((?:[^"\\]|\\.)*)"\) (?:<=|<|==|>|>=|!=) ([0-9]+)`)
	nestedIn      = regexp.MustCompile(`([@\w:/.-]+) \.='([^']*)'`)
	normalizedIn  = regexp.MustCompile(`normalize-space\(([^()]*)\)`)
)

// A seed is what changes are made of.
type seed struct {
	base     string
	contexts []string      // paths below the root of what the rule selects
	many     []string      // paths with the position of one more than a rule allows
	fixed    [][][2]string // of each: values that its conditions name
	paths    []string
	values   []string
	pairs    [][2]string // paths with values that conditions name
}

// Examples looks for a document of a syntax that a rule refuses and one that it accepts; nil
// where it found none.
func (p *Prover) Examples(r *engine.Rule, syntax model.Syntax) (fires, passes *Example) {
	form, ok := r.Form(syntax)
	if !ok {
		return nil, nil
	}
	bases := map[model.Syntax][][2]string{model.UBL: {{"base", "ubl:Invoice"}, {"credit-note", "cn:CreditNote"}}, model.CII: {{"base", "rsm:CrossIndustryInvoice"}}}[syntax]
	random := rand.New(rand.NewPCG(1, 2))
	for _, b := range bases {
		s := p.seed(form, b[0], b[1])
		if len(s.contexts) == 0 {
			continue
		}
		for n := range p.Tries {
			e := s.example(random, n)
			switch p.decides(r, syntax, e) {
			case "fires":
				if fires == nil {
					fires = p.smallest(r, syntax, e, "fires")
				}
			case "passes":
				if passes == nil && len(e.Changes) > 0 {
					passes = p.smallestThatSelects(r, syntax, e)
				}
			}
			if fires != nil && passes != nil {
				return fires, passes
			}
		}
	}
	if passes == nil {
		if e := (&Example{}); p.decides(r, syntax, e) == "passes" {
			passes = e
		}
	}
	return fires, passes
}

// seed gathers what the rule names.
func (p *Prover) seed(form engine.Form, base, root string) *seed {
	s := &seed{base: base}
	where, assert := form.Context.Value, form.Assert.Value
	s.values = []string{"", "A", "A B", "0", "1", "-1", "0.001", "1.2345", "12345678901234567890.5", "2026-01-15", "2026-02-30", "1890-01-01", "2200-01-01", "EUR", "USD", "VAT", "380", "381"}
	for _, m := range texts1.FindAllStringSubmatch(assert, -1) {
		if len(m[1]) < 200 && !strings.ContainsAny(m[1], "/^\\[") {
			s.values = append(s.values, m[1])
		}
	}
	for _, m := range textsInPaths.FindAllStringSubmatch(where+" "+assert, -1) {
		s.values = append(s.values, m[1])
	}
	for _, m := range numbersIn.FindAllString(assert, -1) {
		s.values = append(s.values, m)
		if n := len(m); n < 5 {
			length := 0
			for _, c := range m {
				length = length*10 + int(c-'0')
			}
			if length > 3 && length < 6000 && !strings.Contains(m, ".") {
				s.values = append(s.values, strings.Repeat("x", length), strings.Repeat("x", length+1), strings.Repeat("1", min(length+1, 40)))
			}
		}
	}
	for _, place := range splitUnion(where) {
		way, ok := p.way(place, root)
		if !ok {
			continue
		}
		s.contexts = append(s.contexts, way)
		s.fixed = append(s.fixed, pairsOf(place, way))
		for _, m := range equalIn.FindAllStringSubmatch(assert, -1) {
			for _, path := range splitUnion(m[1]) {
				if absolute, ok := p.way(path, root); ok {
					s.pairs = append(s.pairs, [2]string{absolute, m[4]})
				} else if !strings.HasPrefix(path, "/") {
					s.pairs = append(s.pairs, [2]string{relative(way, bare(path)), m[4]})
				}
			}
		}
		for _, m := range pathsIn.FindAllStringSubmatch(assert, -1) {
			for _, path := range splitUnion(m[1]) {
				from := way
				if strings.HasPrefix(path, "/") {
					if absolute, ok := p.way(path, root); ok {
						s.paths = append(s.paths, absolute)
						s.pairs = append(s.pairs, pairsOf(path, absolute)...)
					}
					continue
				}
				full := relative(from, bare(path))
				s.paths = append(s.paths, full)
				s.pairs = append(s.pairs, pairsOf(path, full)...)
			}
		}
		for _, m := range countsIn.FindAllStringSubmatch(assert, -1) {
			if most, err := strconv.Atoi(m[2]); err == nil && most < 5000 {
				s.many = append(s.many, fmt.Sprintf("%s[%d]", relative(way, bare(m[1])), most+1))
			}
		}
		// what loops ask of elements that they go through
		for _, outer := range slices.Clone(s.paths) {
			for _, m := range pathsIn.FindAllStringSubmatch(assert, -1) {
				if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "..") && len(s.paths) < 200 {
					if full := relative(outer, bare(m[1])); p.possible(root, full) {
						s.paths = append(s.paths, full)
						s.pairs = append(s.pairs, pairsOf(m[1], full)...)
					}
				}
			}
		}
	}
	s.paths = slices.DeleteFunc(s.paths, func(path string) bool {
		return strings.Contains(path, "*") || path == "" || strings.Contains(path, "::")
	})
	slices.Sort(s.paths)
	s.paths = slices.Compact(s.paths)
	return s
}

func (p *Prover) possible(root, path string) bool {
	u, err := xpath.ParseRelative("/" + root + "/" + path)
	if err != nil {
		return false
	}
	_, err = p.Structure.Follow(nil, u.Paths)
	return err == nil
}

// splitUnion are the paths that | joins outside of predicates.
func splitUnion(s string) (all []string) {
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '|':
			if depth == 0 {
				all = append(all, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(all, strings.TrimSpace(s[from:]))
}

// way is a context or absolute path as the path below a root.
func (p *Prover) way(place, root string) (string, bool) {
	path := bare(place)
	switch {
	case path == "/"+root || path == "/*" || path == "//"+root:
		return "", true
	case strings.HasPrefix(path, "/"+root+"/"):
		path = strings.TrimPrefix(path, "/"+root+"/")
	case strings.HasPrefix(path, "/*/"):
		path = strings.TrimPrefix(path, "/*/")
	case strings.HasPrefix(path, "//*"):
		return "", false
	case strings.HasPrefix(path, "//"):
		first, rest, more := strings.Cut(strings.TrimPrefix(path, "//"), "/")
		way, ok := p.Structure.Shortest(root, first)
		if !ok {
			return "", false
		}
		path = strings.Join(way, "/")
		if more {
			path += "/" + rest
		}
	default:
		return "", false
	}
	if before, after, found := strings.Cut(path, "//"); found {
		last := before[strings.LastIndex(before, "/")+1:]
		way, ok := p.Structure.Shortest(root, strings.SplitN(after, "/", 2)[0])
		if !ok {
			return "", false
		}
		at := slices.Index(way, last)
		if at < 0 {
			return "", false
		}
		path = before + "/" + strings.Join(way[at+1:], "/") + strings.TrimPrefix(after, way[len(way)-1])
	}
	return path, p.possible(root, path)
}

// relative is a path from another, below the root.
func relative(from, path string) string {
	var steps []string
	if from != "" {
		steps = strings.Split(from, "/")
	}
	for _, s := range strings.Split(strings.ReplaceAll(strings.TrimPrefix(path, ".//"), "//", "/"), "/") {
		switch {
		case s == "." || s == "":
		case s == "..":
			steps = steps[:max(0, len(steps)-1)]
		default:
			steps = append(steps, s)
		}
	}
	return strings.Join(steps, "/")
}

// pairsOf are the values that conditions along a path name.
func pairsOf(path, way string) (pairs [][2]string) {
	path = normalizedIn.ReplaceAllString(path, "$1")
	path = strings.ReplaceAll(strings.ReplaceAll(path, " = ", "="), "()", "")
	depth := 0
	var outside, inside strings.Builder
	steps := strings.Split(way, "/")
	at := func() string {
		// the step that the conditions belong to, by its name from the end
		names := strings.FieldsFunc(outside.String(), func(r rune) bool { return r == '/' })
		if len(names) == 0 {
			return way
		}
		for i := len(steps) - 1; i >= 0; i-- {
			if steps[i] == names[len(names)-1] {
				return strings.Join(steps[:i+1], "/")
			}
		}
		return way
	}
	for _, c := range path {
		switch {
		case c == '[':
			depth++
			inside.WriteByte(' ')
		case c == ']':
			if depth--; depth == 0 {
				for _, m := range comparisonsIn.FindAllStringSubmatch(inside.String(), -1) {
					pairs = append(pairs, [2]string{relative(at(), m[1]), m[2]})
				}
				for _, m := range nestedIn.FindAllStringSubmatch(inside.String(), -1) {
					pairs = append(pairs, [2]string{relative(at(), m[1]), m[2]})
				}
				if m := regexp.MustCompile(`(?:^| )\.='([^']*)'`).FindStringSubmatch(inside.String()); m != nil {
					pairs = append(pairs, [2]string{at(), m[1]})
				}
				inside.Reset()
			}
		case depth > 0:
			inside.WriteRune(c)
		default:
			outside.WriteRune(c)
		}
	}
	return pairs
}

// example makes the changes of one try.
func (s *seed) example(random *rand.Rand, n int) *Example {
	e := &Example{}
	if s.base != "base" {
		e.Base = s.base
	}
	set := func(path, value string, null bool) {
		if path == "" || strings.Contains(path, "*") || strings.Contains(path, "::") || strings.Contains(path, "//") {
			return
		}
		for i := range e.Changes {
			if e.Changes[i][0] == path {
				e.Changes[i][1], e.Null[i] = value, null
				return
			}
		}
		e.Changes, e.Null = append(e.Changes, [2]string{path, value}), append(e.Null, null)
	}
	c := random.IntN(len(s.contexts))
	place := s.contexts[c]
	value := func() string { return s.values[random.IntN(len(s.values))] }
	if place != "" && n%4 != 3 {
		if n%2 == 0 {
			set(place, value(), false)
		}
		for _, pair := range s.fixed[c] {
			if random.IntN(8) > 0 {
				set(pair[0], pair[1], false)
			}
		}
	}
	for range random.IntN(4) {
		if len(s.paths) > 0 {
			set(s.paths[random.IntN(len(s.paths))], value(), random.IntN(4) == 0)
		}
	}
	if len(s.many) > 0 && n%3 == 0 {
		set(s.many[random.IntN(len(s.many))], "x", false)
	}
	for range random.IntN(5) {
		if len(s.pairs) > 0 {
			pair := s.pairs[random.IntN(len(s.pairs))]
			set(pair[0], pair[1], false)
		}
	}
	return e
}

func (e *Example) engineExample(fires bool, syntax model.Syntax) *engine.Example {
	out := &engine.Example{Fires: fires, Syntax: syntax, Base: e.Base, Node: &yaml.Node{}}
	for i, c := range e.Changes {
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: c[1]}
		if e.Null[i] {
			n.Tag, n.Value = "!!null", "null"
		}
		out.Changes = append(out.Changes, engine.Change{Path: c[0], Value: n})
	}
	return out
}

// decides runs a rule on an example: fires, passes, or "" where it cannot be decided.
func (p *Prover) decides(r *engine.Rule, syntax model.Syntax, e *Example) string {
	doc, err := ruletest.Document(p.Library, r, e.engineExample(false, syntax), p.Read)
	if err != nil {
		return ""
	}
	report, err := p.validator(r).Validate(context.Background(), doc)
	switch {
	case err != nil || len(report.Findings) > 0 && report.Findings[0].Failed:
		return ""
	case len(report.Findings) > 0:
		return "fires"
	}
	return "passes"
}

// smallest leaves out what the result does not need.
func (p *Prover) smallest(r *engine.Rule, syntax model.Syntax, e *Example, want string) *Example {
	for i := 0; i < len(e.Changes); {
		shorter := &Example{Base: e.Base, Changes: slices.Delete(slices.Clone(e.Changes), i, i+1), Null: slices.Delete(slices.Clone(e.Null), i, i+1)}
		if p.decides(r, syntax, shorter) == want {
			e = shorter
		} else {
			i++
		}
	}
	return e
}

// smallestThatSelects leaves out what is not needed for the rule to look at something: what
// is left refuses with an assertion that is always false.
func (p *Prover) smallestThatSelects(r *engine.Rule, syntax model.Syntax, e *Example) *Example {
	never := r.Clone()
	never.Assert.Value = "false"
	for i := range never.Variants {
		if never.Variants[i].Assert.Written() {
			never.Variants[i].Assert.Value = "false"
		}
	}
	if p.decides(never, syntax, e) != "fires" {
		return nil
	}
	for i := 0; i < len(e.Changes); {
		shorter := &Example{Base: e.Base, Changes: slices.Delete(slices.Clone(e.Changes), i, i+1), Null: slices.Delete(slices.Clone(e.Null), i, i+1)}
		if p.decides(r, syntax, shorter) == "passes" && p.decides(never, syntax, shorter) == "fires" {
			e = shorter
		} else {
			i++
		}
	}
	return e
}
