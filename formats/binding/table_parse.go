package binding

import (
	"errors"
	"fmt"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// parseTable reads a table strictly: unknown and repeated keys are mistakes.
func parseTable(bindings Bindings) (*table, error) {
	doc, err := bindings()
	if err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode {
		return nil, errors.New("the table is empty")
	}
	t := &table{kinds: map[string][]row{}}
	err = strictyaml.Mapping(doc.Content[0], "a table of bindings", func(key string, n *yaml.Node) (err error) {
		switch key {
		case "amounts":
			return strictyaml.Mapping(n, "amounts", t.parseAmounts)
		case "dates":
			return strictyaml.Mapping(n, "dates", t.parseDates)
		case "rows":
			t.rows, err = parseRows(n)
			return err
		case "kinds":
			return strictyaml.Mapping(n, "kinds", func(name string, rows *yaml.Node) (err error) {
				t.kinds[name], err = parseRows(rows)
				return err
			})
		}
		return strictyaml.ErrUnknownKey
	})
	if err == nil {
		t.rows, err = t.expanded(t.rows, "", nil)
	}
	return t, err
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
	case "as":
		return text(n, &r.as)
	case "in":
		return text(n, &r.in)
	case "once":
		return n.Decode(&r.once)
	case "rest":
		return n.Decode(&r.rest)
	case "first":
		return n.Decode(&r.first)
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
	case "unlessSame":
		return text(n, &r.unlessSame)
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
	case "placeholder":
		return text(n, &o.placeholder)
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
	r.unless = make([]unlessClause, len(list))
	for i, n := range list {
		if err := strictyaml.Mapping(n, "unless", r.unless[i].parse); err != nil {
			return err
		}
	}
	return nil
}

func (u *unlessClause) parse(key string, n *yaml.Node) error {
	switch key {
	case "path":
		return text(n, &u.path)
	case "equals":
		return text(n, &u.equals)
	}
	return strictyaml.ErrUnknownKey
}

func text(n *yaml.Node, into *string) error {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return fmt.Errorf("line %d: want a text", n.Line)
	}
	*into = n.Value
	return nil
}
