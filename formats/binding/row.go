package binding

import (
	"einvoice/model/strictyaml"
	"errors"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// A table is a YAML table as it stands in the file.
type table struct {
	amounts struct {
		currency string // the attribute that names it
		always   bool   // whether a writer puts it at every amount
	}
	dates struct {
		layout    string
		attribute string // that must have value; empty where none is needed
		value     string
	}
	rows []row
}

// A row of the table. Rows hold for the roots in path; "" is every root.
type row struct {
	line int
	path map[string]string

	term, group, list, around string
	like                      string
	rows                      []row

	fixed  *string
	match  match
	equals string
	needs  string
	unless []exception

	codes    map[string]string
	prefix   *prefix
	shape    string
	readOnly bool

	// What only a writer looks at.
	always    bool
	limit     int
	split     string
	prefer    *preference
	otherwise *otherwise
}

// A preference names the entries of the list around that a writer puts a term in
// which is no term of the list.
type preference struct {
	term  string
	codes []string
}

// otherwise is what a writer puts where a term is absent but the schema demands
// its element: a text, or amounts added up or taken from each other.
type otherwise struct {
	text       string
	total      string // a term of a list
	sum        []string
	difference []string
}

// An exception is something beside an element that rules its row out.
type exception struct {
	path   string
	equals string
}

// A prefix is a term that stands between marks in front of another's text.
type prefix struct {
	term   string
	mark   string
	length int
}

// match is how a value is compared with the one in the table.
type match string

const (
	matchExact    match = ""
	matchCaseless match = "caseless"
	matchBoolean  match = "boolean"
	matchAny      match = "any"
)

func parseTable(data []byte) (*table, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode {
		return nil, errors.New("the table is empty")
	}
	t := &table{}
	return t, strictyaml.Mapping(doc.Content[0], "a table of bindings", func(key string, n *yaml.Node) (err error) {
		switch key {
		case "amounts":
			return strictyaml.Mapping(n, "amounts", t.parseAmounts)
		case "dates":
			return strictyaml.Mapping(n, "dates", t.parseDates)
		case "rows":
			t.rows, err = parseRows(n)
			return err
		}
		return strictyaml.ErrUnknownKey
	})
}

func (t *table) parseAmounts(key string, n *yaml.Node) error {
	switch key {
	case "currency":
		return text(n, &t.amounts.currency)
	case "always":
		return n.Decode(&t.amounts.always)
	}
	return strictyaml.ErrUnknownKey
}

func (t *table) parseDates(key string, n *yaml.Node) error {
	switch key {
	case "layout":
		return text(n, &t.dates.layout)
	case "attribute":
		return text(n, &t.dates.attribute)
	case "value":
		return text(n, &t.dates.value)
	}
	return strictyaml.ErrUnknownKey
}

func parseRows(n *yaml.Node) ([]row, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("line %d: want a list of rows", n.Line)
	}
	rows := make([]row, len(n.Content))
	for i, n := range n.Content {
		r := &rows[i]
		r.line = n.Line
		if err := strictyaml.Mapping(n, "a row", r.parse); err != nil {
			return nil, err
		}
		if err := r.check(); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (r *row) parse(key string, n *yaml.Node) (err error) {
	switch key {
	case "path":
		return r.parsePath(n)
	case "term":
		return text(n, &r.term)
	case "group":
		return text(n, &r.group)
	case "list":
		return text(n, &r.list)
	case "around":
		return text(n, &r.around)
	case "like":
		return text(n, &r.like)
	case "rows":
		r.rows, err = parseRows(n)
		return err
	case "fixed":
		r.fixed = new(string)
		return text(n, r.fixed)
	case "match":
		return text(n, (*string)(&r.match))
	case "equals":
		return text(n, &r.equals)
	case "needs":
		return text(n, &r.needs)
	case "unless":
		return r.parseUnless(n)
	case "codes":
		r.codes = map[string]string{}
		return strictyaml.Mapping(n, "codes", func(document string, code *yaml.Node) error {
			r.codes[document] = code.Value
			return nil
		})
	case "prefix":
		r.prefix = &prefix{}
		return strictyaml.Mapping(n, "a prefix", r.prefix.parse)
	case "shape":
		return text(n, &r.shape)
	case "readOnly":
		return n.Decode(&r.readOnly)
	case "always":
		return n.Decode(&r.always)
	case "limit":
		return n.Decode(&r.limit)
	case "split":
		return text(n, &r.split)
	case "prefer":
		r.prefer = &preference{}
		return strictyaml.Mapping(n, "a preference", r.prefer.parse)
	case "otherwise":
		r.otherwise = &otherwise{}
		if n.Kind == yaml.ScalarNode {
			return text(n, &r.otherwise.text)
		}
		return strictyaml.Mapping(n, "otherwise", r.otherwise.parse)
	}
	return strictyaml.ErrUnknownKey
}

func (p *preference) parse(key string, n *yaml.Node) error {
	switch key {
	case "term":
		return text(n, &p.term)
	case "codes":
		return n.Decode(&p.codes)
	}
	return strictyaml.ErrUnknownKey
}

func (o *otherwise) parse(key string, n *yaml.Node) error {
	switch key {
	case "total":
		return text(n, &o.total)
	case "sum":
		return n.Decode(&o.sum)
	case "difference":
		return n.Decode(&o.difference)
	}
	return strictyaml.ErrUnknownKey
}

func (p *prefix) parse(key string, n *yaml.Node) error {
	switch key {
	case "term":
		return text(n, &p.term)
	case "mark":
		return text(n, &p.mark)
	case "length":
		return n.Decode(&p.length)
	}
	return strictyaml.ErrUnknownKey
}

func (r *row) parsePath(n *yaml.Node) error {
	r.path = map[string]string{}
	if n.Kind == yaml.ScalarNode {
		r.path[""] = n.Value
		return nil
	}
	return strictyaml.Mapping(n, "the paths of a row", func(root string, path *yaml.Node) error {
		r.path[root] = path.Value
		return nil
	})
}

func (r *row) parseUnless(n *yaml.Node) error {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	r.unless = make([]exception, len(list))
	for i, n := range list {
		if err := strictyaml.Mapping(n, "an exception", r.unless[i].parse); err != nil {
			return err
		}
	}
	return nil
}

func (e *exception) parse(key string, n *yaml.Node) error {
	switch key {
	case "path":
		return text(n, &e.path)
	case "equals":
		return text(n, &e.equals)
	}
	return strictyaml.ErrUnknownKey
}

// check refuses rows that say nothing or contradict themselves.
func (r *row) check() error {
	kinds := 0
	for _, said := range []bool{r.term != "", r.group != "", r.list != "", r.around != "", r.fixed != nil, r.equals != ""} {
		if said {
			kinds++
		}
	}
	switch {
	case len(r.path) == 0:
		return r.fault("a row needs a path")
	case kinds > 1:
		return r.fault("a row is one of term, group, list, around, fixed and equals")
	case kinds == 0 && r.rows == nil:
		return r.fault("a row without rows inside must say term, fixed or equals")
	case r.like != "" && (r.list == "" || r.rows != nil):
		return r.fault("like stands with list and without rows")
	case r.rows != nil && (r.term != "" || r.fixed != nil || r.equals != ""):
		return r.fault("a term or value has no rows inside; use a row with path: .")
	case r.match != matchExact && r.fixed == nil:
		return r.fault("match stands with fixed")
	case r.match != matchExact && r.match != matchCaseless && r.match != matchBoolean && r.match != matchAny:
		return r.fault("match %q is unknown; use caseless, boolean or any", r.match)
	case r.otherwise != nil && r.term == "":
		return r.fault("otherwise stands with term")
	case (r.limit != 0 || r.split != "") && r.list == "":
		return r.fault("limit and split stand with list")
	case r.shape != "" && r.shape != "iban":
		return r.fault("shape %q is unknown; use iban", r.shape)
	}
	return nil
}

func (r *row) fault(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{r.line}, args...)...)
}

// checkRoots refuses rows for roots that the format does not have.
func checkRoots(rows []row, roots []string) error {
	for i := range rows {
		for root := range rows[i].path {
			if root != "" && !slices.Contains(roots, root) {
				return rows[i].fault("the format has no root %s", root)
			}
		}
		if err := checkRoots(rows[i].rows, roots); err != nil {
			return err
		}
	}
	return nil
}

// pathUnder is the row's path in documents with the given root.
func (r *row) pathUnder(root string) (path string, ok bool) {
	if path, ok = r.path[""]; ok {
		return path, true
	}
	path, ok = r.path[root]
	return path, ok
}

func text(n *yaml.Node, into *string) error {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return fmt.Errorf("line %d: want a text", n.Line)
	}
	*into = n.Value
	return nil
}
