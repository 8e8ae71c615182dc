package engine

import (
	"errors"
	"slices"
	"strings"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// readRepeats makes rules out of templates: each row of "for" fills ${...} in
// each of the rules.
func (f *ruleFile) readRepeats(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "repeat must be a list of {for, rules}")
		return
	}
	for block := range f.items(n) {
		var rows []map[string]string
		var rules *yaml.Node
		f.mapping(block, "a repeat", func(key string, value *yaml.Node) bool {
			switch key {
			case "for":
				if err := value.Decode(&rows); err != nil {
					f.fail(value, "for must be a list of mappings from names to texts")
				}
			case "rules":
				rules = value
			default:
				return false
			}
			return true
		})
		if rules == nil || len(rows) == 0 {
			f.fail(block, "a repeat needs the rows to repeat for and the rules")
			continue
		}
		for _, row := range rows {
			if f.ends(block) {
				return
			}
			f.readRules(fill(rules, row, &f.growth))
		}
		f.ends(block) // by what the last row comes to
	}
}

// fill is a template in which every ${name} that has a value is replaced. Where an
// element of a list is only a placeholder, a value with commas makes several elements.
// What has no placeholder inside stays the template's own, and so does all once there is too much.
func fill(n *yaml.Node, row map[string]string, g *growth) *yaml.Node {
	if g.over {
		return n
	}
	if _, later := strictyaml.Later(n); later {
		return fillLater(n, row)
	}
	value := g.fillText(n.Value, row)
	var content []*yaml.Node // nil while it is the template's
	for i, child := range n.Content {
		filled := fill(child, row, g)
		several := n.Kind == yaml.SequenceNode && isPlaceholder(child)
		if content == nil {
			if filled == child && !several {
				continue
			}
			content = append(make([]*yaml.Node, 0, len(n.Content)), n.Content[:i]...)
		}
		if !several {
			content = append(content, filled)
			continue
		}
		for part := range strings.SplitSeq(filled.Value, ",") {
			if !g.take(nodeGrown) {
				break
			}
			item := *filled
			item.Value = strings.TrimSpace(part)
			content = append(content, &item)
		}
	}
	if content == nil && value == n.Value {
		return n
	}
	g.take(nodeGrown)
	c := *n
	c.Value = value
	if content != nil {
		c.Content = content
	}
	return &c
}

// fillLater is a value put off that is to be filled when it is read: each node inside it
// is a mapping of the values for its placeholders.
func fillLater(n *yaml.Node, row map[string]string) *yaml.Node {
	values := &yaml.Node{Kind: yaml.MappingNode}
	for _, name := range NamesIn(n) {
		if value, ok := row[name]; ok && !slices.ContainsFunc(values.Content, func(n *yaml.Node) bool { return n.Value == name }) {
			values.Content = append(values.Content, &yaml.Node{Value: name}, &yaml.Node{Value: value})
		}
	}
	if len(values.Content) == 0 {
		return n
	}
	c := *n
	c.Content = append(slices.Clip(c.Content), values)
	return &c
}

// isFilledLater is true for a placeholder of a value put off that fillLater knows already.
func isFilledLater(n *yaml.Node, name string) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	for _, values := range n.Content {
		for i := 0; i+1 < len(values.Content); i += 2 {
			if values.Content[i].Value == name {
				return true
			}
		}
	}
	return false
}

// readLater reads a value that was put off, and fills it.
func readLater(n *yaml.Node, read func() (*yaml.Node, error)) (*yaml.Node, error) {
	filled, err := read()
	if err != nil {
		return nil, err
	}
	var g growth
	for _, values := range n.Content {
		row := map[string]string{}
		for i := 0; i+1 < len(values.Content); i += 2 {
			row[values.Content[i].Value] = values.Content[i+1].Value
		}
		if filled = fill(filled, row, &g); g.over {
			return nil, errors.New("the values of the examples come to too much")
		}
	}
	return filled, nil
}

func isPlaceholder(n *yaml.Node) bool {
	return strings.HasPrefix(n.Value, "${") && strings.Index(n.Value, "}") == len(n.Value)-1
}
