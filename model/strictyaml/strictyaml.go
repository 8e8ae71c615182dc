// Package strictyaml reads mappings in YAML files that people edit. A key that is
// unknown, occurs twice or uses an alias is a mistake with its position, and is never
// ignored.
//
//	err := strictyaml.Mapping(node, "a rule", func(key string, value *yaml.Node) error {
//		switch key {
//		case "id":
//			rule.ID = value.Value
//		default:
//			return strictyaml.ErrUnknownKey
//		}
//		return nil
//	})
package strictyaml

import (
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"
)

// ErrUnknownKey is what the function that reads the keys returns for an unknown one.
var ErrUnknownKey = errors.New("unknown key")

// An Error is a mistake in a file. Line and Column are counted from 1.
type Error struct {
	Line, Column int
	Message      string
	Key          string // that is not known; "" for another mistake
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Errorf makes the mistake at a node.
func Errorf(n *yaml.Node, format string, args ...any) *Error {
	return &Error{Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

// Errors are all mistakes of a mapping, in the order of the file.
type Errors []error

func (e Errors) Error() string { return errors.Join(e...).Error() }

// Unwrap gives the mistakes one by one.
func (e Errors) Unwrap() []error { return e }

// Mapping calls read for each key of a mapping, with its value. It returns all mistakes
// together as Errors: its own, each an *Error, and those of read unchanged. what is the
// name of the mapping in messages.
func Mapping(n *yaml.Node, what string, read func(key string, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return Errors{Errorf(n, "%s must be a mapping of keys to values, such as {name: value}", what)}
	}
	var mistakes Errors
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if err := pair(key, value, what, seen, read); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	if mistakes == nil {
		return nil
	}
	return mistakes
}

func pair(key, value *yaml.Node, what string, seen map[string]bool, read func(string, *yaml.Node) error) error {
	if key.Kind == yaml.AliasNode || value.Kind == yaml.AliasNode {
		return Errorf(key, "aliases are not supported in %s", what)
	}
	if seen[key.Value] {
		return Errorf(key, "the key %q is written twice", key.Value)
	}
	seen[key.Value] = true
	err := read(key.Value, value)
	if errors.Is(err, ErrUnknownKey) {
		mistake := Errorf(key, "unknown key %q in %s", key.Value, what)
		mistake.Key = key.Value
		return mistake
	}
	return err
}
