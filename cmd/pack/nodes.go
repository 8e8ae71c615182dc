package main

import (
	"fmt"
	"os"
	"path/filepath"

	"einvoice/model/embedded"
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
		return nil // the program parses it
	}
	return writeNew(target, nodes)
}
