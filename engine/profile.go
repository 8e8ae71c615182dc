package engine

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"
)

// FolderOfProfiles is the folder that has them.
const FolderOfProfiles = "profiles"

// A Profile says which rulesets an invoice that declares it must follow. It is
// recognised by the specification identifier (BT-24).
type Profile struct {
	ID               string   `yaml:"id"`
	Name             string   `yaml:"name"`
	Standard         string   `yaml:"standard"`
	SpecificationIDs []string `yaml:"specificationIds"`
	// SpecificationPrefixes recognise whatever identifier begins with one of them and
	// no profile has as a whole.
	SpecificationPrefixes []string `yaml:"specificationPrefixes"`
	// Declares is the identifier to write into documents of the profile; the first
	// of SpecificationIDs without it. A profile that shares its identifier with
	// another has it and is not recognised by it.
	Declares string   `yaml:"declares"`
	Rulesets []string `yaml:"rulesets"`
	// ValidatedAs is the id of the profile whose rules are run because those of this
	// one are not in the library; standard and rulesets are then that profile's.
	ValidatedAs string `yaml:"validatedAs"`
	// Syntax is the only one that the profile is defined in; "" for any.
	Syntax model.Syntax `yaml:"syntax"`
	// Schema is the profile's own schema, which allows less than that of the syntax.
	Schema string `yaml:"schema"`
	// Extension is the extension of EN 16931 whose terms invoices of the profile can
	// have; "" for none.
	Extension string `yaml:"extension"`
	// Overlays are the names of those that apply to documents of the profile, and of all
	// profiles; the first that names a finding decides.
	Overlays []string `yaml:"overlays"`
	// Default marks the profile of documents that no other profile knows.
	Default bool `yaml:"default"`
	// Hybrid says how the invoice is attached to a PDF; nil where the profile does not
	// define that.
	Hybrid *Hybrid `yaml:"hybrid"`

	File       string        // that it is written in
	substitute *Profile      // that ValidatedAs names
	own        int           // how many of Overlays are the profile's own
	resolved   *profileStack // that Overlays name, once they were needed
}

// A Hybrid is what a profile requires of the PDF that an invoice is attached to.
type Hybrid struct {
	// Profile is the one to use instead where the invoice is in a PDF, for a profile
	// that shares its specification identifier with it; "" for the profile itself.
	Profile          string `yaml:"profile"`
	FileName         string `yaml:"fileName"`         // of the invoice in the PDF
	ConformanceLevel string `yaml:"conformanceLevel"` // the profile's name in the XMP metadata
	Version          string `yaml:"version"`          // in the XMP metadata
	Relationship     string `yaml:"relationship"`     // of the invoice to the PDF (AFRelationship)
	// Accepted are the relationships that are tolerated beside Relationship.
	Accepted []string `yaml:"accepted"`
}

// Stamp is the specification identifier of documents that are made for the
// profile; "" if it has none.
func (p *Profile) Stamp() string {
	if p.Declares == "" && len(p.SpecificationIDs) > 0 {
		return p.SpecificationIDs[0]
	}
	return p.Declares
}

type profileFile struct {
	Profiles []*Profile `yaml:"profiles"`
	// Overlays apply to documents of every profile, after the profile's own.
	Overlays []string `yaml:"overlays"`
}

// Profiles are the profiles of the library, in file order.
func (l *Library) Profiles() ([]*Profile, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.profiles != nil {
		return l.profiles, nil
	}
	files, err := fs.Glob(l.fsys, FolderOfProfiles+"/*.yaml")
	if err != nil {
		return nil, err
	}
	var profiles []*Profile
	var shared []string
	for _, file := range files {
		f, err := l.readProfileFile(file)
		if err != nil {
			return nil, err
		}
		for _, p := range f.Profiles {
			if err := checkProfile(p, profiles); err != nil {
				return nil, LoadError{File: file, Message: err.Error()}
			}
			p.File = file
			profiles = append(profiles, p)
		}
		shared = append(shared, f.Overlays...)
	}
	if err := substitute(profiles); err != nil {
		return nil, err
	}
	l.declared = map[string]*Profile{}
	for _, p := range profiles {
		p.own = len(p.Overlays)
		p.Overlays = slices.Concat(p.Overlays, shared)
		for _, id := range p.SpecificationIDs {
			l.declared[id] = p
		}
	}
	l.profiles = profiles
	return profiles, nil
}

func (l *Library) readProfileFile(name string) (*profileFile, error) {
	c, err := l.open(name)
	if err != nil {
		return nil, err
	}
	f := &profileFile{}
	if err := c.decode(f); err != nil {
		return nil, c.mistakes(err)
	}
	return f, nil
}

func checkProfile(p *Profile, others []*Profile) error {
	if p.ID == "" || p.Name == "" || p.ValidatedAs == "" && (p.Standard == "" || len(p.Rulesets) == 0) {
		return fmt.Errorf("profile %q needs id, name, standard and rulesets", p.ID)
	}
	if h := p.Hybrid; h != nil && (h.FileName == "" || h.ConformanceLevel == "" || h.Version == "" || h.Relationship == "") {
		return fmt.Errorf("hybrid of profile %s needs fileName, conformanceLevel, version and relationship", p.ID)
	}
	for _, other := range others {
		if other.ID == p.ID {
			return fmt.Errorf("profile %s is defined twice", p.ID)
		}
		if p.Default && other.Default {
			return fmt.Errorf("profiles %s and %s are both the default", other.ID, p.ID)
		}
		for _, id := range slices.Concat(p.SpecificationIDs, p.SpecificationPrefixes) {
			if slices.Contains(other.SpecificationIDs, id) || slices.Contains(other.SpecificationPrefixes, id) {
				return fmt.Errorf("profiles %s and %s are recognised by the same specification identifier", p.ID, other.ID)
			}
		}
	}
	return nil
}

// Profile finds a profile by its id.
func (l *Library) Profile(id string) (*Profile, error) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, p := range profiles {
		if p.ID == id {
			return p, nil
		}
		ids = append(ids, p.ID)
	}
	return nil, &NotFoundError{Kind: "profile", Name: id, Known: ids}
}

// Detect finds the profile that an invoice declares; known is false when no profile
// has the identifier and the default is used.
func (l *Library) Detect(inv *model.Invoice) (p *Profile, known bool, err error) {
	return l.detect(xpath.NormalizeSpace(inv.SpecificationID.Raw))
}

func (l *Library) detect(declared string) (p *Profile, known bool, err error) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil, false, err
	}
	if p := l.declared[declared]; p != nil {
		return p, true, nil
	}
	if p := byPrefix(profiles, declared); p != nil {
		return p, true, nil
	}
	p, err = l.DefaultProfile()
	return p, false, err
}

// DefaultProfile is that of documents whose own profile is not known.
func (l *Library) DefaultProfile() (*Profile, error) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(profiles, func(p *Profile) bool { return p.Default })
	if i < 0 {
		return nil, fmt.Errorf("%s marks no profile as default, for documents of unknown profiles", FolderOfProfiles+"/*.yaml")
	}
	return profiles[i], nil
}

// DefinedIn reports whether the profile is defined in a syntax. An invoice without a
// document is in none.
func (p *Profile) DefinedIn(s model.Syntax) bool { return p.Syntax == "" || s == "" || s == p.Syntax }

// VersionFor names the version of a ruleset family that an invoice's profile uses,
// or the family alone, which means its newest version, if the profile uses none.
// An identifier that continues a known one after a #, as that of a CIUS of a CIUS
// does, is treated as the known one.
func (l *Library) VersionFor(family string, inv *model.Invoice) (string, error) {
	p, known, err := l.Detect(inv)
	for declared := inv.SpecificationID.Raw; err == nil && !known && declared != ""; {
		declared = declared[:max(0, strings.LastIndexByte(declared, '#'))]
		p, known, err = l.detect(declared)
	}
	if err != nil || !known {
		return family, nil //nolint:nilerr // without profiles every family means its newest version
	}
	for _, ref := range p.Rulesets {
		if name, _, versioned := strings.Cut(ref, "/"); versioned && name == family {
			return ref, nil
		}
	}
	return family, nil
}
