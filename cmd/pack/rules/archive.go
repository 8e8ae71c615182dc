package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"slices"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/model/packed"
	"einvoice/rulesets/archive"
)

// everyday are the rulesets that most documents are validated by. What was compiled of them is
// read where it lies; what was compiled of the others, six sevenths of all, is compressed, and
// takes a few milliseconds when a document needs it. So are the schemas: the first document in a
// syntax waits a millisecond.
var everyday = []string{"en16931/1.3.16", "xrechnung/3.0"}

// pack writes the files that package rulesets embeds into an archive.
func pack() error {
	files := os.DirFS(folder)
	seldom, err := compiledOfOthers(files)
	if err != nil {
		return err
	}
	names, err := embedded(files)
	if err != nil {
		return err
	}
	text, err := archive.Write(files, names, func(name string) bool {
		return path.Dir(name) == engine.StoreFolder && !seldom[name]
	})
	if err != nil {
		return err
	}
	return packed.WriteNew(folder+"/packed/rulesets.archive", text)
}

// embedded names the files that package rulesets embeds without the tag.
func embedded(files fs.FS) (names []string, err error) {
	for _, pattern := range []string{"*/*.yaml", "*/*/*.yaml", "examples/*.xml", "schemas/*.txt"} {
		found, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	for _, folder := range []string{engine.StoreFolder, "languages"} {
		found, err := archive.Names(files, folder)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// compiledOfOthers names what was compiled of the rulesets that are not of every day, and the ids
// that a check of rules compares with.
func compiledOfOthers(rules fs.FS) (map[string]bool, error) {
	seldom := map[string]bool{lint.IDsFile: true}
	files, err := fs.Glob(rules, "*/*/*.yaml")
	for _, file := range files {
		ruleset := path.Dir(file)
		if slices.Contains(everyday, ruleset) {
			continue
		}
		text, err := fs.ReadFile(rules, file)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		seldom[engine.NodesFile(hex.EncodeToString(sum[:]))] = true
		seldom[engine.ExpressionsFile(path.Dir(ruleset), path.Base(ruleset))] = true
	}
	return seldom, err
}
