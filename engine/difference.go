package engine

import (
	"reflect"
	"slices"

	"einvoice/model"
)

// A RuleChange is one rule that differs between two rulesets.
type RuleChange struct {
	Rule   string       `json:"rule"`
	Change string       `json:"change"` // added, removed or changed
	Parts  []PartChange `json:"parts,omitempty"`
}

// A PartChange is one part of a rule before and after; what was not there is
// empty.
type PartChange struct {
	Part   string `json:"part"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// The ways in which a rule differs.
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
)

// Compare tells what became of each rule of the old ruleset in the new one, in
// the order of the new ruleset, removed rules last. A nil ruleset has no rules.
func Compare(before, after *Ruleset) []RuleChange {
	changes := []RuleChange{}
	if after != nil {
		for _, r := range after.Rules {
			old := before.lookUp(r.ID)
			if old == nil {
				changes = append(changes, RuleChange{Rule: r.ID, Change: Added})
				continue
			}
			if parts := changedParts(old, r); len(parts) > 0 {
				changes = append(changes, RuleChange{Rule: r.ID, Change: Changed, Parts: parts})
			}
		}
	}
	if before != nil {
		for _, r := range before.Rules {
			if after.lookUp(r.ID) == nil {
				changes = append(changes, RuleChange{Rule: r.ID, Change: Removed})
			}
		}
	}
	return changes
}

func (s *Ruleset) lookUp(id string) *Rule {
	if s == nil {
		return nil
	}
	return s.byID[id]
}

// changedParts compares two rules of one id. A rule that a version inherits is
// the very same.
func changedParts(before, after *Rule) (parts []PartChange) {
	if before == after {
		return nil
	}
	add := func(part, old, new string) {
		if old != new {
			parts = append(parts, PartChange{part, old, new})
		}
	}
	add("level", string(before.Level), string(after.Level))
	add("layer", string(before.Layer), string(after.Layer))
	add("syntax", string(before.On), string(after.On))
	add("context", before.Context, after.Context)
	add("assertion", before.decision(), after.decision())
	for _, syntax := range []model.Syntax{model.UBL, model.CII} {
		add("variant "+string(syntax), before.variant(syntax), after.variant(syntax))
	}
	add("message", before.Message, after.Message)
	add("text", before.Text, after.Text)
	add("terms", join(before.BTCodes), join(after.BTCodes))
	add("fields", join(before.Fields), join(after.Fields))
	add("never fires", before.NeverFires, after.NeverFires)
	if !slices.EqualFunc(before.Examples, after.Examples, sameExample) {
		add("examples", before.examples(), after.examples())
	}
	return parts
}

// decision is what the rule asks of its context: the assertion, or for a row of
// a table its kind and path.
func (r *Rule) decision() string {
	if r.row == nil {
		return r.Assert
	}
	return r.row.decision()
}

// variant writes out what a syntax has of its own.
func (r *Rule) variant(syntax model.Syntax) string {
	i := slices.IndexFunc(r.Variants, func(v Variant) bool { return v.Syntax == syntax })
	if i < 0 {
		return ""
	}
	v := &r.Variants[i]
	if !v.Applies {
		return "applies: false; reason: " + v.Reason
	}
	text := ""
	for _, part := range [][2]string{{"level", string(v.Level)}, {"context", v.Context}, {"assert", v.Assert}, {"fields", join(v.Fields)}} {
		if part[1] != "" {
			text += part[0] + ": " + part[1] + "; "
		}
	}
	return text + "reason: " + v.Reason
}

// sameExample compares what examples say and not how they are laid out.
func sameExample(a, b Example) bool {
	return a.Fires == b.Fires && a.Syntax == b.Syntax && a.Base == b.Base && reflect.DeepEqual(a.Set, b.Set)
}

func (r *Rule) examples() string {
	text := ""
	for i := range r.Examples {
		if i > 0 {
			text += "; "
		}
		text += inline(r.Examples[i].place)
	}
	return text
}
