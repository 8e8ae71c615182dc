package engine

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A LevelChange gives findings of rules another level: in an overlay, or in a version of
// a ruleset that takes rules over from another.
type LevelChange struct {
	// Rules are ids of findings; one that ends in * is the beginning of ids.
	Rules []string
	Level Level
	// From is the level of the findings that are changed; "" for any.
	From   Level
	Reason string
	Source string // who publishes the change; "" for whoever publishes the overlay
	// Owner answers for the change.
	Owner string
	// Until is the last day on which it holds; "" for a published change, which is open.
	Until Day
	// Documents are those for which the level is another; all of the overlay without any.
	Documents Documents

	decidedBy string // of the overlay
	file      string
	node      *yaml.Node
	whole     bool // nothing is missing that it must say itself
}

// DecidedBy is the day that decides whether the change holds; "" for the issue date.
func (c *LevelChange) DecidedBy() string { return c.decidedBy }

// untilOpen is what a published change has in place of its last day.
const untilOpen = "open"

// levelChanges reads the key levels. inOverlay reports whether owner and term are
// demanded: a version of a ruleset is in force as long as it is.
func (f *ruleFile) levelChanges(n *yaml.Node, inOverlay bool) (changes []LevelChange) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "levels must be a list of {rules, level, reason}")
		return nil
	}
	for item := range f.items(n) {
		c := LevelChange{file: f.name, node: item}
		before, term := len(f.errors), false
		what := "a change of levels"
		if !inOverlay {
			what = "a change of levels of a version"
		}
		f.mapping(item, what, func(key string, value *yaml.Node) bool {
			switch key {
			case "rules":
				c.Rules = f.names(value)
			case "level":
				c.Level = f.level(value)
			case "reason":
				c.Reason = f.scalar(value)
			case "source":
				c.Source = f.scalar(value)
			default:
				if !inOverlay {
					return false
				}
				switch key {
				case "from":
					c.From = f.level(value)
				case "owner":
					c.Owner = f.scalar(value)
				case "until":
					if term = true; f.scalar(value) != untilOpen {
						c.Until = f.day(value)
					}
				case "documents":
					c.Documents = f.documents(value)
				default:
					return false
				}
			}
			return true
		})
		if len(f.errors) == before {
			f.checkLevelChange(&c, inOverlay, term)
		}
		c.whole = len(f.errors) == before
		changes = append(changes, c)
	}
	return changes
}

func (f *ruleFile) checkLevelChange(c *LevelChange, inOverlay, term bool) {
	switch {
	case len(c.Rules) == 0:
		f.fail(c.node, "a change of levels needs rules: the ids of those that it is about")
	case c.Level == "":
		f.fail(c.node, "a change of levels needs level: one of %s", join(Levels))
	case c.Reason == "":
		f.fail(c.node, "the change of %s needs a reason, which reports and `einvoice rules show` tell", strings.Join(c.Rules, ", "))
	case inOverlay && !term:
		f.fail(c.node, "the change of %s needs until: its last day, or %q where a source publishes it for good", strings.Join(c.Rules, ", "), untilOpen)
	}
}

// Holds reports whether the term of the change has not ended on a day.
func (c *LevelChange) Holds(day Day) bool { return c.Until == "" || day <= c.Until }

// IsOf reports whether the change is about a rule.
func (c *LevelChange) IsOf(rule string) bool {
	return slices.ContainsFunc(c.Rules, func(id string) bool { return Covers(id, rule) })
}

// Covers reports whether an id, or the beginning of ids before a *, is that of a rule.
func Covers(id, rule string) bool {
	start, several := strings.CutSuffix(id, "*")
	return rule == id || several && strings.HasPrefix(rule, start)
}

// decides reports whether the change says which level findings of a rule have.
func (c *LevelChange) decides(rule string, level Level) bool {
	return (c.From == "" || level == c.From) && c.IsOf(rule)
}

// Mistake is one where the change is written.
func (c *LevelChange) Mistake(format string, args ...any) LoadError {
	return LoadError{File: c.file, Line: c.node.Line, Column: c.node.Column, Message: fmt.Sprintf(format, args...)}
}

// checkLevels reports changes of levels of rules that a version does not take over; left
// are those that it leaves.
func (s *Ruleset) checkLevels(base *Ruleset, left map[string]bool) (failures LoadErrors) {
	for i := range s.levels {
		c := &s.levels[i]
		for _, id := range c.Rules {
			found, changed := false, false
			for _, r := range base.Rules {
				if Covers(id, r.ID) && !left[r.ID] {
					found, changed = true, changed || !r.IsAlready(c.Level)
				}
			}
			switch {
			case !found:
				failures = append(failures, c.Mistake("levels names rule %s, which this version does not take over from %s%s", id, s.Extends, Suggest(id, IdsOf(base))))
			case !changed:
				failures = append(failures, c.Mistake("rule %s is of level %s in %s already", id, c.Level, s.Extends))
			}
		}
	}
	return failures
}

// atLevel is a rule that is taken over, with the level that this version gives it.
func (s *Ruleset) atLevel(r *Rule) *Rule {
	for i := range s.levels {
		if c := &s.levels[i]; c.IsOf(r.ID) {
			return r.withLevel(c.Level)
		}
	}
	return r
}

// IdsOf are the ids of the rules of a ruleset.
func IdsOf(s *Ruleset) []string {
	ids := make([]string, len(s.Rules))
	for i, r := range s.Rules {
		ids[i] = r.ID
	}
	return ids
}
