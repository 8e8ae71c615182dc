// Command record writes the verdicts of the published artefacts on the documents of
// prepared suites into the text files in conformance/verdicts:
//
//	go run ./conformance/record -out conformance/verdicts ../shared/suites ../shared/more
//
// Run it again when there is a new release of a suite or an artefact.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"einvoice/conformance"
)

func main() {
	out := flag.String("out", "conformance/verdicts", "folder to write into")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: record [-out DIR] SUITES...")
		os.Exit(2)
	}
	for _, dir := range flag.Args() {
		if err := record(dir, *out, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "record:", err)
			os.Exit(2)
		}
	}
}

// record writes one file for each suite in a folder and the folders below it.
func record(dir, out string, log *os.File) error {
	suites := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		verdicts, err := conformance.PreparedVerdicts(path)
		if err != nil || len(verdicts) == 0 {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		suites++
		fmt.Fprintf(log, "%s: %d documents\n", name, len(verdicts))
		return write(filepath.Join(out, strings.ReplaceAll(name, "/", "-")+".txt"), name, path, verdicts)
	})
	if err == nil && suites == 0 {
		return fmt.Errorf("no folder below %s holds verdicts.jsonl", dir)
	}
	return err
}

func write(file, suite, dir string, verdicts map[string]conformance.Verdict) error {
	entries := make([]conformance.Entry, 0, len(verdicts))
	for name, v := range verdicts {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		entries = append(entries, conformance.Entry{SHA256: hex.EncodeToString(sum[:]), Name: name, Verdict: v})
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := conformance.WriteVerdicts(f, suite, entries); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
