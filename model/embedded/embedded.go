// Package embedded reads YAML files that the program embeds and that its start needs. A
// program with the build tag packed has the nodes of these files as cmd/pack stored them, and
// parses none of them.
//
//	err := embedded.Decode("model/syntax/syntaxes.yaml", text, &list)
package embedded

import (
	"path"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// Files are the files, as patterns in the folder of the project.
var Files = []string{"model/syntax/syntaxes.yaml", "service/catalogue/formats.yaml", "cmd/internal/cli/mustang.yaml", "formats/*/bindings.yaml"}

// Stored is the name that the nodes of a file have.
func Stored(file string) string { return path.Base(path.Dir(file)) + "-" + path.Base(file) + ".bin" }

// Decode reads a file into a value, as strictyaml.Decode does; but nodes do not tell unknown
// keys. cmd/pack, or a test, reads the text strictly.
func Decode(file string, text []byte, into any) error {
	if doc := nodes(file); doc != nil {
		return doc.Decode(into)
	}
	return strictyaml.Decode(text, into)
}

// Node is the one document of a file.
func Node(file string, text []byte) (*yaml.Node, error) {
	if doc := nodes(file); doc != nil {
		return doc, nil
	}
	doc := new(yaml.Node)
	return doc, yaml.Unmarshal(text, doc)
}

// nodes are the stored nodes of a file; nil for none.
func nodes(file string) *yaml.Node {
	doc, err := strictyaml.Stored(stored(file))
	if err != nil {
		return nil
	}
	return doc
}
