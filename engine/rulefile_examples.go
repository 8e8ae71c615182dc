package engine

import (
	"strings"
	"sync"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// examples reads the examples of a rule, at once where they may hold mistakes. The store
// has those that were read before; validation needs none of them.
func (f *ruleFile) examples(n *yaml.Node) func() []Example {
	stored, later := strictyaml.Later(n)
	if !later {
		list := f.readExamples(n)
		return func() []Example { return list }
	}
	return sync.OnceValue(func() []Example {
		n, err := readLater(n, stored)
		if err != nil { // a damaged store: the check reports a rule without examples
			return nil
		}
		return f.readExamples(n)
	})
}

func (f *ruleFile) readExamples(n *yaml.Node) (examples []Example) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "examples must be a list")
		return nil
	}
	for item := range f.items(n) {
		e := Example{Node: item}
		outcome := ""
		known := f.mapping(item, "an example", func(key string, value *yaml.Node) bool {
			switch key {
			case "passes", "fires":
				outcome += key
				e.Fires = key == "fires"
				if value.Kind == yaml.ScalarNode {
					e.Base = value.Value
				} else {
					e.Changes = f.changes(value)
				}
			case "base":
				e.Base = f.scalar(value)
			case "in":
				e.Syntax = f.syntax(value)
			default:
				return false
			}
			return true
		})
		if outcome != "passes" && outcome != "fires" && known {
			f.fail(item, "an example says either passes or fires")
		}
		examples = append(examples, e)
	}
	return examples
}

// changes reads what an example changes.
func (f *ruleFile) changes(n *yaml.Node) []Change {
	var set map[string]any
	if err := n.Decode(&set); err != nil {
		f.fail(n, "an example is the name of a base invoice or the fields to change in it")
		return nil
	}
	changes := make([]Change, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		changes = append(changes, Change{n.Content[i].Value, n.Content[i+1]})
	}
	return changes
}

func join[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = string(list[i])
	}
	return strings.Join(texts, ", ")
}
