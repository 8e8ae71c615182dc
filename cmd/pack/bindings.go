package main

import (
	"fmt"
	"os"
	"path/filepath"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// packBindings stores the nodes of each table of bindings in a folder of formats.
func packBindings(folder string) error {
	tables, err := filepath.Glob(filepath.Join(folder, "*", "bindings.yaml"))
	if err != nil {
		return err
	}
	for _, table := range tables {
		data, err := os.ReadFile(table)
		if err != nil {
			return err
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		nodes, ok := strictyaml.Store(&doc, nil)
		if !ok {
			continue // the program parses it
		}
		syntax := filepath.Base(filepath.Dir(table))
		if err := writeNew(filepath.Join(folder, "packed", syntax+".bin"), nodes); err != nil {
			return err
		}
	}
	return nil
}
