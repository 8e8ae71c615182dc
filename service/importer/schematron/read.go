package schematron

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	spaceISO  = "http://purl.oclc.org/dsdl/schematron"
	spaceOld  = "http://www.ascc.net/xml/schematron"
	spaceXSLT = "http://www.w3.org/1999/XSL/Transform"
	spaceSVRL = "http://purl.oclc.org/dsdl/svrl"
)

// AllPatterns is the phase of all patterns of a Schematron.
const AllPatterns = "#ALL"

// Read reads an artefact and what it includes. A phase chooses patterns of a Schematron; "" is the
// one that it says to be its default, and all patterns where it says none.
func Read(fsys fs.FS, file, phase string) (*Sheet, error) {
	root, err := open(fsys, file)
	if err != nil {
		return nil, err
	}
	switch {
	case root.space == spaceXSLT && (root.local == "stylesheet" || root.local == "transform"):
		if phase != "" {
			return nil, &Error{file, root.line, "a compiled stylesheet has no phases: leave --phase out"}
		}
		return readXSLT(file, root)
	case (root.space == spaceISO || root.space == spaceOld) && root.local == "schema":
		r := &reader{fsys: fsys, space: root.space}
		return r.read(file, root, phase)
	}
	return nil, &Error{file, root.line, fmt.Sprintf("its document element is %s: give a Schematron (schema) or the XSLT that one was compiled to (stylesheet)", root.local)}
}

func open(fsys fs.FS, file string) (*element, error) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

// readXSLT reads what compilers of Schematron write: a template for each rule, with the mode
// of its pattern, in which the greater priority comes first.
func readXSLT(file string, root *element) (*Sheet, error) {
	s := &Sheet{Prefixes: map[string]string{}}
	for _, a := range root.attrs {
		if a.Name.Space == "xmlns" {
			s.Prefixes[a.Name.Local] = a.Value
		}
	}
	type ranked struct {
		*Rule
		priority float64
	}
	byMode := map[string][]ranked{}
	var modes []string
	for _, e := range root.children {
		switch {
		case e.space != spaceXSLT:
		case (e.local == "variable" || e.local == "param") && e.attr("select") != "":
			s.Variables = append(s.Variables, Variable{e.attr("name"), e.attr("select"), e.line})
		case e.local == "function":
			s.Functions = append(s.Functions, functionOf(e))
		case e.local == "template" && e.attr("match") != "":
			rule := &Rule{Context: e.attr("match"), Line: e.line}
			if !ruleOf(e, rule, nil) {
				continue
			}
			priority, err := strconv.ParseFloat(cmp.Or(e.attr("priority"), "0"), 64)
			if err != nil {
				return nil, &Error{file, e.line, fmt.Sprintf("the priority %q is not a number", e.attr("priority"))}
			}
			mode := e.attr("mode")
			if byMode[mode] == nil {
				modes = append(modes, mode)
			}
			byMode[mode] = append(byMode[mode], ranked{rule, priority})
		}
	}
	for _, mode := range modes {
		slices.SortStableFunc(byMode[mode], func(a, b ranked) int { return cmp.Compare(b.priority, a.priority) })
		p := &Pattern{Name: mode}
		for _, r := range byMode[mode] {
			p.Rules = append(p.Rules, r.Rule)
		}
		s.Patterns = append(s.Patterns, p)
	}
	if len(s.Patterns) == 0 {
		return nil, &Error{file, root.line, "no template of it reports failed asserts: it is not compiled from Schematron"}
	}
	return s, nil
}

// ruleOf reads the asserts of a template; false where it is none of a rule.
func ruleOf(e *element, rule *Rule, variables []Variable) bool {
	fired := false
	for _, c := range e.children {
		switch {
		case c.is(spaceSVRL, "fired-rule"):
			fired = true
		case c.is(spaceXSLT, "variable"):
			variables = append(variables, Variable{c.attr("name"), c.attr("select"), c.line})
		case c.is(spaceXSLT, "choose"):
			for _, when := range c.children {
				if failed := svrl(c, "failed-assert"); when.local == "when" && failed != nil {
					rule.add(failed, when.attr("test"), false, when.line, variables)
				}
			}
		case c.is(spaceXSLT, "if"):
			if reported := svrl(c, "successful-report"); reported != nil {
				rule.add(reported, c.attr("test"), true, c.line, variables)
			} else if failed := svrl(c, "failed-assert"); failed != nil {
				test, negated := strings.CutPrefix(strings.TrimSpace(c.attr("test")), "not(")
				if inside, closed := strings.CutSuffix(test, ")"); negated && closed {
					rule.add(failed, inside, false, c.line, variables)
				} else {
					rule.add(failed, c.attr("test"), true, c.line, variables)
				}
			}
		}
	}
	return fired
}

func (r *Rule) add(from *element, test string, report bool, line int, variables []Variable) {
	a := &Assert{Test: test, Report: report, Line: line, Variables: slices.Clone(variables)}
	read := map[string]string{}
	for _, at := range from.attrs {
		read[at.Name.Local] = at.Value
	}
	for _, c := range from.children {
		if c.is(spaceXSLT, "attribute") {
			read[c.attr("name")] = strings.TrimSpace(c.text)
		}
	}
	a.ID, a.Level = read["id"], cmp.Or(read["flag"], read["role"])
	r.Asserts = append(r.Asserts, a)
}

func svrl(in *element, local string) (found *element) {
	in.each(func(e *element) {
		if found == nil && e.is(spaceSVRL, local) {
			found = e
		}
	})
	return found
}

// functionOf reads a function of variables and one expression.
func functionOf(e *element) *Function {
	f := &Function{Name: e.attr("name"), Line: e.line}
	for _, c := range e.children {
		switch {
		case c.is(spaceXSLT, "param"):
			f.Parameters = append(f.Parameters, Parameter{c.attr("name"), c.attr("as")})
		case c.is(spaceXSLT, "variable") && c.attr("select") != "":
			f.Variables = append(f.Variables, Variable{c.attr("name"), c.attr("select"), c.line})
		case c.is(spaceXSLT, "variable") && len(c.children) == 0: // its text is its value
			f.Variables = append(f.Variables, Variable{c.attr("name"), literal(c.text), c.line})
		case (c.is(spaceXSLT, "sequence") || c.is(spaceXSLT, "value-of")) && f.Result == "":
			f.Result = c.attr("select")
		default:
			f.Result = ""
			return f
		}
	}
	return f
}

// A reader reads Schematron.
type reader struct {
	fsys  fs.FS
	space string
	sheet *Sheet
	depth int

	abstractPatterns map[string]*located
	abstractRules    map[string][]*located
	patterns         []*located
	phases           map[string]*phase
}

// A phase chooses patterns, and may say variables of its own.
type phase struct {
	active    []string
	variables []Variable
}

type located struct {
	*element
	file string
}

func (r *reader) read(file string, root *element, name string) (*Sheet, error) {
	r.sheet = &Sheet{Prefixes: map[string]string{}}
	r.abstractPatterns, r.abstractRules, r.phases = map[string]*located{}, map[string][]*located{}, map[string]*phase{}
	if err := r.collect(file, root); err != nil {
		return nil, err
	}
	name = cmp.Or(name, root.attr("defaultPhase"), AllPatterns)
	chosen := r.phases[name]
	switch {
	case chosen != nil:
		r.sheet.Phase = name
		r.sheet.Variables = append(r.sheet.Variables, chosen.variables...)
	case name != AllPatterns:
		return nil, &Error{file, root.line, fmt.Sprintf("it has no phase %q; there are %s", name, strings.Join(append(slices.Sorted(maps.Keys(r.phases)), AllPatterns), ", "))}
	}
	for _, p := range r.patterns {
		if chosen != nil && !slices.Contains(chosen.active, p.attr("id")) {
			continue
		}
		if err := r.pattern(p); err != nil {
			return nil, err
		}
	}
	return r.sheet, nil
}

// collect gathers what a schema has, in the files that it includes too.
func (r *reader) collect(file string, e *element) error {
	if r.depth++; r.depth > 20 {
		return &Error{file, e.line, "files include each other more than 20 deep"}
	}
	defer func() { r.depth-- }()
	for _, c := range e.children {
		if c.is(spaceXSLT, "function") {
			r.sheet.Functions = append(r.sheet.Functions, functionOf(c))
		}
		if c.space != r.space {
			continue
		}
		switch c.local {
		case "ns":
			r.sheet.Prefixes[c.attr("prefix")] = c.attr("uri")
		case "let":
			r.sheet.Variables = append(r.sheet.Variables, letOf(c, asWritten))
		case "phase":
			r.phase(c)
		case "include":
			name, included, err := r.include(file, c)
			if err != nil {
				return err
			}
			if err := r.collect(name, &element{children: []*element{included}, line: included.line}); err != nil {
				return err
			}
		case "schema":
			if err := r.collect(file, c); err != nil {
				return err
			}
		case "rules":
			for _, rule := range c.children {
				r.keepAbstract(file, rule)
			}
		case "pattern":
			at := &located{c, file}
			if c.attr("abstract") == "true" {
				r.abstractPatterns[c.attr("id")] = at
			} else {
				r.patterns = append(r.patterns, at)
			}
			for _, rule := range c.children {
				r.keepAbstract(file, rule)
			}
		}
	}
	return nil
}

func (r *reader) phase(e *element) {
	p := &phase{}
	for _, c := range e.children {
		switch c.local {
		case "active":
			p.active = append(p.active, c.attr("pattern"))
		case "let":
			p.variables = append(p.variables, letOf(c, asWritten))
		}
	}
	r.phases[e.attr("id")] = p
}

func (r *reader) keepAbstract(file string, rule *element) {
	if id := rule.attr("id"); rule.local == "rule" && rule.attr("abstract") == "true" {
		r.abstractRules[id] = append(r.abstractRules[id], &located{rule, file})
	}
}

// abstractRule is the rule that another extends: the one of the same pattern before one of another.
func (r *reader) abstractRule(by *element, file, id string, of *located) (*located, error) {
	if of != nil {
		for _, c := range of.children {
			if c.local == "rule" && c.attr("abstract") == "true" && c.attr("id") == id {
				return &located{c, of.file}, nil
			}
		}
	}
	switch all := r.abstractRules[id]; {
	case id == "":
		return nil, &Error{file, by.line, "extends without the id of an abstract rule (rule) is not read: name one"}
	case len(all) == 0:
		return nil, &Error{file, by.line, fmt.Sprintf("there is no abstract rule %s", id)}
	case len(all) > 1:
		return nil, &Error{file, by.line, fmt.Sprintf("there are %d abstract rules %s, and none in this pattern: give them different ids", len(all), id)}
	default:
		return all[0], nil
	}
}

// asWritten is what is filled in where no parameters are.
func asWritten(s string) string { return s }

// letOf is a variable, whose value is an expression, or else the text in it.
func letOf(e *element, filled func(string) string) Variable {
	value := e.attr("value")
	if value == "" && strings.TrimSpace(e.text) != "" {
		value = literal(e.text)
	}
	return Variable{e.attr("name"), filled(value), e.line}
}

// literal is a text as an expression.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func (r *reader) include(file string, e *element) (string, *element, error) {
	href, fragment, _ := strings.Cut(e.attr("href"), "#")
	name := slashJoin(file, href)
	if !fs.ValidPath(name) {
		return "", nil, &Error{file, e.line, fmt.Sprintf("it includes %q, which is outside of the folder that is read: give the folder above by --root", href)}
	}
	root, err := open(r.fsys, name)
	if err != nil {
		return "", nil, &Error{file, e.line, fmt.Sprintf("it includes %s: %v", href, err)}
	}
	if fragment == "" {
		return name, root, nil
	}
	var found *element
	root.each(func(e *element) {
		if found == nil && e.attr("id") == fragment {
			found = e
		}
	})
	if found == nil {
		return "", nil, &Error{file, e.line, fmt.Sprintf("%s has nothing with the id %s", href, fragment)}
	}
	return name, found, nil
}

// slashJoin is a reference from a file, as a path in the same tree.
func slashJoin(file, href string) string {
	parts := strings.Split(file, "/")
	parts = parts[:len(parts)-1]
	for _, p := range strings.Split(href, "/") {
		switch {
		case p == "." || p == "":
		case p == ".." && len(parts) > 0 && parts[len(parts)-1] != "..":
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "/")
}

// pattern reads a pattern; one that is made of an abstract one has its parameters filled in.
func (r *reader) pattern(p *located) error {
	filled, body := asWritten, p
	if abstract := p.attr("is-a"); abstract != "" {
		at, known := r.abstractPatterns[abstract]
		if !known {
			return &Error{p.file, p.line, fmt.Sprintf("there is no abstract pattern %s", abstract)}
		}
		body = at
		values := map[string]string{}
		for _, c := range slices.Concat(at.children, p.children) { // those of the abstract one are defaults
			if c.local == "param" {
				values[c.attr("name")] = c.attr("value")
			}
		}
		filled = func(s string) string { return fillParameters(s, values) }
	}
	out := &Pattern{Name: cmp.Or(p.attr("id"), p.attr("name"))}
	if err := r.rules(out, body, filled); err != nil {
		return err
	}
	r.sheet.Patterns = append(r.sheet.Patterns, out)
	return nil
}

func (r *reader) rules(out *Pattern, body *located, filled func(string) string) error {
	for _, c := range body.children {
		switch {
		case c.space != r.space:
		case c.local == "let":
			out.Variables = append(out.Variables, letOf(c, filled))
		case c.local == "include":
			name, included, err := r.include(body.file, c)
			if err != nil {
				return err
			}
			if err := r.rules(out, &located{&element{children: []*element{included}}, name}, filled); err != nil {
				return err
			}
		case c.local == "rule" && c.attr("abstract") != "true":
			rule := &Rule{Context: filled(c.attr("context")), Line: c.line}
			if _, err := r.rule(rule, &located{c, body.file}, body, nil, filled, 0); err != nil {
				return err
			}
			out.Rules = append(out.Rules, rule)
		}
	}
	return nil
}

// rule reads the asserts of a rule in a pattern, with those of rules that it extends, and returns the
// variables after it: what an extended rule says of variables holds from there on.
func (r *reader) rule(out *Rule, e, in *located, variables []Variable, filled func(string) string, depth int) ([]Variable, error) {
	if depth > 20 {
		return nil, &Error{e.file, e.line, "rules extend each other more than 20 deep"}
	}
	for _, c := range e.children {
		if c.space != r.space {
			continue
		}
		switch c.local {
		case "let":
			variables = append(variables, letOf(c, filled))
		case "extends":
			at, err := r.abstractRule(c, e.file, c.attr("rule"), in)
			if err != nil {
				return nil, err
			}
			if variables, err = r.rule(out, at, in, variables, filled, depth+1); err != nil {
				return nil, err
			}
		case "assert", "report":
			out.Asserts = append(out.Asserts, &Assert{
				ID: filled(c.attr("id")), Level: filled(cmp.Or(c.attr("flag"), c.attr("role"))), Test: filled(c.attr("test")),
				Report: c.local == "report", Variables: slices.Clone(variables), Line: c.line,
			})
		}
	}
	return variables, nil
}

// fillParameters puts values in place of $name, the longest name that fits first, as
// Schematron has it for abstract patterns.
func fillParameters(s string, values map[string]string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name := ""
		for candidate := range values {
			if strings.HasPrefix(after, candidate) && len(candidate) > len(name) {
				name = candidate
			}
		}
		if name == "" {
			b.WriteByte('$')
		} else {
			b.WriteString(values[name])
		}
		s = after[len(name):]
	}
}
