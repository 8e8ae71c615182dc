// Package tenants has the file of those for whom one service, and one line that watches, work: which
// keys are theirs, and what applies to them.
package tenants

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gopkg.in/yaml.v3"

	"einvoice/model/pattern"
	"einvoice/model/strictyaml"
	"einvoice/server/changed"
)

// A Tenant is one of them.
type Tenant struct {
	Name string `yaml:"-"`
	// Keys are the ids of its API keys. Each belongs to one tenant.
	Keys []string `yaml:"keys"`
	// Overlays apply to whatever is validated for it.
	Overlays []string `yaml:"overlays"`
	// Sources are the folders and archives of the server that its jobs may be about.
	Sources []string `yaml:"sources"`
	// Jobs is how many of its jobs may run or wait at a time; 0, which a file cannot say, for any number.
	Jobs Limit `yaml:"jobs"`
	// KeepDays is how long results of its jobs, and documents that were watched, stay; 0, which a file cannot say, for ever.
	KeepDays Limit `yaml:"keepDays"`
	// Watch is what comes for it without an end; nil for nothing.
	Watch *Watch `yaml:"watch"`
}

// A Watch is a line of a tenant.
type Watch struct {
	In      []string `yaml:"in"`
	Out     string   `yaml:"out"`
	Profile string   `yaml:"as"` // that documents are validated as, whatever they declare
}

// A Limit is a number of 1 or more where it is written.
type Limit int

// UnmarshalYAML reads a limit. An error says that 0 is none: it looks as if nothing were allowed, or kept.
func (l *Limit) UnmarshalYAML(n *yaml.Node) error {
	var limit int
	if err := n.Decode(&limit); err != nil || limit < 1 {
		return fmt.Errorf("line %d: %.40q is not a limit: write a whole number of 1 or more, or leave the key out for no limit", n.Line, n.Value)
	}
	*l = Limit(limit)
	return nil
}

// Owner is whose the jobs of its keys are, which is not an id of a key.
func (t *Tenant) Owner() string { return "tenant " + t.Name }

// name is what a tenant may be called.
var name = pattern.Later(`^[a-z0-9][a-z0-9-]{0,62}$`)

// Read reads a file of tenants, in the order of their names.
func Read(path string) ([]*Tenant, error) {
	data, err := changed.Read("file of tenants", path)
	if err != nil {
		return nil, err
	}
	all, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("tenants %s: %w", path, err)
	}
	return all, nil
}

// Parse reads what a file of tenants has.
func Parse(data []byte) (all []*Tenant, err error) {
	var file struct {
		Tenants map[string]*Tenant `yaml:"tenants"`
	}
	if err := strictyaml.Told(data, strictyaml.Decode(data, &file)); err != nil {
		return nil, err
	}
	keys, outs := map[string]string{}, map[string]string{}
	for _, of := range slices.Sorted(maps.Keys(file.Tenants)) {
		t := file.Tenants[of]
		if t == nil {
			t = &Tenant{}
		}
		t.Name = of
		switch {
		case !name().MatchString(of):
			return nil, fmt.Errorf("%q is not a name of a tenant: use small letters, digits and hyphens, at most 63", of)
		case t.Watch != nil && (len(t.Watch.In) == 0 || t.Watch.Out == ""):
			return nil, fmt.Errorf("tenant %s: watch needs in and out", of)
		}
		for _, key := range t.Keys {
			if other, taken := keys[key]; taken {
				return nil, fmt.Errorf("key %s is of %s and of %s; a key belongs to one tenant", key, other, of)
			}
			keys[key] = of
		}
		if t.Watch != nil {
			if other, taken := outs[t.Watch.Out]; taken {
				return nil, fmt.Errorf("%s and %s have one target %s; each needs its own", other, of, t.Watch.Out)
			}
			outs[t.Watch.Out] = of
		}
		all = append(all, t)
	}
	return all, nil
}

// A Book has the tenants that are valid now. A file that cannot be read leaves them as they are.
type Book struct {
	path    string
	current atomic.Pointer[map[string]*Tenant] // by the ids of their keys, and by their owner

	mu   sync.Mutex
	seen changed.Stamp
	told string // the error of the last Refresh
}

// NewBook returns the book of a file, "" for no tenants.
func NewBook(path string) *Book {
	b := &Book{path: path}
	b.current.Store(&map[string]*Tenant{})
	return b
}

// Refresh reads the file if it changed, or in any case if forced. isNew says of an error that it
// is another one than the last time.
func (b *Book) Refresh(force bool) (isNew bool, err error) {
	if b.path == "" {
		return false, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	stamp, err := changed.StampOf("file of tenants", b.path)
	if err == nil && stamp == b.seen && b.told == "" && !force {
		return false, nil
	}
	var all []*Tenant
	if err == nil {
		all, err = Read(b.path)
	}
	if err != nil {
		isNew, b.told = b.told != err.Error(), err.Error()
		return isNew, err
	}
	b.seen, b.told = stamp, ""
	of := map[string]*Tenant{}
	for _, t := range all {
		of[t.Owner()] = t
		for _, key := range t.Keys {
			of[key] = t
		}
	}
	b.current.Store(&of)
	return true, nil
}

// Of is the tenant of a key, or of an owner of jobs; nil for none.
func (b *Book) Of(key string) *Tenant { return (*b.current.Load())[key] }

// UnknownSources are the sources of tenants that are not among those there are, with their tenants.
func (b *Book) UnknownSources(sources []string) []string {
	return b.unknown(sources, func(t *Tenant) []string { return t.Sources })
}

// UnknownKeys are the ids of keys of tenants that are not among those there are, with their tenants.
func (b *Book) UnknownKeys(ids []string) []string {
	return b.unknown(ids, func(t *Tenant) []string { return t.Keys })
}

func (b *Book) unknown(known []string, named func(*Tenant) []string) (unknown []string) {
	for _, t := range b.all() {
		for _, name := range named(t) {
			if !slices.Contains(known, name) {
				unknown = append(unknown, fmt.Sprintf("%s of tenant %s", name, t.Name))
			}
		}
	}
	slices.Sort(unknown)
	return unknown
}

// all has each tenant once, in the order of their names.
func (b *Book) all() []*Tenant {
	byName := map[string]*Tenant{}
	for _, t := range *b.current.Load() {
		byName[t.Name] = t
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b *Tenant) int { return strings.Compare(a.Name, b.Name) })
}

// Missing is an error if a tenant with keys has an overlay that is not among those there are. Overlays
// of a tenant without keys are those of its line alone, which may be folders.
func (b *Book) Missing(overlays []string) error {
	for _, t := range b.all() {
		if len(t.Keys) == 0 {
			continue
		}
		for _, name := range t.Overlays {
			if !slices.Contains(overlays, name) {
				return fmt.Errorf("tenant %s: there is no overlay %q; put it into the folder of rulesets, or remove it from %s", t.Name, name, b.path)
			}
		}
	}
	return nil
}
