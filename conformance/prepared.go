package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"einvoice/engine"
)

// The files of a prepared suite.
const (
	verdictsFile = "verdicts.jsonl" // the artefacts' verdict on each document
	manifestFile = "manifest.jsonl" // what the authors expect for each document
)

type verdictLine struct {
	File   string                        `json:"file"`
	Schema *bool                         `json:"schema"`
	Fired  map[string]map[string]*string `json:"fired"`
	Error  *string                       `json:"error"`
}

type manifestLine struct {
	File   string   `json:"file"`
	Fires  []string `json:"fires"`
	Passes []string `json:"passes"`
}

// PreparedVerdicts reads the verdicts of a prepared suite, by document. Without a file
// there are none.
func PreparedVerdicts(dir string) (map[string]Verdict, error) {
	out := map[string]Verdict{}
	err := eachLine(filepath.Join(dir, verdictsFile), func(line verdictLine) error {
		if line.File == "" || line.Schema == nil {
			return errors.New("a verdict needs file and schema")
		}
		v := Verdict{SchemaValid: *line.Schema, Stopped: line.Error != nil, Fired: map[string]map[string]engine.Level{}}
		for artefact, fired := range line.Fired {
			levels := map[string]engine.Level{}
			for rule, level := range fired {
				levels[rule] = engine.Fatal // the level of rules for which an artefact gives none
				if level != nil && *level != "null" {
					levels[rule] = engine.Level(*level)
				}
			}
			v.Fired[artefact] = levels
		}
		out[line.File] = v
		return nil
	})
	return out, err
}

func preparedExpectations(dir string) (map[string]manifestLine, error) {
	out := map[string]manifestLine{}
	err := eachLine(filepath.Join(dir, manifestFile), func(line manifestLine) error {
		if line.File == "" {
			return errors.New("an expectation needs file")
		}
		out[line.File] = line
		return nil
	})
	return out, err
}

// eachLine decodes a file with one JSON object per line. A file that does not exist has
// no lines.
func eachLine[T any](name string, yield func(T) error) error {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var line T
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if err := yield(line); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func isPrepared(dir string) bool {
	for _, name := range []string{verdictsFile, manifestFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
