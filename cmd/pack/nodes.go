package main

import (
	"fmt"
	"os"
	"path/filepath"

	"einvoice/model/embedded"
	"einvoice/model/packed"
	"einvoice/model/strictyaml"
	"einvoice/model/syntax"
	"einvoice/service/catalogue"

	"gopkg.in/yaml.v3"
)

// packNodes stores the nodes of the YAML files that a start needs. Nodes do not tell unknown
// keys, so that each list is read from its text before, which this program has.
func packNodes(folder string) error {
	syntax.Current()
	catalogue.Read()
	for _, pattern := range embedded.Files {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := packNodesOf(file, filepath.Join(folder, embedded.Stored(filepath.ToSlash(file)))); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return nil
}

func packNodesOf(file, target string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return err
	}
	nodes, ok := strictyaml.Store(&doc, nil)
	if !ok {
		if nodes, err = withoutAliases(&doc); err != nil {
			return err
		}
	}
	return packed.WriteNew(target, nodes)
}

// withoutAliases stores what a file says that writes something once and means it twice.
func withoutAliases(doc *yaml.Node) ([]byte, error) {
	var all any
	if err := doc.Decode(&all); err != nil {
		return nil, err
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		return nil, err
	}
	var plain yaml.Node
	if err := yaml.Unmarshal(text, &plain); err != nil {
		return nil, err
	}
	nodes, _ := strictyaml.Store(&plain, nil)
	return nodes, nil
}
