package workbench

import (
	"context"
	"errors"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/model/pattern"
	"einvoice/model/reserve"
)

// RemediesRequest asks for the corrections of a document that have one right answer.
type RemediesRequest struct {
	Settings
	Given
}

// Remedies are corrections of a document.
type Remedies struct {
	Remedies []Remedy `json:"remedies"`
}

// Remedy changes a document so that rules are violated less often, and none more often. That was
// tried, of each alone and of all that are offered together.
type Remedy struct {
	Rules   []string `json:"rules"` // that are violated less often after it
	Path    string   `json:"path"`  // of the term, or of the group that is added
	BT      string   `json:"bt"`
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // computed, code, zeros or missing
	Was     string   `json:"was"`  // "" for what is missing
	Becomes string   `json:"becomes"`
	Edits   []Edit   `json:"edits"`
}

// Edit replaces part of the text.
type Edit struct {
	Span
	Text string `json:"text"`
}

// Bounds of the corrections that one request tries, each of which is a validation: how many,
// and how many bytes of documents.
const (
	mostTried      = 32
	mostTriedBytes = 4 << 20
)

func (d *Desk) remedies(ctx context.Context, r *RemediesRequest) (*Remedies, error) {
	out := &Remedies{Remedies: []Remedy{}}
	desk, err := d.with(ctx, &r.Settings)
	if err != nil {
		return out, err
	}
	t, err := desk.trial(ctx, r)
	if _, full := errors.AsType[*reserve.Refused](err); err != nil && (full || ctx.Err() != nil) {
		return nil, err // an empty list would say that there is no remedy
	}
	if err != nil {
		return out, nil //nolint:nilerr // check says why
	}
	var found []candidate
	was := violations(t.before)
	mendedBy := func(c *candidate) bool {
		after, err := t.judge(ctx, edited(t.text, c.edits))
		if err != nil {
			return false
		}
		c.after = violations(after)
		c.Rules = corrected(was, c.after)
		return len(c.Rules) > 0
	}
	tries := max(2, min(mostTried, mostTriedBytes/max(1, len(t.text))))
	for _, c := range desk.candidates(ctx, t, tries) {
		if tries--; tries < 0 || ctx.Err() != nil {
			break
		}
		if mendedBy(&c) {
			found = append(found, c)
		}
	}
	taken := map[string]bool{} // terms that are added already
	for _, c := range t.missing(ctx) {
		if taken[c.Path] || slices.ContainsFunc(c.adds, func(path string) bool { return taken[path] }) {
			continue
		}
		if tries--; tries < 0 || ctx.Err() != nil {
			break
		}
		if mendedBy(&c) {
			for _, path := range c.adds {
				taken[path] = true
			}
			found = append(found, c)
		}
	}
	found = t.agreeing(ctx, was, found)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out.Remedies = located(t.text, found)
	if language, err := desk.language(r.Language); err == nil {
		for i := range out.Remedies {
			out.Remedies[i].Name = language.Say(out.Remedies[i].Name)
		}
	}
	return out, nil
}

// located gives remedies the places of their edits.
func located(text string, found []candidate) []Remedy {
	at := newSpans(text)
	for _, c := range found {
		for _, e := range c.edits {
			at.ask(e.from)
			at.ask(e.to)
		}
	}
	at.walk()
	remedies := []Remedy{}
	for _, c := range found {
		for _, e := range c.edits {
			c.Edits = append(c.Edits, Edit{Span{at.of(e.from), at.of(e.to)}, e.text})
		}
		remedies = append(remedies, c.Remedy)
	}
	return remedies
}

// edited is a text with edits that do not overlap.
func edited(text string, edits []edit) string {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range sorted {
		b.WriteString(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// violations count how often each rule is violated.
func violations(r *engine.Report) map[string]int {
	n := map[string]int{}
	for i := range r.Findings {
		n[r.Findings[i].Rule]++
	}
	for _, o := range r.Omitted {
		n[o.Rule] += o.Count
	}
	return n
}

// corrected are the rules that are violated less often after than before; none if any is violated
// more often.
func corrected(before, after map[string]int) (rules []string) {
	for rule, n := range after {
		if n > before[rule] {
			return nil
		}
	}
	for rule, n := range before {
		if after[rule] < n {
			rules = append(rules, rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// agreeing are the corrections that can be made together, each of which corrects something beside the
// others. What follows from the rest of an invoice is no right answer where the rest is wrong: an
// amount due that is computed of a wrong total, beside the right total. Of those that contradict each
// other, the one stays that corrects most.
func (t *trial) agreeing(ctx context.Context, was map[string]int, found []candidate) []candidate {
	var made []int // which were made, by their places in found
	now := was
	mended := func(i int) (n int) {
		for _, rule := range found[i].Rules {
			n += was[rule] - found[i].after[rule]
		}
		return n
	}
	byMended := make([]int, len(found))
	for i := range found {
		byMended[i] = i
	}
	slices.SortStableFunc(byMended, func(a, b int) int { return mended(b) - mended(a) })
	for _, i := range byMended {
		all := append(slices.Clone(made), i)
		slices.Sort(all) // what is added at one place stays in order
		var edits []edit
		for _, one := range all {
			edits = append(edits, found[one].edits...)
		}
		after := found[i].after
		if len(made) > 0 {
			if overlap(edits) {
				continue
			}
			report, err := t.judge(ctx, edited(t.text, edits))
			if err != nil {
				continue
			}
			after = violations(report)
		}
		if len(corrected(now, after)) > 0 {
			made, now = all, after
		}
	}
	kept := make([]candidate, 0, len(made))
	for _, i := range made {
		kept = append(kept, found[i])
	}
	return kept
}

// overlap reports whether two edits replace the same part of a text.
func overlap(edits []edit) bool {
	sorted := slices.Clone(edits)
	slices.SortFunc(sorted, func(a, b edit) int { return a.from - b.from })
	for i := 1; i < len(sorted); i++ {
		if sorted[i].from < sorted[i-1].to {
			return true
		}
	}
	return false
}

// A candidate is a correction that was not tried yet.
type candidate struct {
	Remedy
	edits []edit
	adds  []string       // paths of the terms that it adds
	after map[string]int // how often each rule is violated after it alone
}

// candidates are the values that findings name and that have one right answer. An invoice is
// computed again for so many of them.
func (d *Desk) candidates(ctx context.Context, t *trial, computations int) (all []candidate) {
	codes := codeFinder{library: d.service.Library(), byRule: map[string]map[string]string{}}
	wanted := map[string]*engine.Finding{}
	for i := range t.before.Findings {
		for _, field := range t.before.Findings[i].Fields {
			if wanted[field] == nil {
				wanted[field] = &t.before.Findings[i]
			}
		}
	}
	eachTerm(ctx, "", model.ObjectOf(t.invoice), func(path string, of model.Object, f *model.Field) {
		finding := wanted[path]
		if finding == nil || len(all) == mostTried || ctx.Err() != nil {
			return
		}
		e, ok := t.valueOf(path, of, f)
		if !ok || e.valueTo == 0 {
			return
		}
		raw := of.Raw(f)
		name, _ := engine.TermName(f.BT)
		result := ""
		if isNumber(f) && computations > 0 {
			computations--
			result = computed(ctx, t.invoice, path, f)
		}
		offered := map[string]bool{"": true, raw: true}
		for _, c := range []struct{ kind, value string }{{"computed", result}, {"code", codes.find(finding.Rule, raw)}, {"zeros", withoutZeros(of, f)}} {
			if !offered[c.value] {
				offered[c.value] = true
				all = append(all, candidate{
					Remedy: Remedy{Path: path, BT: f.BT, Name: name, Kind: c.kind, Was: raw, Becomes: c.value},
					edits:  []edit{{e.valueFrom, e.valueTo, t.escape(c.value)}},
				})
			}
		}
	})
	return all
}

func isNumber(f *model.Field) bool { return f.Kind == model.KindAmount || f.Kind == model.KindNumber }

// computed is what other terms of the invoice give for an amount; "" where they do not.
func computed(ctx context.Context, inv *model.Invoice, path string, f *model.Field) string {
	copied := model.Copy(inv)
	var group model.Object
	eachTerm(ctx, "", model.ObjectOf(copied), func(at string, of model.Object, _ *model.Field) {
		if at == path {
			group = of
		}
	})
	if !group.Present() {
		return ""
	}
	*group.Number(f) = model.Number{}
	compute.Complete(copied, compute.Options{})
	return group.Raw(f)
}

var trailingZeros = pattern.Later(`^(-?[0-9]+\.[0-9]{2})0+$`)

// withoutZeros is a number whose digits after the second decimal are zeros, without them.
func withoutZeros(of model.Object, f *model.Field) string {
	if !isNumber(f) {
		return ""
	}
	if m := trailingZeros().FindStringSubmatch(of.Raw(f)); m != nil {
		return m[1]
	}
	return ""
}

var askedList = pattern.Later(`isInCodeList\("([^"]+)"\)`)

// A codeFinder finds the codes that values are meant to be.
type codeFinder struct {
	library *engine.Library
	byRule  map[string]map[string]string // codes by what is bare of them; "" where several are alike
}

// find is the one code of the lists that a rule asks which differs from a value by case, blanks
// and punctuation alone; "" where there is none, or more than one.
func (c *codeFinder) find(rule, value string) string {
	codes := c.byRule[rule]
	if codes == nil {
		codes = c.asked(rule)
		c.byRule[rule] = codes
	}
	if len(codes) == 0 || value == "" {
		return ""
	}
	return codes[bare(value)]
}

// asked are the codes of the lists that a rule asks.
func (c *codeFinder) asked(rule string) map[string]string {
	codes := map[string]string{}
	cards, err := ruletest.Cards(c.library, rule)
	if err != nil {
		return codes
	}
	for i := range cards {
		for _, form := range cards[i].Forms {
			for _, m := range askedList().FindAllStringSubmatch(form.Assert, -1) {
				list, err := c.library.CodeList(m[1])
				if err != nil {
					continue
				}
				for _, code := range list.Codes() {
					of := bare(code)
					if other, ok := codes[of]; ok && other != code {
						code = ""
					}
					codes[of] = code
				}
			}
		}
	}
	return codes
}

// bare is a code in small letters without what stands between letters and digits.
func bare(code string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n.-_/", r) {
			return -1
		}
		return r
	}, strings.ToLower(code))
}
