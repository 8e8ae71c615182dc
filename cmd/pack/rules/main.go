// Command rules compiles the rulesets: it checks all their expressions, and stores what a start of the
// program then need not work out again. Then it packs them, for a program that is built with the tag
// packed. It has that tag itself, so that what it shares with the program is built once.
//
//	go run ./cmd/pack && go run -tags packed ./cmd/pack/rules
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/model/packed"
)

// folder has the rulesets.
const folder = "rulesets"

func main() {
	if err := compile(); err != nil {
		fmt.Fprintln(os.Stderr, "compile the rules:", err)
		os.Exit(1)
	}
	if err := pack(); err != nil {
		fmt.Fprintln(os.Stderr, "pack the rules:", err)
		os.Exit(1)
	}
}

// compile writes the files of the store, and removes those of an earlier one.
func compile() error {
	library, err := engine.Open(os.DirFS(folder))
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
	old, err := filepath.Glob(filepath.Join(folder, engine.StoreFolder, "*.bin"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if files[filepath.ToSlash(file[len(folder)+1:])] != nil {
			continue
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := packed.WriteNew(filepath.Join(folder, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	return nil
}
