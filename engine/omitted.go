package engine

import "slices"

// maxFindings is how many bytes the texts of a report's findings may have, about. A
// document can violate rules a million times; the report then has the first findings,
// those of every rule among them, and counts the others.
const maxFindings = 4 << 20

// findingSize is about how many bytes a finding takes besides its texts.
const findingSize = 256

// An Omission is findings that a report only counts.
type Omission struct {
	Rule           string
	Layer          Layer
	Level          Level
	PublishedLevel Level // as in Finding
	Count          int
	Decided        bool // as in Finding
}

// takes reports whether the report has room for a finding of a rule. There always is for
// the first one.
func (r *Report) takes(rule string) bool {
	if r.size < maxFindings {
		return true
	}
	if r.listed == nil {
		r.listed = map[string]bool{}
		for i := range r.Findings {
			r.listed[r.Findings[i].Rule] = true
		}
	}
	return !r.listed[rule]
}

// put adds a finding, or counts it where there is no room.
func (r *Report) put(f Finding) {
	if !r.takes(f.Rule) {
		r.omit(f.Rule, f.Layer, f.Level)
		return
	}
	if r.size += f.size(); r.listed != nil {
		r.listed[f.Rule] = true
	}
	r.Findings = append(r.Findings, f)
}

// First are at most so many of a report's findings, in their order: the first of every rule,
// and of the others those that come first.
func First(findings []Finding, most int) []Finding {
	if len(findings) <= most {
		return findings
	}
	chosen, left := make([]bool, len(findings)), most
	choose := func(i int) {
		if left > 0 && !chosen[i] {
			chosen[i] = true
			left--
		}
	}
	listed := map[string]bool{}
	for i := range findings {
		if rule := findings[i].Rule; !listed[rule] {
			listed[rule] = true
			choose(i)
		}
	}
	for i := range findings {
		choose(i)
	}
	out := make([]Finding, 0, most)
	for i := range findings {
		if chosen[i] {
			out = append(out, findings[i])
		}
	}
	return out
}

func (f *Finding) size() int {
	n := findingSize + len(f.Message) + len(f.Location) + len(f.Raw)
	for _, field := range f.Fields {
		n += len(field)
	}
	return n
}

func (r *Report) omit(rule string, layer Layer, level Level) {
	same := func(o Omission) bool { return o.Rule == rule && o.Level == level && o.Layer == layer }
	i := slices.IndexFunc(r.Omitted, same)
	if i < 0 {
		i = len(r.Omitted)
		r.Omitted = append(r.Omitted, Omission{Rule: rule, Layer: layer, Level: level})
	}
	r.Omitted[i].Count++
}

// OmittedCount is how many findings the report only counts.
func (r *Report) OmittedCount() (n int) {
	for _, o := range r.Omitted {
		n += o.Count
	}
	return n
}
