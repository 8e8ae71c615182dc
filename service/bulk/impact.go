package bulk

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"
)

// A Pair is what is compared: a ruleset before and after. Either may be missing.
type Pair struct {
	Before, After ruletest.Side
}

// An Impact tells on which documents two sets of rules decide differently: rulesets by
// themselves, without profiles, and overlays with the profile of each document. Its results
// are those of rules diff.
type Impact struct {
	service     *operation.Kit
	pairs       []Pair
	comparisons []*ruletest.Comparison
	digest      string
	daily       bool // the day on which it is done may decide
}

// NewImpact prepares the comparison of pairs. Documents are read by the service.
func NewImpact(s *operation.Kit, pairs []Pair) (*Impact, error) {
	i := &Impact{service: s, pairs: pairs}
	var sides []any
	for _, p := range pairs {
		c, err := ruletest.NewComparison(p.Before, p.After)
		if err != nil {
			return nil, err
		}
		i.comparisons = append(i.comparisons, c)
		for _, side := range []ruletest.Side{p.Before, p.After} {
			rules, err := decisions(side)
			if err != nil {
				return nil, err
			}
			sides = append(sides, side.Ref, side.At, rules)
			daily, err := isDaily(side)
			if err != nil {
				return nil, err
			}
			i.daily = i.daily || daily
		}
	}
	var err error
	i.digest, err = digestOf(s, i.Name(), sides...)
	return i, err
}

// Name is "impact".
func (i *Impact) Name() string { return "impact" }

// Digest covers what all rules of both sides decide, and the version of the program.
func (i *Impact) Digest() string { return i.digest }

// An impactRow is the result for a document.
type impactRow struct {
	File string `json:"file"`
	// Changes are the pairs that decide differently.
	Changes []impactChange  `json:"changes"`
	Error   *report.Failure `json:"error,omitempty"`
}

type impactChange struct {
	Before string `json:"before"` // family/version; empty for no rules
	After  string `json:"after"`
	*ruletest.Verdict
}

// Do compares on a document. One that cannot be read is so on both sides.
func (i *Impact) Do(ctx context.Context, segment []byte, d *Document) ([]byte, Outcome, error) {
	began := time.Now()
	row := impactRow{File: quote.Spelled(d.Key), Changes: []impactChange{}}
	out := Outcome{Verdict: Unreadable}
	err := d.Err
	if err == nil {
		var doc *model.Document
		if doc, err = i.service.Read(ctx, d.Data, validate.Accept{PDF: true}); err == nil {
			err = i.compare(ctx, doc, &row, &out)
		}
	}
	if ctx.Err() != nil {
		return segment, out, ctx.Err()
	}
	if err != nil {
		row.Error, row.Changes = report.FailureOf(err, nil), []impactChange{}
		out = Outcome{Verdict: Unreadable, Code: row.Error.Code}
	}
	out.Took = time.Since(began)
	line, err := json.Marshal(row)
	return append(append(segment, line...), '\n'), out, err
}

func (i *Impact) compare(ctx context.Context, doc *model.Document, row *impactRow, out *Outcome) error {
	out.Verdict, out.Rules = Valid, map[string]RuleCount{}
	out.date(doc.Invoice)
	if i.daily {
		out.Day = string(engine.Today())
	}
	out.Terms = base64.RawStdEncoding.EncodeToString(ruletest.TermsOf(doc.Invoice))
	compared := 0
	for n, c := range i.comparisons {
		// Of several pairs, some may be of one syntax alone. The last one says why none applies.
		if !c.Applies(doc) && (compared > 0 || n < len(i.comparisons)-1) {
			continue
		}
		compared++
		v, err := c.Compare(ctx, doc)
		if err != nil {
			return err
		}
		if !v.Differs() {
			continue
		}
		out.Changed = true
		if !v.ValidAfter {
			out.Verdict = Invalid
		}
		row.Changes = append(row.Changes, impactChange{i.pairs[n].Before.Ref, i.pairs[n].After.Ref, v})
		for _, f := range v.Gone {
			out.Rules[f.Rule] = RuleCount{Level: string(f.Level), Documents: 1, Gone: 1, New: out.Rules[f.Rule].New}
		}
		for _, f := range v.New {
			out.Rules[f.Rule] = RuleCount{Level: string(f.Level), Documents: 1, Gone: out.Rules[f.Rule].Gone, New: 1}
		}
	}
	return nil
}

// isDaily reports whether the day on which documents are compared may decide about a side.
func isDaily(s ruletest.Side) (bool, error) {
	if s.At != "" || s.Library == nil {
		return false, nil
	}
	if s.Judge != nil { // which overlays apply is up to each document
		return true, nil
	}
	set, err := s.Library.Ruleset(s.Ref)
	return err == nil && slices.ContainsFunc(set.Rules, func(r *engine.Rule) bool { return r.Effective.By != "" }), err
}

// wholeSide stands for all rules of a side that judges documents as a whole.
const wholeSide = "overlays"

// decisions are the short digests of the rules of a side.
func decisions(s ruletest.Side) (map[string]string, error) {
	if s.Judge != nil {
		return map[string]string{wholeSide: s.Digest}, nil
	}
	if s.Library == nil {
		return nil, nil
	}
	set, err := s.Library.Ruleset(s.Ref)
	if err != nil {
		return nil, err
	}
	if s.At != "" {
		set = set.At(s.At)
	}
	rules, err := ruletest.Decisions(s.Library, set)
	for id, digest := range rules {
		rules[id] = digest[:16]
	}
	return rules, err
}

// ruleOf is a rule of a side; nil where the side does not have it.
func ruleOf(s ruletest.Side, id string) (*engine.Rule, error) {
	if s.Library == nil {
		return nil, nil
	}
	set, err := s.Library.Ruleset(s.Ref)
	if err != nil {
		return nil, err
	}
	rule, _ := set.Rule(id)
	return rule, nil
}

// impactDetails is what a later job needs to know which results are still right.
type impactDetails struct {
	Program string       `json:"program"` // its build
	Terms   []string     `json:"terms"`   // by their numbers
	Pairs   []pairDetail `json:"pairs"`
}

type pairDetail struct {
	Old    string            `json:"old"`
	New    string            `json:"new"`
	Before map[string]string `json:"before"` // what each rule decides, as a digest
	After  map[string]string `json:"after"`
	// Reads says of each rule that differs what it reads.
	Reads map[string]readsDetail `json:"reads"`
}

type readsDetail struct {
	Exact     bool   `json:"exact"`
	Terms     []byte `json:"terms,omitempty"`
	Otherwise string `json:"otherwise,omitempty"` // what both forms decide without the terms
}

// Details describes both sides.
func (i *Impact) Details() (json.RawMessage, error) {
	d, err := i.details()
	if err != nil {
		return nil, err
	}
	return json.Marshal(d)
}

func (i *Impact) details() (*impactDetails, error) {
	built, err := program()
	if err != nil {
		return nil, err
	}
	out := &impactDetails{Program: built, Terms: ruletest.TermNames()}
	for _, p := range i.pairs {
		d := pairDetail{Old: p.Before.Ref, New: p.After.Ref, Reads: map[string]readsDetail{}}
		if d.Before, err = decisions(p.Before); err != nil {
			return nil, err
		}
		if d.After, err = decisions(p.After); err != nil {
			return nil, err
		}
		for _, id := range differing(d.Before, d.After) {
			if d.Reads[id], err = p.reads(id); err != nil {
				return nil, err
			}
		}
		out.Pairs = append(out.Pairs, d)
	}
	return out, nil
}

// differing are the keys with other values, sorted.
func differing(a, b map[string]string) (keys []string) {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if a[key] != b[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// reads is what both forms of a rule read.
func (p *Pair) reads(id string) (readsDetail, error) {
	out := readsDetail{Exact: true}
	for _, side := range []ruletest.Side{p.Before, p.After} {
		if side.Judge != nil { // what a whole judgement reads is not known term by term
			out.Exact = false
			continue
		}
		rule, err := ruleOf(side, id)
		if err != nil {
			return out, err
		}
		if rule == nil {
			out.Otherwise += "|"
			continue
		}
		reads, err := ruletest.ReadsOf(context.Background(), side.Library, rule)
		if err != nil {
			return out, err
		}
		out.Exact = out.Exact && reads.Terms != nil
		out.Terms = reads.Terms.And(out.Terms)
		out.Otherwise += reads.Otherwise + "|"
	}
	return out, nil
}

// Since finds the rules that decide differently from those of the earlier job, and takes the
// results of the documents that have no term that any of them reads.
func (i *Impact) Since(earlier json.RawMessage) (holds func(*Outcome) bool, said string, err error) {
	var was impactDetails
	if err := json.Unmarshal(earlier, &was); err != nil {
		return nil, "", fmt.Errorf("the details of the earlier job: %w", err)
	}
	is, err := i.details()
	if err != nil {
		return nil, "", err
	}
	none := func(*Outcome) bool { return false }
	if was.Program != is.Program || !slices.Equal(was.Terms, is.Terms) || len(was.Pairs) != len(is.Pairs) {
		return none, "all documents are judged again: the earlier job is of another version of the program, or compares other rulesets", nil
	}
	var touched ruletest.Terms
	var changed []string
	for n := range is.Pairs {
		before, after := &was.Pairs[n], &is.Pairs[n]
		if before.Old != after.Old || before.New != after.New {
			return none, "all documents are judged again: the earlier job compares other rulesets", nil
		}
		ids := slices.Concat(differing(before.Before, after.Before), differing(before.After, after.After))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			changed = append(changed, id)
			terms, exact := readsSince(before, after, id)
			switch {
			case exact:
			case id == wholeSide:
				return none, "all documents are judged again: rules changed that are compared with overlays, and what these read is not known term by term", nil
			default:
				return none, fmt.Sprintf("all documents are judged again: rule %s may decide differently on documents without the terms that it reads, or what it reads is not known term by term", id), nil
			}
			touched = touched.And(terms)
		}
	}
	names := []string{}
	for n, name := range is.Terms {
		if touched.Has(n) {
			names = append(names, name)
		}
	}
	holds = func(o *Outcome) bool {
		terms, err := base64.RawStdEncoding.DecodeString(o.Terms)
		return err == nil && o.Terms != "" && o.Month != "" && !touched.Meets(terms)
	}
	switch len(changed) {
	case 0:
		return holds, "no rule decides differently from the earlier job, so results are taken for documents with the same bytes", nil
	default:
		return holds, fmt.Sprintf("changed since the earlier job: %s; only documents with one of the terms that it reads are judged again: %s", listed(changed), listed(names)), nil
	}
}

// readsSince are the terms that a rule read, or reads; exact is false where a document
// without them may be decided differently anyway.
func readsSince(before, after *pairDetail, id string) (ruletest.Terms, bool) {
	was, differed := before.Reads[id]
	is, differs := after.Reads[id]
	same := func(d *pairDetail) bool { return d.Before[id] == d.After[id] }
	switch {
	case !differed && !same(before) || !differs && !same(after): // it has to be in both
		return nil, false
	case !differed && !differs: // the rule changed on both sides, and decides what is valid
		return nil, false
	case !differed: // both sides were as one of them is now
		return is.Terms, is.Exact && before.Before[id] == after.Before[id] && isSteady(is.Otherwise)
	case !differs:
		return was.Terms, was.Exact && before.Before[id] == after.Before[id] && isSteady(was.Otherwise)
	}
	return ruletest.Terms(was.Terms).And(is.Terms), was.Exact && is.Exact && was.Otherwise == is.Otherwise
}

// isSteady reports whether both forms decide the same where the terms are missing.
func isSteady(otherwise string) bool {
	half := len(otherwise) / 2
	return len(otherwise)%2 == 0 && otherwise[:half] == otherwise[half:]
}

var _ Comparer = (*Impact)(nil)
