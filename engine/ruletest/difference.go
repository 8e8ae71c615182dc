package ruletest

import (
	"reflect"
	"slices"
	"strings"

	"einvoice/engine"
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
func Compare(before, after *engine.Ruleset) []RuleChange {
	changes := []RuleChange{}
	if after != nil {
		for _, r := range after.Rules {
			old := lookUp(before, r.ID)
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
			if lookUp(after, r.ID) == nil {
				changes = append(changes, RuleChange{Rule: r.ID, Change: Removed})
			}
		}
	}
	return changes
}

func lookUp(s *engine.Ruleset, id string) *engine.Rule {
	if s == nil {
		return nil
	}
	r, _ := s.Rule(id)
	return r
}

// changedParts compares two rules of one id. A rule that a version inherits is
// the very same.
func changedParts(before, after *engine.Rule) (parts []PartChange) {
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
	add("context", before.Context.Value, after.Context.Value)
	add("assertion", decision(before), decision(after))
	for _, syntax := range model.Syntaxes() {
		add("variant "+string(syntax), variant(before, syntax), variant(after, syntax))
	}
	add("message", before.Message.Value, after.Message.Value)
	add("text", before.Text, after.Text)
	add("terms", join(before.BTCodes.Value), join(after.BTCodes.Value))
	add("fields", join(before.Fields.Value), join(after.Fields.Value))
	add("never fires", before.NeverFires, after.NeverFires)
	if !slices.EqualFunc(before.Examples(), after.Examples(), sameExample) {
		add("examples", examplesOf(before), examplesOf(after))
	}
	return parts
}

// decision is what the rule asks of its context: the assertion, or for a row of
// a table its kind and path.
func decision(r *engine.Rule) string {
	if r.Row != nil {
		return r.Row.String()
	}
	return r.Assert.Value
}

// variant writes out what a syntax has of its own.
func variant(r *engine.Rule, syntax model.Syntax) string {
	i := slices.IndexFunc(r.Variants, func(v engine.Variant) bool { return v.Syntax == syntax })
	if i < 0 {
		return ""
	}
	v := &r.Variants[i]
	if !v.Applies {
		return "applies: false; reason: " + v.Reason
	}
	text := ""
	for _, part := range [][2]string{{"level", string(v.Level)}, {"context", v.Context.Value}, {"assert", v.Assert.Value}, {"fields", join(v.Fields.Value)}} {
		if part[1] != "" {
			text += part[0] + ": " + part[1] + "; "
		}
	}
	return text + "reason: " + v.Reason
}

// sameExample compares what examples say and not how they are written.
func sameExample(a, b engine.Example) bool {
	return a.Fires == b.Fires && a.Syntax == b.Syntax && a.Base == b.Base && reflect.DeepEqual(values(a.Changes), values(b.Changes))
}

// values are the values of changes by their paths.
func values(changes []engine.Change) map[string]any {
	out := map[string]any{}
	for _, c := range changes {
		var value any
		if c.Value.Decode(&value) != nil {
			value = c.Value.Value // no value of its tag: as written
		}
		out[c.Path] = value
	}
	return out
}

func examplesOf(r *engine.Rule) string {
	texts := make([]string, len(r.Examples()))
	for i := range r.Examples() {
		texts[i] = r.Examples()[i].String()
	}
	return strings.Join(texts, "; ")
}

func join(texts []string) string { return strings.Join(texts, ", ") }
