package workbench

import (
	"context"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/service"
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

// Remedy replaces one value, so that rules hold that are violated now, and no rule is
// violated that holds now. That was tried.
type Remedy struct {
	Rules   []string `json:"rules"` // that hold after it
	Path    string   `json:"path"`
	BT      string   `json:"bt"`
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // computed, code or zeros
	Was     string   `json:"was"`
	Becomes string   `json:"becomes"`
	Span    Span     `json:"span"` // of the value in the text
}

// Bounds of the corrections that one request tries, each of which is a validation: how many,
// and how many bytes of documents.
const (
	mostTried      = 24
	mostTriedBytes = 12 << 20
)

func (d *Desk) remedies(ctx context.Context, r *RemediesRequest) (*Remedies, error) {
	out := &Remedies{Remedies: []Remedy{}}
	desk, err := d.with(&r.Settings)
	if err != nil || r.isJSON() {
		return out, err
	}
	rules, err := desk.rulesOf(&r.Settings)
	if err != nil {
		return nil, err
	}
	received, err := desk.receive(ctx, &r.Given)
	if err != nil {
		return out, nil //nolint:nilerr // check says why
	}
	text := received.Document.Source.Data
	t := &trial{desk: desk, rules: rules, text: text}
	before, err := t.judge(ctx, text)
	if err != nil {
		return out, nil //nolint:nilerr // check says why
	}
	at := newSpans(text)
	var extents []extent
	candidates := desk.candidates(received.Document, before)
	for _, c := range candidates[:min(len(candidates), max(1, mostTriedBytes/len(text)))] {
		after, err := t.judge(ctx, text[:c.extent.valueFrom]+html.EscapeString(c.Becomes)+text[c.extent.valueTo:])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		if c.Rules = mended(before, after); len(c.Rules) == 0 {
			continue
		}
		at.ask(c.extent.valueFrom)
		at.ask(c.extent.valueTo)
		extents = append(extents, c.extent)
		out.Remedies = append(out.Remedies, c.Remedy)
	}
	at.walk()
	for i, e := range extents {
		out.Remedies[i].Span = Span{at.of(e.valueFrom), at.of(e.valueTo)}
	}
	return out, nil
}

// A trial judges changed texts.
type trial struct {
	desk  *Desk
	rules service.Rules
	text  string
}

func (t *trial) judge(ctx context.Context, text string) (*engine.Report, error) {
	result, err := t.desk.service.Validate(ctx, []byte(text), t.rules)
	if err != nil {
		return nil, err
	}
	return result.Report, nil
}

// mended are the rules that are violated before and not after; none if any is violated
// after more often than before.
func mended(before, after *engine.Report) (rules []string) {
	count := func(r *engine.Report) map[string]int {
		n := map[string]int{}
		for i := range r.Findings {
			n[r.Findings[i].Rule]++
		}
		return n
	}
	was, is := count(before), count(after)
	for rule, n := range is {
		if n > was[rule] {
			return nil
		}
	}
	for rule, n := range was {
		if is[rule] < n {
			rules = append(rules, rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// A candidate is a correction that was not tried yet.
type candidate struct {
	Remedy
	extent extent
}

// candidates are the values that findings name and that have one right answer.
func (d *Desk) candidates(doc *model.Document, r *engine.Report) (all []candidate) {
	wanted := map[string]*engine.Finding{}
	for i := range r.Findings {
		for _, field := range r.Findings[i].Fields {
			if wanted[field] == nil {
				wanted[field] = &r.Findings[i]
			}
		}
	}
	eachTerm("", model.ObjectOf(doc.Invoice), func(path string, of model.Object, f *model.Field) {
		finding := wanted[path]
		if finding == nil || len(all) == mostTried {
			return
		}
		e, ok := extentOf(doc.Source, of.RefOf(f))
		if !ok || e.valueTo == 0 {
			return
		}
		raw := of.Raw(f)
		name, _ := engine.TermName(f.BT)
		for _, c := range []struct{ kind, value string }{{"computed", computed(doc.Invoice, path, f)}, {"code", d.code(finding, raw)}, {"zeros", withoutZeros(of, f)}} {
			if c.value != "" && c.value != raw {
				all = append(all, candidate{Remedy{Path: path, BT: f.BT, Name: name, Kind: c.kind, Was: raw, Becomes: c.value}, e})
			}
		}
	})
	return all
}

// computed is what other terms of the invoice give for an amount; "" where they do not.
func computed(inv *model.Invoice, path string, f *model.Field) string {
	if f.Kind != model.KindAmount && f.Kind != model.KindNumber {
		return ""
	}
	copied, err := copyOf(inv)
	if err != nil {
		return ""
	}
	var group model.Object
	eachTerm("", model.ObjectOf(copied), func(at string, of model.Object, _ *model.Field) {
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

func copyOf(inv *model.Invoice) (*model.Invoice, error) {
	data, err := json.Marshal(inv)
	if err != nil {
		return nil, err
	}
	return jsoninvoice.Decode(data)
}

var trailingZeros = regexp.MustCompile(`^(-?[0-9]+\.[0-9]{2})0+$`)

// withoutZeros is a number whose digits after the second decimal are zeros, without them.
func withoutZeros(of model.Object, f *model.Field) string {
	if f.Kind != model.KindAmount && f.Kind != model.KindNumber {
		return ""
	}
	if m := trailingZeros.FindStringSubmatch(of.Raw(f)); m != nil {
		return m[1]
	}
	return ""
}

var askedList = regexp.MustCompile(`isInCodeList\("([^"]+)"\)`)

// code is the one code of the list that a rule asks which differs from a value by case,
// blanks and punctuation alone; "" where there is none, or more than one.
func (d *Desk) code(f *engine.Finding, value string) string {
	library := d.service.Library()
	cards, err := ruletest.Cards(library, f.Rule)
	if err != nil || value == "" {
		return ""
	}
	found := ""
	for i := range cards {
		for _, form := range cards[i].Forms {
			for _, m := range askedList.FindAllStringSubmatch(form.Assert, -1) {
				list, err := library.CodeList(m[1])
				if err != nil {
					continue
				}
				for _, code := range list.Codes() {
					if alike(code, value) && code != found {
						if found != "" {
							return ""
						}
						found = code
					}
				}
			}
		}
	}
	return found
}

func alike(a, b string) bool { return bare(a) == bare(b) }

// bare is a code in small letters without what stands between letters and digits.
func bare(code string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n.-_/", r) {
			return -1
		}
		return r
	}, strings.ToLower(code))
}
