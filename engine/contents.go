package engine

import (
	"bytes"
	"errors"
	"io/fs"

	"gopkg.in/yaml.v3"

	"einvoice/engine/words"
	"einvoice/model/strictyaml"
)

// A prepared folder knows the digests of its files, and has texts that are read without a
// copy. The folder of the rules that ship is one.
type prepared interface {
	// Digest is the SHA-256 of a file in hexadecimal digits; false where it is not known.
	Digest(name string) (digest string, known bool)
	// Text is what a file holds; false where it has to be read.
	Text(name string) (text string, held bool)
}

// contents are those of a file of YAML. Its text is read when it is asked for: where the
// folder knows the digest and the store has the nodes, nothing asks.
type contents struct {
	library *Library
	name    string
	digest  string // the SHA-256 in hexadecimal digits
	text    []byte
}

// open opens a file of YAML. Whoever reads many rulesets ends here once reading is to end,
// also where the store has them and nothing is parsed.
func (l *Library) open(name string) (*contents, error) {
	if err := l.Ended(); err != nil {
		return nil, err
	}
	c := &contents{library: l, name: name}
	if folder, ok := l.fsys.(prepared); ok {
		if digest, known := folder.Digest(name); known {
			c.digest = digest
			return c, nil
		}
	}
	text, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		return nil, err
	}
	c.text, c.digest = text, hexDigest(text)
	return c, nil
}

// read is the text of the file.
func (c *contents) read() ([]byte, error) {
	if c.text == nil {
		text, err := fs.ReadFile(c.library.fsys, c.name)
		if err != nil {
			return nil, err
		}
		c.text = text
	}
	return c.text, nil
}

// stored are the nodes of the file that the store has; nil for none.
func (c *contents) stored() *yaml.Node {
	text, err := readText(c.library.fsys, NodesFile(c.digest))
	if err != nil {
		return nil
	}
	doc, err := strictyaml.Stored(text)
	if err != nil {
		return nil
	}
	return doc
}

// node is the one document of the file, from the store if that has it.
func (c *contents) node() (*yaml.Node, error) {
	if doc := c.stored(); doc != nil {
		return doc, nil
	}
	doc := new(yaml.Node)
	return doc, c.parse(doc)
}

// decode reads the one document of the file into a value, from the store if that has it.
func (c *contents) decode(into any) error {
	if doc := c.stored(); doc != nil {
		return doc.Decode(into)
	}
	return c.parse(into)
}

// mistakes are those that keep the file from being read.
func (c *contents) mistakes(err error) LoadErrors {
	return yamlErrors(c.library.Context(), c.name, c.text, err)
}

func (c *contents) parse(into any) error {
	text, err := c.read()
	if err != nil {
		return err
	}
	if err := c.library.pay(costOf(text)); err != nil {
		return err
	}
	return strictyaml.DecodeContext(c.library.Context(), text, into)
}

// reading is how the files of a language are read: as those of rules are.
func (l *Library) reading() words.Reading {
	grown := growth{library: l}
	return words.Reading{
		Decode: func(file string, into any) error {
			c, err := l.open(file)
			if err != nil {
				return err
			}
			return c.parse(into)
		},
		Grow: grown.take,
	}
}

// costOf is the memory that reading a file of YAML takes at most, in bytes: each node, and there is
// one for each sign between them, is a few hundred.
func costOf(text []byte) int {
	nodes := 1
	for _, sign := range []byte("\n,:-[{") {
		nodes += bytes.Count(text, []byte{sign})
	}
	return 3*len(text) + 450*nodes
}

// readText reads a whole file, without a copy where the folder holds its text.
func readText(fsys fs.FS, name string) (string, error) {
	if folder, ok := fsys.(prepared); ok {
		if text, held := folder.Text(name); held {
			return text, nil
		}
	}
	data, err := fs.ReadFile(fsys, name)
	return string(data), err
}

// Digest is that of the file where it is; see prepared.
func (l layered) Digest(name string) (string, bool) {
	if folder, ok := l.preparedFolder(name); ok {
		return folder.Digest(name)
	}
	return "", false
}

// Text is that of the file where it is; see prepared.
func (l layered) Text(name string) (string, bool) {
	if folder, ok := l.preparedFolder(name); ok {
		return folder.Text(name)
	}
	return "", false
}

// preparedFolder is the one of both folders that has a file, if it is prepared.
func (l layered) preparedFolder(name string) (prepared, bool) {
	within := l.upper
	if _, err := fs.Stat(l.upper, name); errors.Is(err, fs.ErrNotExist) && !l.replaced(name) {
		within = l.lower
	}
	folder, ok := within.(prepared)
	return folder, ok
}
