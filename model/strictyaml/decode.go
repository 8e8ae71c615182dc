package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// Decode reads a file of one YAML document into a value, as package yaml does. A key that
// the value has no field for is a mistake, and so is another document after the first,
// which nothing would read. The error of an empty file is io.EOF.
func Decode(data []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return err
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
