package engine

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/engine/xpath"
	"einvoice/model/quote"
	"einvoice/model/source"
)

// RowKind says what a row asks of its path.
type RowKind string

// The kinds of rows.
const (
	RowAbsent      RowKind = "absent"      // there is none
	RowAtMostOnce  RowKind = "atMostOnce"  // there is at most one in each context
	RowExactlyOnce RowKind = "exactlyOnce" // there is one in each context
	RowRequired    RowKind = "required"    // there is at least one in each context
	RowCode        RowKind = "code"        // what it holds, if anything, is an allowed code
)

var rowKinds = []RowKind{rowAbsent: RowAbsent, rowAtMostOnce: RowAtMostOnce, rowExactlyOnce: RowExactlyOnce, rowRequired: RowRequired, rowCode: RowCode}

// RowWords are text and message of each kind; %[1]s is the path, %[2]s where,
// %[3]s which codes.
var RowWords = map[RowKind][2]string{
	RowAbsent:      {"%[1]s is not used%[2]s.", "Remove %[1]s%[2]s: the rules have no use for it, so receivers may ignore what it says."},
	RowAtMostOnce:  {"%[1]s occurs at most once%[2]s.", "Keep one %[1]s%[2]s and remove the others."},
	RowExactlyOnce: {"%[1]s occurs exactly once%[2]s.", "Write %[1]s exactly once%[2]s."},
	RowRequired:    {"%[1]s is there%[2]s.", "Add %[1]s%[2]s."},
	RowCode:        {"%[1]s%[2]s is %[3]s.", "Write %[3]s into %[1]s%[2]s."},
}

// A Row is what a rule of a table asks: a kind and a path in the source document.
type Row struct {
	rowAtWork // first, because it is all that most documents read of a row

	Kind RowKind
	Path string

	Rule   *Rule
	where  string // the context as messages name it; "" for the document
	except string // nodes of the context that another rule of the artefact takes first

	list  string   // of RowCode: the code list, or
	codes []string // the codes themselves

	// compiled, once: validators share the rows of a library
	once   sync.Once
	err    error
	parsed []xpath.LocationPath
}

// A rowAtWork is what deciding a row takes.
type rowAtWork struct {
	excepted []*xpath.SourcePath                 // by except
	known    func() (map[string]struct{}, error) // the codes of RowCode, read on first use
	paths    []*xpath.SourcePath                 // the row's path, relative to the context, unless it counts nodes
	depth    int32                               // how many steps the row's path has, to find the context again
	absolute bool                                // the context is the document as a whole
	counts   bool                                // it is decided at the nodes of its path: countsNode
	kind     rowKind                             // what Kind says
}

// A rowKind is the number of a kind in rowKinds.
type rowKind uint8

const (
	rowAbsent rowKind = iota
	rowAtMostOnce
	rowExactlyOnce
	rowRequired
	rowCode
)

// String is what the row asks, on one line.
func (w *Row) String() string {
	text := string(w.Kind) + " " + w.Path
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

// Codes are the codes that a row of RowCode allows, sorted.
func (w *Row) Codes() ([]string, error) {
	known, err := w.known()
	return slices.Sorted(maps.Keys(known)), err
}

// readCodes says where a row of RowCode finds its codes. A list is read when
// a value is first looked up in it: most documents need few.
func (w *Row) readCodes(lists listLookup) {
	w.known = sync.OnceValues(func() (map[string]struct{}, error) {
		if w.list != "" {
			list, err := lists(w.list)
			if err != nil {
				return nil, err
			}
			return list.codes(), nil
		}
		known := map[string]struct{}{}
		for _, code := range w.codes {
			known[code] = struct{}{}
		}
		return known, nil
	})
}

// countsNode reports whether the row is decided at each node that its path selects,
// rather than at each node of its context: a row about what must not exist, may
// exist once or must have some value has nothing to decide where nothing exists.
func (w *Row) countsNode() bool {
	return w.Kind == RowAbsent || w.Kind == RowAtMostOnce || w.Kind == RowCode
}

// contextParser parses contexts and caches them: the rows of a table have the same
// context.
func contextParser() func(string) (*xpath.Union, error) {
	parsed := map[string]*xpath.Union{}
	return func(text string) (*xpath.Union, error) {
		if u, ok := parsed[text]; ok {
			return u, nil
		}
		u, err := xpath.Parse(text)
		if err == nil {
			parsed[text] = u
		}
		return u, err
	}
}

// compile prepares what the row looks at from a node.
func (w *Row) compile(parse func(string) (*xpath.Union, error)) error {
	w.once.Do(func() { w.err = w.compileOnce(parse) })
	return w.err
}

func (w *Row) compileOnce(parse func(string) (*xpath.Union, error)) error {
	w.kind, w.counts = rowKind(slices.Index(rowKinds, w.Kind)), w.countsNode()
	if w.except != "" {
		except, err := parse(w.except)
		if err != nil {
			return err
		}
		if w.excepted, err = contextsOverSource(except.Paths); err != nil {
			return err
		}
	}
	relative, err := xpath.ParseRelative(w.Path)
	if err != nil {
		return err
	}
	w.parsed = relative.Paths
	w.depth, w.absolute = int32(w.parsed[len(w.parsed)-1].Len()), w.parsed[0].Absolute
	if !w.countsNode() {
		w.paths, err = compileAll(relative.Paths, xpath.OverSource)
	}
	return err
}

func contextsOverSource(paths []xpath.LocationPath) ([]*xpath.SourcePath, error) {
	return compileAll(paths, xpath.ContextOverSource)
}

func compileAll(paths []xpath.LocationPath, compile func(xpath.LocationPath) (*xpath.SourcePath, error)) ([]*xpath.SourcePath, error) {
	out := make([]*xpath.SourcePath, len(paths))
	for i, path := range paths {
		p, err := compile(path)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// selecting compiles the paths of the nodes at which the row is decided.
func (w *Row) selecting(parse func(string) (*xpath.Union, error)) ([]*xpath.SourcePath, error) {
	if err := w.compile(parse); err != nil {
		return nil, err
	}
	context, err := parse(w.Rule.Context.Value)
	if err != nil {
		return nil, err
	}
	if !w.countsNode() {
		return contextsOverSource(context.Paths)
	}
	var out []*xpath.SourcePath
	for _, path := range w.parsed {
		if path.Absolute { // found wherever it is, counted in the whole document
			p, err := xpath.ContextOverSource(path)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
			continue
		}
		if w.Kind == RowAtMostOnce && path.Len() != int(w.depth) {
			return nil, &xpath.Error{Column: 1, Message: "the alternatives of a path that is counted must be equally long"}
		}
		for _, from := range context.Paths {
			p, err := xpath.ContextOverSource(xpath.LocationPath{Absolute: true, Steps: slices.Concat(from.Steps, path.Steps)})
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// tally counts, for rows that must be unique, what one context holds so far.
type tally struct {
	context source.Node
	count   int
}

// violated decides a row at a node that one of its paths selects; c is the
// row's own tally.
func (w *Row) violated(e *xpath.Evaluation, r source.Ref, c *tally) bool {
	for _, excepted := range w.excepted {
		context := r
		if w.counts {
			context = w.contextOf(e.Tree, r).Ref()
		}
		if excepted.Matches(e, context) {
			return false
		}
	}
	switch w.kind {
	case rowAbsent:
		return true
	case rowAtMostOnce:
		context := w.contextOf(e.Tree, r)
		if c.context != context {
			*c = tally{context: context}
		}
		c.count++
		return c.count > 1
	case rowCode:
		value := xpath.TextOf(e.Tree, r)
		if value == "" {
			return false
		}
		known, err := w.known()
		_, allowed := known[value]
		return err != nil || !allowed
	default:
		count := 0
		for _, path := range w.paths {
			path.Each(e, r.Element(), func(source.Ref) bool { count++; return true })
		}
		return count == 0 || w.kind == rowExactlyOnce && count > 1
	}
}

// contextOf goes up from what the row's path reached to the context, 0 for the
// document as a whole.
func (w *Row) contextOf(t *source.Tree, r source.Ref) source.Node {
	if w.absolute {
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

// message tells of a violation at r; code is what is written there, of a row of codes.
func (w *Row) message(t *source.Tree, r source.Ref) (text, code string, failed bool) {
	message := w.Rule.Message.Value
	if w.Kind != RowCode {
		return message, "", false
	}
	if _, err := w.known(); err != nil {
		return "This rule could not be decided: " + err.Error(), "", true
	}
	code = quote.Value(xpath.TextOf(t, r))
	return code + " is none of the codes allowed here. " + message, code, false
}
