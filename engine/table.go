package engine

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"

	"gopkg.in/yaml.v3"
)

// A table holds the many rules that only say where something may stand in the
// source document: one row a rule, an id and a path. Message and text follow
// from the table's kind.
//
//	tables:
//	  - kind: absent
//	    on: ubl
//	    level: warning
//	    context: /*
//	    rows:
//	      UBL-CR-003: cbc:ProfileExecutionID

// rowKind says what a row asks of its path.
type rowKind string

const (
	rowAbsent      rowKind = "absent"      // there is none
	rowAtMostOnce  rowKind = "atMostOnce"  // there is at most one in each context
	rowExactlyOnce rowKind = "exactlyOnce" // there is one in each context
	rowRequired    rowKind = "required"    // there is at least one in each context
)

var rowKinds = []rowKind{rowAbsent, rowAtMostOnce, rowExactlyOnce, rowRequired}

// rowWords are text and message of each kind; %[1]s is the path, %[2]s where.
var rowWords = map[rowKind][2]string{
	rowAbsent:      {"%[1]s is not used%[2]s.", "Remove %[1]s%[2]s: EN 16931 has no use for it, so receivers may ignore what it says."},
	rowAtMostOnce:  {"%[1]s occurs at most once%[2]s.", "Keep one %[1]s%[2]s and remove the others."},
	rowExactlyOnce: {"%[1]s occurs exactly once%[2]s.", "Write %[1]s exactly once%[2]s."},
	rowRequired:    {"%[1]s is there%[2]s.", "Add %[1]s%[2]s."},
}

// A row is one rule of a table.
type row struct {
	rule *Rule
	kind rowKind
	path string

	except string // nodes of the context that another rule of the artefact takes first

	// compiled
	taken []*sourcePath // by except
	below []*sourcePath // relative to the context: what is counted
	depth int           // steps of the relative path, to find the context again
}

func (f *ruleFile) readTables(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "tables must be a list")
		return
	}
	for _, block := range n.Content {
		f.readTable(block)
	}
}

func (f *ruleFile) readTable(n *yaml.Node) {
	var kind rowKind
	var level Level
	var on model.Syntax
	var context, except, silent string
	var rows *yaml.Node
	f.mapping(n, "a table", func(key string, value *yaml.Node) bool {
		switch key {
		case "kind":
			kind = rowKind(f.scalar(value))
			if !slices.Contains(rowKinds, kind) {
				f.fail(value, "unknown kind %q: use one of %s", kind, join(rowKinds))
			}
		case "level":
			level = f.level(value)
		case "on":
			on = f.syntax(value)
		case "context":
			context = f.scalar(value)
		case "except":
			except = f.scalar(value)
		case "neverFires":
			silent = f.scalar(value)
		case "rows":
			rows = value
		default:
			return false
		}
		return true
	})
	if n.Kind != yaml.MappingNode {
		return
	}
	if kind == "" || level == "" || on == "" || context == "" || rows == nil {
		f.fail(n, "a table needs kind, level, on, context and rows")
		return
	}
	f.mapping(rows, "the rows of a table", func(id string, path *yaml.Node) bool {
		r := &Rule{
			ID: id, Level: level, On: on, Context: context, BTCodes: []string{},
			file: f.name, node: path, places: map[string]*yaml.Node{"context": path},
		}
		r.row = &row{rule: r, kind: kind, path: f.scalar(path), except: except}
		r.NeverFires = silent
		words, where := rowWords[kind], ""
		if context != "/*" {
			where = " in " + strings.TrimLeft(context, "/")
		}
		r.Text = fmt.Sprintf(words[0], r.row.path, where)
		r.Message = fmt.Sprintf(words[1], r.row.path, where)
		f.rules = append(f.rules, r)
		return true
	})
}

// contextParser parses contexts and remembers them: the rows of a table share
// theirs.
func contextParser() func(string) (*xpath, error) {
	parsed := map[string]*xpath{}
	return func(text string) (*xpath, error) {
		if x, ok := parsed[text]; ok {
			return x, nil
		}
		x, err := parseXPath(text, true)
		if err == nil {
			parsed[text] = x
		}
		return x, err
	}
}

// patterns compiles a row: what must be absent or unique is looked for itself,
// what must be there is looked for from its context.
func (w *row) patterns(parse func(string) (*xpath, error)) ([]*pattern, error) {
	if w.except != "" {
		except, err := parse(w.except)
		if err != nil {
			return nil, err
		}
		w.taken = w.taken[:0]
		for _, path := range except.paths {
			p, err := compileSourcePath(path)
			if err != nil {
				return nil, err
			}
			w.taken = append(w.taken, p)
		}
	}
	relative, err := parseXPath(w.path, false)
	if err != nil {
		return nil, err
	}
	w.below = w.below[:0]
	for _, path := range relative.paths {
		p, err := compileSourcePath(path)
		if err != nil {
			return nil, err
		}
		w.below, w.depth = append(w.below, p), len(p.steps)
	}
	var out []*pattern
	switch w.kind {
	case rowAbsent, rowAtMostOnce:
		context, err := parse(w.rule.Context)
		if err != nil {
			return nil, err
		}
		for i, path := range relative.paths {
			if path.absolute { // found wherever it is, counted in the whole document
				out = append(out, &pattern{path: w.below[i], row: w})
				continue
			}
			if w.kind == rowAtMostOnce && len(path.steps) != w.depth {
				return nil, &xpathError{column: 1, message: "the alternatives of a path that is counted must be equally long"}
			}
			for _, from := range context.paths {
				p, err := compileSourcePath(xpathPath{absolute: true, steps: slices.Concat(from.steps, path.steps)})
				if err != nil {
					return nil, err
				}
				out = append(out, &pattern{path: p, row: w})
			}
		}
	default:
		context, err := parse(w.rule.Context)
		if err != nil {
			return nil, err
		}
		for _, path := range context.paths {
			p, err := compileSourcePath(path)
			if err != nil {
				return nil, err
			}
			out = append(out, &pattern{path: p, row: w})
		}
	}
	return out, nil
}

// tally counts, for rows that must be unique, what one context holds so far.
type tally struct {
	context source.Node
	count   int
}

// violated decides a row at a node that one of its patterns matched; c is the
// row's own tally.
func (w *row) violated(t *source.Tree, r source.Ref, c *tally) bool {
	for _, taken := range w.taken {
		if w.kind == rowAbsent && taken.matches(t, w.contextOf(t, r).Ref()) || w.kind != rowAbsent && taken.matches(t, r) {
			return false
		}
	}
	switch w.kind {
	case rowAbsent:
		return true
	case rowAtMostOnce:
		context := w.contextOf(t, r)
		if c.context != context {
			*c = tally{context: context}
		}
		c.count++
		return c.count > 1
	default:
		count := 0
		for _, path := range w.below {
			path.each(t, r.Element(), func(source.Ref) bool { count++; return true })
		}
		return count == 0 || w.kind == rowExactlyOnce && count > 1
	}
}

// contextOf goes up from what the row's path reached to the context, 0 for the
// document as a whole.
func (w *row) contextOf(t *source.Tree, r source.Ref) source.Node {
	if w.below[0].absolute {
		return 0
	}
	context := t.Owner(r)
	steps := w.depth
	if r < 0 { // an attribute's owner is one step up already
		steps--
	}
	for ; steps > 0; steps-- {
		context = t.Parent(context)
	}
	return context
}
