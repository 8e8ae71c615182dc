package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"einvoice/model/pattern"
)

// A Notice is what is said in a finding that the program makes itself, such as one of
// the XML schema check. The files findings/*.yaml of a library hold them. {names} in
// id, message and text are filled in when a finding is made.
type Notice struct {
	ID      string   `yaml:"id"`
	Layer   Layer    `yaml:"layer"`
	Level   Level    `yaml:"level"`
	BTCodes []string `yaml:"btCodes"`
	Fields  []string `yaml:"fields"`
	Message string   `yaml:"message"`
	Text    string   `yaml:"text"`
	// Recipient says that whoever receives the document has to do something, and whoever sent it
	// nothing.
	Recipient bool `yaml:"recipient"`
	// Cases are the situations of a notice with several messages.
	Cases map[string]NoticeCase `yaml:"cases"`

	File string
}

// A NoticeCase is the message of a notice in one situation, and its level there.
type NoticeCase struct {
	Level   Level  `yaml:"level"` // "" for that of the notice
	Message string `yaml:"message"`
}

// Notices are the notices of a library by their ids.
type Notices map[string]*Notice

// Notices reads the findings that the program makes.
func (l *Library) Notices() (Notices, error) {
	files, err := fs.Glob(l.fsys, "findings/*.yaml")
	if err != nil {
		return nil, err
	}
	all := Notices{}
	var failures LoadErrors
	for _, file := range files {
		c, err := l.open(file)
		if err != nil {
			return nil, err
		}
		var content struct {
			Findings []*Notice `yaml:"findings"`
		}
		if err := c.parse(&content); err != nil {
			failures = append(failures, c.mistakes(err)...)
			continue
		}
		for _, n := range content.Findings {
			if err := n.check(all); err != nil {
				failures = append(failures, LoadError{File: file, Message: err.Error()})
				continue
			}
			n.File = file
			all[n.ID] = n
		}
	}
	return all, failures.ErrOrNil()
}

func (n *Notice) check(others Notices) error {
	switch {
	case n.ID == "" || n.Text == "":
		return fmt.Errorf("finding %q needs id and text", n.ID)
	case others[n.ID] != nil:
		return fmt.Errorf("finding %s is defined twice", n.ID)
	case !slices.Contains(layers, n.Layer):
		return fmt.Errorf("finding %s has the unknown layer %q: use one of %s", n.ID, n.Layer, join(layers))
	case (n.Message == "") == (len(n.Cases) == 0):
		return fmt.Errorf("finding %s needs either a message or cases", n.ID)
	}
	if n.Message != "" {
		return n.checkLevel(n.Level)
	}
	for name, c := range n.Cases {
		if c.Message == "" {
			return fmt.Errorf("case %s of finding %s needs a message", name, n.ID)
		}
		if err := n.checkLevel(n.level(c)); err != nil {
			return err
		}
	}
	return nil
}

func (n *Notice) checkLevel(level Level) error {
	if !slices.Contains(Levels, level) {
		return fmt.Errorf("finding %s has the unknown level %q: use one of %s", n.ID, level, join(Levels))
	}
	return nil
}

func (n *Notice) level(c NoticeCase) Level {
	if c.Level != "" {
		return c.Level
	}
	return n.Level
}

// Finding makes the finding of a notice. which is one of its cases, or "" for a notice
// without any; values fill the {names}.
func (all Notices) Finding(id, which string, values map[string]string) (Finding, error) {
	n := all[id]
	if n == nil {
		return Finding{}, fmt.Errorf("the files findings/*.yaml have no %s", id)
	}
	c := NoticeCase{Message: n.Message}
	if which != "" {
		var ok bool
		if c, ok = n.Cases[which]; !ok {
			return Finding{}, fmt.Errorf("finding %s in findings/*.yaml has no case %s", id, which)
		}
	}
	var failures []error
	fill := func(text string) string {
		filled, err := fillNames(text, values)
		failures = append(failures, err)
		return filled
	}
	f := Finding{
		Rule: fill(n.ID), Layer: n.Layer, Level: n.level(c), Message: fill(c.Message),
		BTCodes: append([]string{}, n.BTCodes...), Fields: slices.Clone(n.Fields),
		said: &said{notice: n, which: which, names: values},
	}
	f.Raw = rawOf(f.Rule, f.Layer, fill(n.Text))
	if err := errors.Join(failures...); err != nil {
		return Finding{}, fmt.Errorf("finding %s: %w", id, err)
	}
	return f, nil
}

var nameInBraces = pattern.Later(`\{[A-Za-z]+\}`)

// fillNames puts values in the place of {names}. What a value holds is never taken
// for a name.
func fillNames(text string, values map[string]string) (string, error) {
	if !strings.Contains(text, "{") {
		return text, nil
	}
	var err error
	filled := nameInBraces().ReplaceAllStringFunc(text, func(name string) string {
		value, ok := values[name[1:len(name)-1]]
		if !ok && err == nil {
			err = fmt.Errorf("nothing fills %s", name)
		}
		return value
	})
	return filled, err
}
