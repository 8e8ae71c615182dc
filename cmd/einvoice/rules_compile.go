package main

import (
	"os"
	"path/filepath"

	"einvoice/engine"

	"github.com/spf13/cobra"
)

// newRulesCompile writes the store of checked expressions of a folder of
// rulesets; the build of this program calls it on its own.
func newRulesCompile() *cobra.Command {
	return &cobra.Command{
		Use:    "compile DIR",
		Short:  "Check all expressions of a folder of rulesets and store them there for a faster start",
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
			file := filepath.Join(args[0], filepath.FromSlash(engine.StoreFile))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			return os.WriteFile(file, store, 0o644)
		},
	}
}
