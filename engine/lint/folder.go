package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model/numeral"
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
	Tables    int `json:"tables"` // that rules look rows up in
	Profiles  int `json:"profiles"`
	Overlays  int `json:"overlays"`
	Changes   int `json:"changes"`      // of levels, parameters and code lists in overlays
	Invoices  int `json:"invoices"`     // that examples begin with
	Words     int `json:"translations"` // files of other languages
}

// ContentsOf counts what the library's own folder holds. The library must have passed
// Check.
func ContentsOf(l *engine.Library) (Contents, error) {
	own, _ := l.Own()
	var c Contents
	profiles, err := l.Profiles()
	if err != nil {
		return c, err
	}
	err = engine.EachFile(own, func(name string) error {
		switch kind := engine.KindOf(name); kind {
		case engine.FileOfRules:
			c.Files++
		case engine.FileOfCodes:
			c.Files++
			c.CodeLists++
		case engine.FileOfTable:
			c.Files++
			c.Tables++
		case engine.FileOfRows:
			c.Files++
		case engine.FileOfProfiles:
			c.Files++
			for _, p := range profiles {
				if p.File == name {
					c.Profiles++
				}
			}
		case engine.FileOfOverlay:
			c.Files++
			c.Overlays++
			if err := c.addOverlay(l, name); err != nil {
				return err
			}
		case engine.FileOfInvoice:
			c.Files++
			c.Invoices++
		case engine.FileOfFindings:
			c.Files++
		case engine.FileOfWords:
			c.Files++
			c.Words++
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	versions, err := engine.OwnVersions(own)
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
func (c *Contents) addRules(s *engine.Ruleset, beginning string) {
	for _, r := range s.Rules {
		switch {
		case !strings.HasPrefix(r.File(), beginning): // taken over
		case r.Row != nil:
			c.Rows++
		default:
			c.Rules++
			c.Examples += len(r.Examples())
		}
	}
}

func (c *Contents) addOverlay(l *engine.Library, file string) error {
	o, err := l.Overlay(strings.TrimSuffix(path.Base(file), ".yaml"))
	if err != nil {
		return err
	}
	c.Changes += len(o.Levels) + len(o.Parameters) + len(o.Lists)
	if o.Rules() != nil {
		c.addRules(o.Rules(), file)
	}
	return nil
}

// checkFolder reports files that would never be read, and rulesets that take the place of
// others without having all their rules.
func checkFolder(l *engine.Library) (failures engine.LoadErrors) {
	own, below := l.Own()
	read := 0
	err := engine.EachFile(own, func(name string) error {
		if engine.KindOf(name) != engine.FileIgnored {
			read++
		} else if why := neverRead(name); why != "" {
			failures = append(failures, engine.LoadError{File: name, Message: why})
		}
		return nil
	})
	if err != nil {
		return append(failures, engine.LoadError{File: ".", Message: err.Error()})
	}
	if read == 0 && len(failures) == 0 {
		failures = append(failures, engine.LoadError{File: ".", Message: "there is no file of rules in this folder; they are FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml"})
	}
	if below == nil {
		return failures
	}
	base, err := engine.Open(below)
	if err != nil {
		return append(failures, engine.LoadError{File: ".", Message: err.Error()})
	}
	versions, err := engine.OwnVersions(own)
	if err != nil {
		return append(failures, engine.LoadError{File: ".", Message: err.Error()})
	}
	for _, ref := range versions {
		failures = append(failures, hides(l, base, ref)...)
	}
	return failures
}

// neverRead says why a file that looks like one of rules is none; "" for files that are
// for people.
func neverRead(name string) string {
	dir, _, _ := strings.Cut(name, "/")
	switch ext := path.Ext(name); {
	case dir == engine.FolderOfTables && ext != ".yaml" && ext != ".md":
		return "this file is not read: the rows of a table are tables/NAME.csv, beside tables/NAME.yaml, which declares it; no other format is read"
	case ext != ".yaml" && slices.Contains([]string{".yml", ".yaml"}, strings.ToLower(ext)):
		return "this file is not read, because its name does not end in .yaml: rename it"
	case ext == ".yaml" && slices.Contains(engine.Reserved, dir):
		if dir == words.Folder {
			return "this file is not read: translated texts are in languages/TAG/, at the path of what they translate, such as languages/de/company/1/orders.yaml"
		}
		return fmt.Sprintf("this file is not read: the folder %s has its files in it, not in folders below", dir)
	case ext == ".yaml":
		return "this file is not read: rules are in FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml, code lists in codelists/, profiles in profiles/, overlays in overlays/"
	}
	return ""
}

// hides reports a ruleset that takes the place of one of the same version below, but
// lacks rules of it.
func hides(l *engine.Library, base *engine.Library, ref string) engine.LoadErrors {
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
		if _, has := s.ByID[r.ID]; !has {
			lacks = append(lacks, r.ID)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	return engine.LoadErrors{{File: ref, Message: fmt.Sprintf(
		"this folder takes the place of the built-in ruleset %s and lacks %d of its %s, such as %s: give it a version of its own and the line \"extends: %s\", or copy all files with `einvoice rules export`",
		ref, len(lacks), numeral.Count(len(replaced.Rules), "rule"), lacks[0], ref)}}
}
