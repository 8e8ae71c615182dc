package engine

import (
	"encoding"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"

	"einvoice/engine/expr"
	"einvoice/model/strictyaml"
)

// StoreFolder is where a library may hold what a start of the program then need not work
// out again: its expressions ready checked, and the nodes of its rule files, code
// lists, profiles and overlays, each under the digest of the file.
const StoreFolder = "compiled"

// ExpressionsFile is where the store has the expressions of a ruleset.
func ExpressionsFile(family, version string) string {
	return StoreFolder + "/expressions-" + family + "-" + version + ".bin"
}

// NodesFile is where the store has the nodes of a YAML file with this SHA-256.
func NodesFile(digest string) string { return StoreFolder + "/" + digest + ".bin" }

// addStore adds the store of a ruleset to those that expressions are looked up in; there
// may be none. It is read when an expression is compiled. The library is locked.
func (l *Library) addStore(family, version string) {
	have := *l.stores.Load()
	more := append(slices.Clip(have), sync.OnceValue(func() *expr.Store {
		text, err := readText(l.fsys, ExpressionsFile(family, version))
		if err != nil {
			return nil
		}
		return expr.OpenStore(text)
	}))
	l.stores.Store(&more)
}

// openStores yields the stores of the rulesets that were read.
func (l *Library) openStores(yield func(*expr.Store) bool) {
	for _, store := range *l.stores.Load() {
		if !yield(store()) {
			return
		}
	}
}

// Compile checks every expression of every ruleset, reads all files of rules and code
// lists, and returns the files of StoreFolder by name.
func (l *Library) Compile() (files map[string][]byte, err error) {
	families, err := l.Versions()
	if err != nil {
		return nil, err
	}
	files = map[string][]byte{}
	if err := l.CheckCodeLists().ErrOrNil(); err != nil {
		return nil, err
	}
	if _, err := l.Profiles(); err != nil {
		return nil, err
	}
	for _, folder := range []string{FolderOfCodeLists, FolderOfProfiles, FolderOfOverlays} {
		if err := l.storeNodes(files, folder); err != nil {
			return nil, err
		}
	}
	for family, versions := range families {
		for _, version := range versions {
			store := expr.Checked{}
			if err := l.storeNodes(files, path.Join(family, version)); err != nil {
				return nil, err
			}
			if err := l.storeDigest(files, path.Join(family, version)); err != nil {
				return nil, err
			}
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				return nil, err
			}
			for _, r := range s.Rules {
				if err := r.store(store); err != nil {
					return nil, fmt.Errorf("rule %s: %w", r.ID, err)
				}
			}
			if len(store) > 0 {
				files[ExpressionsFile(family, version)] = store.Encode()
			}
		}
	}
	return files, nil
}

// storeNodes adds the nodes of the files of a folder.
func (l *Library) storeNodes(to map[string][]byte, folder string) error {
	names, err := fs.Glob(l.fsys, folder+"/*.yaml")
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := fs.ReadFile(l.fsys, name)
		if err != nil {
			return err
		}
		var doc yaml.Node
		if err := strictyaml.Decode(data, &doc); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if nodes, ok := strictyaml.Store(&doc, isReadLater); ok {
			to[NodesFile(hexDigest(data))] = nodes
		}
	}
	return nil
}

// storeDigest adds the state of the digest of the files of a ruleset.
func (l *Library) storeDigest(to map[string][]byte, folder string) error {
	names, err := fs.Glob(l.fsys, folder+"/*.yaml")
	if err != nil {
		return err
	}
	var files []*ruleFile
	for _, name := range names {
		c, err := l.open(name)
		if err != nil {
			return err
		}
		files = append(files, newRuleFile(c))
	}
	digest, err := l.digestFiles(files)
	if err != nil {
		return err
	}
	state, err := digest.(encoding.BinaryMarshaler).MarshalBinary()
	to[stateFile(files)] = state
	return err
}

// isReadLater is true for what validation does not need.
func isReadLater(key string) bool { return key == "examples" }

// store adds the expressions of a rule.
func (r *Rule) store(to expr.Checked) error {
	if r.Row != nil {
		return nil
	}
	for _, syntax := range Syntaxes {
		form, ok := r.Form(syntax)
		if !ok || form.Context.Value == "" {
			continue
		}
		g, err := newRuleGroup(form.Context.Value)
		if err != nil {
			return err
		}
		for _, this := range g.Types() {
			for _, text := range append(MessageExpressions(form.Message.Value), form.Assert.Value) {
				if err := to.Add(text, this); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
