package importer

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model/numeral"
	"einvoice/service/importer/schematron"
	"einvoice/service/importer/xpath2"
)

// A Change is what became of a rule from one release of an artefact to the next.
type Change struct {
	ID   string
	Kind ChangeKind
	What []string // of a change: one sentence each
	Old  int      // the line, 0 where there is none
	New  int
}

// A ChangeKind is what became of a rule.
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "new"
	Gone    ChangeKind = "gone"
	Changed ChangeKind = "changed"
)

// Changes compares two releases, each one file or several, by the trees of their expressions:
// how they are laid out, and what prefixes they use, makes no difference.
func Changes(old, now []*Release) []Change {
	before, after := askedOf(old), askedOf(now)
	var all []Change
	for _, id := range after.ids {
		n := after.byID[id]
		o := before.byID[id]
		if o == nil {
			all = append(all, Change{ID: id, Kind: Added, New: n[0].line})
			continue
		}
		if what := differences(o, n); len(what) > 0 {
			all = append(all, Change{ID: id, Kind: Changed, What: what, Old: o[0].line, New: n[0].line})
		}
	}
	for _, id := range before.ids {
		if after.byID[id] == nil {
			all = append(all, Change{ID: id, Kind: Gone, Old: before.byID[id][0].line})
		}
	}
	return all
}

// A Release is a file of a release.
type Release struct {
	sheet *schematron.Sheet
	file  string
}

// ReadRelease reads a file of a release.
func ReadRelease(fsys fs.FS, file, phase string) (*Release, error) {
	sheet, err := schematron.Read(fsys, file, phase)
	if err != nil {
		return nil, err
	}
	return &Release{sheet, file}, nil
}

// An asked assert is one with everything that decides it, as canonical text.
type asked struct {
	level, context, test string
	names                []string // of variables and functions that it uses, with what they say
	literals             []string
	written              string
	line                 int
}

type askedByID struct {
	ids  []string
	byID map[string][]*asked
}

func askedOf(releases []*Release) *askedByID {
	out := &askedByID{byID: map[string][]*asked{}}
	for _, r := range releases {
		for _, p := range r.sheet.Patterns {
			for _, rule := range p.Rules {
				for _, a := range rule.Asserts {
					if a.ID == "" {
						continue
					}
					if out.byID[a.ID] == nil {
						out.ids = append(out.ids, a.ID)
					}
					out.byID[a.ID] = append(out.byID[a.ID], r.asked(p, rule, a))
				}
			}
		}
	}
	return out
}

// asked reads an assert. What cannot be parsed is compared as text, white space aside.
func (r *Release) asked(p *schematron.Pattern, rule *schematron.Rule, a *schematron.Assert) *asked {
	out := &asked{level: levels[strings.ToLower(cmp.Or(a.Level, "fatal"))], line: a.Line, written: strings.Join(strings.Fields(a.Test), " ")}
	if out.level == "" {
		out.level = a.Level
	}
	variables := map[string]string{}
	for _, v := range slices.Concat(r.sheet.Variables, p.Variables, a.Variables) {
		variables[v.Name] = v.Select
	}
	functions := map[string]*schematron.Function{}
	for _, f := range r.sheet.Functions {
		functions[f.Name] = f
	}
	seen := map[string]bool{}
	var read func(text string) string
	named := func(kind xpath2.Op, name string) string {
		if prefix, local, prefixed := strings.Cut(name, ":"); prefixed && kind == xpath2.Path {
			if ours, known := prefixOf(r.sheet.Prefixes[prefix]); known {
				return ours + ":" + local
			}
			return name
		}
		if kind == xpath2.Path || seen[name] {
			return name
		}
		if text, is := variables[name]; is && kind == xpath2.Variable {
			seen[name] = true
			out.names = append(out.names, "$"+name+" is "+read(text))
		}
		if f := functions[name]; f != nil && kind == xpath2.Call {
			seen[name] = true
			said := name + " is " + read(f.Result)
			for _, v := range f.Variables {
				said += " with $" + v.Name + " " + read(v.Select)
			}
			out.names = append(out.names, said)
		}
		return name
	}
	read = func(text string) string {
		n, err := xpath2.Parse(text)
		if err != nil {
			return strings.Join(strings.Fields(text), " ")
		}
		n.Walk(func(n *xpath2.Node) bool {
			if n.Op == xpath2.Text || n.Op == xpath2.Number {
				out.literals = append(out.literals, n.Text)
			}
			return true
		})
		return n.Canonical(named)
	}
	out.context = read(rule.Context)
	out.test = read(a.Test)
	if a.Report {
		out.test = "not " + out.test
	}
	slices.Sort(out.names)
	return out
}

// differences says what is asked otherwise.
func differences(old, now []*asked) (what []string) {
	if len(old) != len(now) {
		return []string{fmt.Sprintf("it was asked in %s and is asked in %d", numeral.Count(len(old), "place"), len(now))}
	}
	for i, n := range now {
		o := old[i]
		if o.level != n.level {
			what = append(what, fmt.Sprintf("its level was %s and is %s", o.level, n.level))
		}
		same := o.test == n.test && slices.Equal(o.names, n.names)
		if !same || o.context != n.context {
			if gone, added := codesOf(o.literals, n.literals); len(gone)+len(added) > 0 && withoutLiterals(o) == withoutLiterals(n) {
				if len(added) > 0 {
					what = append(what, "codes or values added: "+strings.Join(added, " "))
				}
				if len(gone) > 0 {
					what = append(what, "codes or values gone: "+strings.Join(gone, " "))
				}
				continue
			}
		}
		if o.context != n.context {
			what = append(what, "its context was "+o.context+" and is "+n.context)
		}
		switch {
		case o.test != n.test:
			what = append(what, "its test was "+o.written+" and is "+n.written)
		case !same:
			what = append(what, "a variable or function that it uses is another")
		}
	}
	return what
}

// withoutLiterals is everything that an assert asks but its literals.
func withoutLiterals(a *asked) string {
	text := a.context + a.test + strings.Join(a.names, "")
	for _, l := range a.literals {
		text = strings.Replace(text, "'"+strings.Join(strings.Fields(l), " ")+"'", "''", 1)
	}
	return text
}

// codesOf are the words that only one of two lists of literals has.
func codesOf(old, now []string) (gone, added []string) {
	words := func(all []string) (out []string) {
		for _, l := range all {
			out = append(out, strings.Fields(l)...)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	o, n := words(old), words(now)
	for _, w := range o {
		if !slices.Contains(n, w) {
			gone = append(gone, w)
		}
	}
	for _, w := range n {
		if !slices.Contains(o, w) {
			added = append(added, w)
		}
	}
	return gone, added
}

// ChangesOf compares a ruleset with a release by what both say: ids and levels. A ruleset that
// a person has written asks the same in other words, so that only documents tell the rest.
func ChangesOf(s *engine.Ruleset, now []*Release) (all []Change) {
	after := askedOf(now)
	for _, id := range after.ids {
		n := after.byID[id]
		r, has := s.ByID[id]
		if !has {
			all = append(all, Change{ID: id, Kind: Added, New: n[0].line})
			continue
		}
		if r.Level != engine.Level(n[0].level) && len(r.Variants) == 0 {
			all = append(all, Change{ID: id, Kind: Changed, What: []string{fmt.Sprintf("its level was %s and is %s", r.Level, n[0].level)}, Old: r.Line(), New: n[0].line})
		}
	}
	for _, r := range s.Rules {
		if after.byID[r.ID] == nil && strings.HasPrefix(r.File(), s.Name+"/") { // what another family has is not in its release
			all = append(all, Change{ID: r.ID, Kind: Gone, Old: r.Line()})
		}
	}
	return all
}
