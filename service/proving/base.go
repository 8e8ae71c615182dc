package proving

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/formats/schema"
	"einvoice/model"
	"einvoice/model/syntax"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// A base is a document that others are made of.
type base struct {
	name   string
	doc    *model.Document
	draft  *ruletest.Draft
	schema *schema.Schema // that it fits
	root   schema.Element
	size   int
	ours   bool // it ships, so that changes of it can be examples
}

// bases reads the documents of a folder that fit their schema, the smallest first, after
// those that ship.
func bases(library *engine.Library, folder string) ([]*base, error) {
	checks, err := schemas(library)
	if err != nil {
		return nil, err
	}
	var all []*base
	for _, name := range []string{"base-ubl.xml", "base-cii.xml", "credit-note-ubl.xml"} {
		data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
		if err != nil {
			return nil, err
		}
		b := baseOf(name, data, checks)
		if b == nil {
			return nil, fmt.Errorf("%s does not fit its schema", name)
		}
		b.ours = true
		all = append(all, b)
	}
	if folder == "" {
		return all, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.xml"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s holds no XML files to change", folder)
	}
	if err != nil {
		return nil, err
	}
	var read []*base
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if b := baseOf(filepath.Base(file), data, checks); b != nil {
			read = append(read, b)
		}
	}
	slices.SortStableFunc(read, func(a, b *base) int { return a.size - b.size })
	return append(all, read...), nil
}

// schemas are those that a document of a syntax may fit: that of the syntax, then those of
// profiles that extend it.
func schemas(library *engine.Library) (map[model.Syntax][]*schema.Schema, error) {
	out := map[model.Syntax][]*schema.Schema{}
	add := func(s model.Syntax, name string) error {
		if name == "" {
			return nil
		}
		read, err := validate.Schema(name)
		if err == nil && !slices.Contains(out[s], read) {
			out[s] = append(out[s], read)
		}
		return err
	}
	for _, s := range syntax.Current() {
		for _, r := range s.Roots {
			if err := add(model.Syntax(s.ID), r.Schema); err != nil {
				return nil, err
			}
		}
	}
	profiles, err := library.Profiles()
	if err != nil {
		return nil, err
	}
	for _, p := range profiles {
		if p.Extension == "" {
			continue
		}
		if err := add(model.CII, p.Schema); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// baseOf reads a document; nil where it fits no schema, or has names that nobody declares.
func baseOf(name string, data []byte, checks map[model.Syntax][]*schema.Schema) *base {
	doc, err := formats.Read(data, formats.Options{})
	if err != nil || doc.Source == nil {
		return nil
	}
	for _, s := range checks[doc.Syntax] {
		root := doc.Source.NameOf(doc.Source.Name(doc.Source.Root()))
		if !s.Declares(root) || len(s.Check(doc.Source, 1)) > 0 {
			continue
		}
		b := &base{name: name, doc: doc, draft: ruletest.DraftOf(doc.Source, doc.Source.Root()), schema: s, size: len(data)}
		for _, e := range s.Roots() {
			if e.Name() == root.String() {
				b.root = e
			}
		}
		if written(b.draft) {
			return b
		}
	}
	return nil
}

// written reports whether all names have a prefix to be written with.
func written(d *ruletest.Draft) bool {
	return !strings.HasPrefix(d.Name.String(), "Q{") && !slices.ContainsFunc(d.Children, func(c *ruletest.Draft) bool { return !written(c) })
}

// place is the document element.
func (b *base) place() *place { return &place{draft: b.draft, element: b.root, known: true} }
