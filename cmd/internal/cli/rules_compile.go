package cli

import (
	"os"
	"path/filepath"

	"einvoice/engine"
	"einvoice/engine/lint"

	"github.com/spf13/cobra"
)

// newRulesCompile writes what a start of the program need not work out again into a
// folder of rulesets; the build of this program calls it on its own.
func newRulesCompile() *cobra.Command {
	return &cobra.Command{
		Use:    "compile DIR",
		Short:  "Check all expressions of a folder of rulesets and store them there, with the nodes of its files and the ids of all rules, for a faster start",
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
			files, err := library.Compile()
			if err != nil {
				return err
			}
			if files[lint.IDsFile], err = lint.CompileIDs(library); err != nil {
				return err
			}
			return writeStore(args[0], files)
		},
	}
}

// writeStore writes the files of the store, and removes those of an earlier one.
func writeStore(dir string, files map[string][]byte) error {
	folder := filepath.Join(dir, engine.StoreFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.bin"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
