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

	// compiled
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
	var context string
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
		r.row = &row{rule: r, kind: kind, path: f.scalar(path)}
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

// patterns compiles a row: what must be absent or unique is looked for itself,
// what must be there is looked for from its context.
func (w *row) patterns() ([]*pattern, error) {
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
		for _, part := range strings.Split(w.Context(), "|") {
			for _, path := range relative.paths {
				if w.kind == rowAtMostOnce && len(path.steps) != w.depth {
					return nil, &xpathError{column: 1, message: "the alternatives of a path that is counted must be equally long"}
				}
				whole, err := parseXPath(strings.TrimSpace(part)+"/"+pathText(path), true)
				if err != nil {
					return nil, err
				}
				p, err := compileSourcePath(whole.paths[0])
				if err != nil {
					return nil, err
				}
				out = append(out, &pattern{path: p, row: w})
			}
		}
	default:
		context, err := parseXPath(w.Context(), true)
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

// Context is where the row looks.
func (w *row) Context() string { return w.rule.Context }

// pathText is the text of one alternative of a path.
func pathText(p xpathPath) string { return strings.TrimSpace(p.text) }

// tally counts, for rows that must be unique, what one context holds so far.
type tally struct {
	context source.Node
	count   int
}

// violated decides a row at a node that one of its patterns matched.
func (w *row) violated(t *source.Tree, r source.Ref, seen map[*row]*tally) bool {
	switch w.kind {
	case rowAbsent:
		return true
	case rowAtMostOnce:
		context := t.Owner(r)
		for steps := w.depth; steps > 0; steps-- {
			if r < 0 && steps == w.depth { // an attribute's owner is one step up already
				continue
			}
			context = t.Parent(context)
		}
		c := seen[w]
		if c == nil {
			c = &tally{}
			seen[w] = c
		}
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
