package strictyaml

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"einvoice/model/deadline"
)

// Decode reads a file of one YAML document into a value, as package yaml does. A key that
// the value has no field for is a mistake, and so is another document after the first,
// which nothing would read. The error of an empty file is io.EOF.
func Decode(data []byte, into any) error { return DecodeContext(context.Background(), data, into) }

// DecodeContext reads a file as Decode does, until its context is over; the error is the context's
// then.
func DecodeContext(ctx context.Context, data []byte, into any) error {
	err := decode(ctx, data, into)
	if over := deadline.Err(ctx); err != nil && over != nil {
		return over
	}
	return err
}

func decode(ctx context.Context, data []byte, into any) error {
	nodes, isNode := into.(*yaml.Node)
	if !isNode {
		if err := checkKeys(ctx, data); err != nil {
			return err
		}
	}
	decoder := yaml.NewDecoder(deadline.Reader(ctx, bytes.NewReader(data)))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if isNode {
		if err := refuseOverfull(nodes); err != nil {
			return err
		}
	}
	var next yaml.Node
	switch err := decoder.Decode(&next); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("yaml: line %d: the file goes on with another document after ---, which is not read: make it a file of its own", next.Line)
}

// mostKeys bounds the keys of one mapping: package yaml compares each with each.
const mostKeys = 5000

// CheckKeys refuses a file with a mapping of more keys than are compared. What is wrong with
// the file otherwise is for who reads it.
func CheckKeys(data []byte) error { return checkKeys(context.Background(), data) }

func checkKeys(ctx context.Context, data []byte) error {
	if bytes.Count(data, []byte{':'}) <= mostKeys {
		return nil
	}
	var root yaml.Node
	if yaml.NewDecoder(deadline.Reader(ctx, bytes.NewReader(data))).Decode(&root) != nil {
		return nil //nolint:nilerr // told where it is read
	}
	return refuseOverfull(&root)
}

// refuseOverfull refuses nodes with a mapping of too many keys.
func refuseOverfull(root *yaml.Node) error {
	if n := overfull(root); n != nil {
		return fmt.Errorf("yaml: line %d: a mapping has %d keys, and %d are the most: divide it among several files", n.Line, len(n.Content)/2, mostKeys)
	}
	return nil
}

// overfull is a mapping with too many keys; nil without one. What aliases stand for is seen
// where it is.
func overfull(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode && len(n.Content) > 2*mostKeys {
		return n
	}
	for _, child := range n.Content {
		if found := overfull(child); found != nil {
			return found
		}
	}
	return nil
}
