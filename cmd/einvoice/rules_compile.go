package main

import (
	"os"
	"path/filepath"

	"einvoice/engine"

	"github.com/spf13/cobra"
)

// newRulesCompile writes the store of checked expressions and the ids of a folder of
// rulesets; the build of this program calls it on its own.
func newRulesCompile() *cobra.Command {
	return &cobra.Command{
		Use:    "compile DIR",
		Short:  "Check all expressions of a folder of rulesets and store them there, with the ids of all rules, for a faster start",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			edited, err := openFolder(args[0])
			if err != nil {
				return err
			}
			library, err := engine.Open(edited)
			if err != nil {
				return err
			}
			store, err := library.CompileExpressions()
			if err != nil {
				return err
			}
			ids, err := library.CompileIDs()
			if err != nil {
				return err
			}
			for name, content := range map[string][]byte{engine.StoreFile: store, engine.IDsFile: ids} {
				file := filepath.Join(args[0], filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					return err
				}
				if err := os.WriteFile(file, content, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
