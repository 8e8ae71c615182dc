package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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
//
// Where many contexts have few rows each, contexts holds them under their paths
// below the table's context, which is then optional.
//
//	  - kind: exactlyOnce
//	    on: cii
//	    level: fatal
//	    context: /rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction
//	    contexts:
//	      ram:ApplicableHeaderTradeSettlement: {FX-SCH-A-000038: ram:InvoiceCurrencyCode}

// rowKind says what a row asks of its path.
type rowKind string

const (
	rowAbsent      rowKind = "absent"      // there is none
	rowAtMostOnce  rowKind = "atMostOnce"  // there is at most one in each context
	rowExactlyOnce rowKind = "exactlyOnce" // there is one in each context
	rowRequired    rowKind = "required"    // there is at least one in each context
	rowCode        rowKind = "code"        // what it holds, if anything, is an allowed code
)

var rowKinds = []rowKind{rowAbsent, rowAtMostOnce, rowExactlyOnce, rowRequired, rowCode}

// rowWords are text and message of each kind; %[1]s is the path, %[2]s where,
// %[3]s which codes.
var rowWords = map[rowKind][2]string{
	rowAbsent:      {"%[1]s is not used%[2]s.", "Remove %[1]s%[2]s: EN 16931 has no use for it, so receivers may ignore what it says."},
	rowAtMostOnce:  {"%[1]s occurs at most once%[2]s.", "Keep one %[1]s%[2]s and remove the others."},
	rowExactlyOnce: {"%[1]s occurs exactly once%[2]s.", "Write %[1]s exactly once%[2]s."},
	rowRequired:    {"%[1]s is there%[2]s.", "Add %[1]s%[2]s."},
	rowCode:        {"%[1]s%[2]s is %[3]s.", "Write %[3]s into %[1]s%[2]s."},
}

// A row is one rule of a table.
type row struct {
	rule *Rule
	kind rowKind
	path string

	except string // nodes of the context that another rule of the artefact takes first

	list  string                              // of kind code: the code list, or
	codes []string                            // the codes themselves
	known func() (map[string]struct{}, error) // either of them, read on first use

	// compiled, once: validators share the rows of a library
	once  sync.Once
	err   error
	taken []*sourcePath // by except
	paths []xpathPath   // relative to the context
	below []*sourcePath // likewise: what is counted
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

// A tableHead is what the rows of a table share.
type tableHead struct {
	kind                    rowKind
	level                   Level
	on                      model.Syntax
	context, except, silent string
	list                    string
	codes                   []string
}

func (f *ruleFile) readTable(n *yaml.Node) {
	var t tableHead
	var rows, contexts *yaml.Node
	f.mapping(n, "a table", func(key string, value *yaml.Node) bool {
		switch key {
		case "kind":
			t.kind = rowKind(f.scalar(value))
			if !slices.Contains(rowKinds, t.kind) {
				f.fail(value, "unknown kind %q: use one of %s", t.kind, join(rowKinds))
			}
		case "level":
			t.level = f.level(value)
		case "on":
			t.on = f.syntax(value)
		case "context":
			t.context = f.scalar(value)
		case "except":
			t.except = f.scalar(value)
		case "neverFires":
			t.silent = f.scalar(value)
		case "list":
			t.list = f.scalar(value)
		case "codes":
			t.codes = strings.Fields(f.scalar(value))
		case "rows":
			rows = value
		case "contexts":
			contexts = value
		default:
			return false
		}
		return true
	})
	if n.Kind != yaml.MappingNode {
		return
	}
	switch {
	case t.kind == "" || t.level == "" || t.on == "":
		f.fail(n, "a table needs kind, level and on")
	case (rows == nil) == (contexts == nil):
		f.fail(n, "a table needs rows or contexts, one of them")
	case rows != nil && t.context == "":
		f.fail(n, "rows need a context")
	case contexts != nil && strings.Contains(t.context, "|"):
		f.fail(n, "contexts cannot stand below more than one context")
	case (t.kind == rowCode) != (t.list != "" || t.codes != nil) || t.list != "" && t.codes != nil:
		f.fail(n, "a table of kind code, and no other, needs list or codes, one of them")
	case rows != nil:
		where := ""
		if t.context != "/*" {
			where = " in " + strings.TrimLeft(t.context, "/")
		}
		f.readRows(rows, t, where)
	default:
		f.mapping(contexts, "the contexts of a table", func(path string, rows *yaml.Node) bool {
			t := t
			where := path
			if t.context != "" {
				where = t.context[strings.LastIndexByte(t.context, '/')+1:]
				if path != "." {
					where += "/" + path
					t.context += "/" + path
				}
			} else {
				t.context = path
			}
			f.readRows(rows, t, " in "+strings.TrimLeft(where, "/"))
			return true
		})
	}
}

// readRows reads rows of one context.
func (f *ruleFile) readRows(rows *yaml.Node, t tableHead, where string) {
	f.mapping(rows, "the rows of a table", func(id string, path *yaml.Node) bool {
		r := &Rule{
			ID: id, Level: t.level, On: t.on, Context: t.context, BTCodes: []string{}, NeverFires: t.silent,
			file: f.name, node: path, places: map[string]*yaml.Node{"context": path},
		}
		r.row = &row{rule: r, kind: t.kind, path: f.scalar(path), except: t.except, list: t.list, codes: t.codes}
		words, codes := rowWords[t.kind], "a code of the list "+t.list
		if t.codes != nil {
			codes = strings.Join(t.codes, " or ")
		}
		r.Text = fmt.Sprintf(words[0], r.row.path, where, codes)
		r.Message = fmt.Sprintf(words[1], r.row.path, where, codes)
		f.rules = append(f.rules, r)
		return true
	})
}

// decision is what a row asks, in a line.
func (w *row) decision() string {
	text := string(w.kind) + " " + w.path
	switch {
	case w.list != "":
		text += " of list " + w.list
	case w.codes != nil:
		text += " of " + strings.Join(w.codes, ", ")
	}
	if w.except != "" {
		text += " except in " + w.except
	}
	return text
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

// compile prepares what the row looks at from a node.
func (w *row) compile(parse func(string) (*xpath, error)) error {
	w.once.Do(func() { w.err = w.compileOnce(parse) })
	return w.err
}

func (w *row) compileOnce(parse func(string) (*xpath, error)) error {
	if w.except != "" {
		except, err := parse(w.except)
		if err != nil {
			return err
		}
		for _, path := range except.paths {
			p, err := compileSourcePath(path)
			if err != nil {
				return err
			}
			w.taken = append(w.taken, p)
		}
	}
	relative, err := parseXPath(w.path, false)
	if err != nil {
		return err
	}
	w.paths = relative.paths
	for _, path := range relative.paths {
		p, err := compileSourcePath(path)
		if err != nil {
			return err
		}
		w.below, w.depth = append(w.below, p), len(p.steps)
	}
	return nil
}

// patterns compiles a row: what is there and should not be, not so often or with
// another value, is looked for itself, what must be there from its context.
func (w *row) patterns(parse func(string) (*xpath, error)) ([]*pattern, error) {
	if err := w.compile(parse); err != nil {
		return nil, err
	}
	context, err := parse(w.rule.Context)
	if err != nil {
		return nil, err
	}
	var out []*pattern
	switch w.kind {
	case rowAbsent, rowAtMostOnce, rowCode:
		for i, path := range w.paths {
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

// readCodes says where a row of kind code finds its codes. A list is read when
// a value is first looked up in it: most documents need few.
func (w *row) readCodes(l *Library) {
	w.known = sync.OnceValues(func() (map[string]struct{}, error) {
		if w.list != "" {
			list, err := l.CodeList(w.list)
			if err != nil {
				return nil, err
			}
			return list.codes, nil
		}
		known := map[string]struct{}{}
		for _, code := range w.codes {
			known[code] = struct{}{}
		}
		return known, nil
	})
}

// message tells of a violation at r.
func (w *row) message(t *source.Tree, r source.Ref) (text string, failed bool) {
	if w.kind != rowCode {
		return w.rule.Message, false
	}
	if _, err := w.known(); err != nil {
		return "This rule could not be decided: " + err.Error(), true
	}
	return fmt.Sprintf("%q is none of the codes allowed here. %s", refText(t, r), w.rule.Message), false
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
		context := r
		if w.kind == rowAbsent || w.kind == rowAtMostOnce || w.kind == rowCode {
			context = w.contextOf(t, r).Ref()
		}
		if taken.matches(t, context) {
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
	case rowCode:
		value := refText(t, r)
		if value == "" {
			return false
		}
		known, err := w.known()
		_, allowed := known[value]
		return err != nil || !allowed
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
