package conformance

import (
	"context"
	"fmt"

	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/formats/hybrid"
)

// A VerdictChange is a document on which two rulesets decide differently.
type VerdictChange struct {
	Suite    string `json:"suite"`
	Document string `json:"document"`
	ruletest.Verdict
}

// Impact returns the documents of the suites on which two rulesets decide differently,
// and the number of documents that were compared.
func Impact(ctx context.Context, before, after ruletest.Side, suites []*Suite) (changes []VerdictChange, documents int, err error) {
	c, err := ruletest.NewComparison(before, after)
	if err != nil {
		return nil, 0, err
	}
	var all []*impact
	var work []func()
	for _, s := range suites {
		for _, of := range s.Cases {
			one := &impact{VerdictChange: VerdictChange{Suite: s.Name, Document: of.Name}}
			all = append(all, one)
			work = append(work, func() { one.compare(ctx, of, c) })
		}
	}
	inParallel(ctx, work)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	changes = []VerdictChange{}
	for _, one := range all {
		if one.err != nil {
			return nil, 0, fmt.Errorf("%s/%s: %w", one.Suite, one.Document, one.err)
		}
		if one.read {
			documents++
		}
		if one.Differs() {
			changes = append(changes, one.VerdictChange)
		}
	}
	return changes, documents, nil
}

type impact struct {
	VerdictChange
	read bool
	err  error
}

func (i *impact) compare(ctx context.Context, of *Case, c *ruletest.Comparison) {
	data, err := of.Data()
	if err != nil {
		i.err = err
		return
	}
	doc, err := formats.Read(data, hybrid.Options())
	if err != nil {
		return // it is not an invoice
	}
	if !c.Applies(doc) {
		return // the rules are of another syntax
	}
	i.read = true
	v, err := c.Compare(ctx, doc)
	if err != nil {
		i.err = err
		return
	}
	i.Verdict = *v
}
