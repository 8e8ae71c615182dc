package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/service/inputfile"
)

// A Suite is a folder of test documents.
type Suite struct {
	Name  string
	Cases []*Case
}

// A Case is one document of a suite.
type Case struct {
	Name    string
	Verdict *Verdict // from the suite itself; recorded verdicts are looked up instead if it is nil
	// Fires and Passes are the rules that the authors expect to fire and not to fire.
	Fires, Passes []string

	path string
	data []byte // if the document is only a part of a file
	err  error  // why there is no document
}

// Data is the document.
func (c *Case) Data() ([]byte, error) {
	if c.data != nil || c.err != nil {
		return c.data, c.err
	}
	return os.ReadFile(c.path)
}

// lookUp finds the recorded verdict of a document.
func lookUp(data []byte) (*recorded, error) {
	all, err := recordedVerdicts()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return all[hex.EncodeToString(sum[:])], nil
}

// Collect finds the test documents in folders and all folders below them. A folder with
// verdicts.jsonl or manifest.jsonl is a suite of its own. All other documents belong to
// the suite of the given folder.
func Collect(dirs ...string) ([]*Suite, error) {
	var suites []*Suite
	for _, dir := range dirs {
		if err := inputfile.Folder(dir); err != nil {
			return nil, err
		}
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		c := collector{root: dir, plain: &Suite{Name: filepath.Base(whole)}}
		if err := c.folder(dir); err != nil {
			return nil, err
		}
		if len(c.plain.Cases) > 0 {
			suites = append(suites, c.plain)
		}
		suites = append(suites, c.prepared...)
	}
	return suites, nil
}

type collector struct {
	root     string
	plain    *Suite // all documents that are in no prepared suite
	prepared []*Suite
}

func (c *collector) folder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	suite := c.plain
	var verdicts map[string]Verdict
	var expected map[string]manifestLine
	if isPrepared(dir) {
		suite = &Suite{Name: c.name(dir)}
		if verdicts, err = PreparedVerdicts(dir); err != nil {
			return err
		}
		if expected, err = preparedExpectations(dir); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if err := c.folder(name); err != nil {
				return err
			}
		case !strings.EqualFold(filepath.Ext(e.Name()), ".xml"):
		case suite == c.plain:
			if err := c.file(name); err != nil {
				return err
			}
		default:
			seen[e.Name()] = true
			one := &Case{Name: e.Name(), path: name, Fires: expected[e.Name()].Fires, Passes: expected[e.Name()].Passes}
			if v, ok := verdicts[e.Name()]; ok {
				one.Verdict = &v
			}
			suite.Cases = append(suite.Cases, one)
		}
	}
	if suite == c.plain {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		if !seen[name] {
			suite.Cases = append(suite.Cases, &Case{Name: name, err: missingError(dir, verdictsFile, name)})
			seen[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if !seen[name] {
			suite.Cases = append(suite.Cases, &Case{Name: name, err: missingError(dir, manifestFile, name)})
		}
	}
	c.prepared = append(c.prepared, suite)
	return nil
}

func missingError(dir, file, name string) error {
	return fmt.Errorf("%s names %s, which is not there: %w", filepath.Join(dir, file), name, fs.ErrNotExist)
}

// name is the name of a prepared suite: its path below the given folder.
func (c *collector) name(dir string) string {
	rel, err := filepath.Rel(c.root, dir)
	if err != nil || rel == "." {
		return c.plain.Name
	}
	return filepath.ToSlash(rel)
}

// file adds a document, or all documents that a test file contains.
func (c *collector) file(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(c.root, name)
	if err != nil {
		return err
	}
	rel = filepath.ToSlash(rel)
	var variants []variant
	switch {
	case rootName(data) == "testSet":
		variants, err = readTestSet(data)
	case bytes.Contains(data, []byte("<?xmute")):
		variants, err = readMutations(data)
	default:
		c.plain.Cases = append(c.plain.Cases, &Case{Name: rel, path: name})
		return nil
	}
	if err != nil {
		c.plain.Cases = append(c.plain.Cases, &Case{Name: rel, err: errors.New(name + ": " + err.Error())})
	}
	for _, v := range variants {
		c.plain.Cases = append(c.plain.Cases, &Case{Name: rel + "#" + v.name, data: v.data, Fires: v.fires, Passes: v.passes})
	}
	return nil
}
