package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Contents counts what a folder of rulesets holds: of a layered one, the upper folder,
// without what its rulesets take over from others.
type Contents struct {
	Files     int `json:"files"`    // all that are read
	Rulesets  int `json:"rulesets"` // versions
	Rules     int `json:"rules"`
	Rows      int `json:"rows"` // rules that are rows of tables
	Examples  int `json:"examples"`
	CodeLists int `json:"codeLists"`
	Profiles  int `json:"profiles"`
	Overlays  int `json:"overlays"`
	Changes   int `json:"changes"`      // of levels, parameters and code lists in overlays
	Invoices  int `json:"invoices"`     // that examples begin with
	Words     int `json:"translations"` // files of other languages
}

// Contents counts what the library's own folder holds. The library must have passed
// Check.
func (l *Library) Contents() (Contents, error) {
	own, _ := l.own()
	var c Contents
	err := EachFile(own, func(name string) error {
		switch kind := kindOf(name); kind {
		case fileOfRules:
			c.Files++
		case fileOfCodes:
			c.Files++
			c.CodeLists++
		case fileOfProfiles:
			c.Files++
			file, err := readProfileFile(own, name)
			if err != nil {
				return err
			}
			c.Profiles += len(file.Profiles)
		case fileOfOverlay:
			c.Files++
			c.Overlays++
			if err := c.addOverlay(l, name); err != nil {
				return err
			}
		case fileOfInvoice:
			c.Files++
			c.Invoices++
		case fileOfFindings:
			c.Files++
		case fileOfWords:
			c.Files++
			c.Words++
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	versions, err := ownVersions(own)
	if err != nil {
		return c, err
	}
	for _, ref := range versions {
		s, err := l.Ruleset(ref)
		if err != nil {
			return c, err
		}
		c.Rulesets++
		c.addRules(s, ref+"/")
	}
	return c, nil
}

// addRules counts the rules that are written in files whose names begin alike.
func (c *Contents) addRules(s *Ruleset, beginning string) {
	for _, r := range s.Rules {
		switch {
		case !strings.HasPrefix(r.file, beginning): // taken over
		case r.Row != nil:
			c.Rows++
		default:
			c.Rules++
			c.Examples += len(r.Examples())
		}
	}
}

func (c *Contents) addOverlay(l *Library, file string) error {
	o, err := l.Overlay(strings.TrimSuffix(path.Base(file), ".yaml"))
	if err != nil {
		return err
	}
	c.Changes += len(o.Levels) + len(o.parameters) + len(o.lists)
	if o.rules != nil {
		c.addRules(o.rules, file)
	}
	return nil
}

// checkFolder reports files that would never be read, and rulesets that take the place of
// others without having all their rules.
func (l *Library) checkFolder() (failures LoadErrors) {
	own, below := l.own()
	read := 0
	err := EachFile(own, func(name string) error {
		if kindOf(name) != fileIgnored {
			read++
		} else if why := neverRead(name); why != "" {
			failures = append(failures, LoadError{File: name, Message: why})
		}
		return nil
	})
	if err != nil {
		return append(failures, LoadError{File: ".", Message: err.Error()})
	}
	if read == 0 && len(failures) == 0 {
		failures = append(failures, LoadError{File: ".", Message: "there is no file of rules in this folder; they are FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml"})
	}
	if below == nil {
		return failures
	}
	base, err := Open(below)
	if err != nil {
		return append(failures, LoadError{File: ".", Message: err.Error()})
	}
	versions, err := ownVersions(own)
	if err != nil {
		return append(failures, LoadError{File: ".", Message: err.Error()})
	}
	for _, ref := range versions {
		failures = append(failures, l.hides(base, ref)...)
	}
	return failures
}

// neverRead says why a file that looks like one of rules is none; "" for files that are
// for people.
func neverRead(name string) string {
	dir, _, _ := strings.Cut(name, "/")
	switch ext := path.Ext(name); {
	case ext != ".yaml" && slices.Contains([]string{".yml", ".yaml"}, strings.ToLower(ext)):
		return "this file is not read, because its name does not end in .yaml: rename it"
	case ext == ".yaml" && slices.Contains(reserved, dir):
		return fmt.Sprintf("this file is not read: the folder %s has its files in it, not in folders below", dir)
	case ext == ".yaml":
		return "this file is not read: rules are in FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml, code lists in codelists/, profiles in profiles/, overlays in overlays/"
	}
	return ""
}

// hides reports a ruleset that takes the place of one of the same version below, but
// lacks rules of it.
func (l *Library) hides(base *Library, ref string) LoadErrors {
	replaced, err := base.Ruleset(ref)
	if err != nil {
		return nil // there is none
	}
	s, err := l.Ruleset(ref)
	if err != nil {
		return nil // reported already
	}
	var lacks []string
	for _, r := range replaced.Rules {
		if _, has := s.byID[r.ID]; !has {
			lacks = append(lacks, r.ID)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	return LoadErrors{{File: ref, Message: fmt.Sprintf(
		"this folder takes the place of the built-in ruleset %s and lacks %d of its %d rules, such as %s: give it a version of its own and the line \"extends: %s\", or copy all files with `einvoice rules export`",
		ref, len(lacks), len(replaced.Rules), lacks[0], ref)}}
}
