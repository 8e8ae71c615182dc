package workbench

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/service/validate"
)

// ImpactRequest asks on which documents a draft decides otherwise than the rules in force.
type ImpactRequest struct {
	Settings
	// Ruleset compares one ruleset alone, as FAMILY/VERSION, as rules diff --on does; "" is
	// for whole verdicts, by profile and overlays, those of the draft included.
	Ruleset   string  `json:"ruleset"`
	Documents []Given `json:"documents"`
	// Archive asks for the documents of the service's folder behind this one, in place of
	// Documents, and "" for the first ones; null for Documents.
	Archive *string `json:"archive"`
}

// Impact is what a draft changes on some documents.
type Impact struct {
	Batch
	// Same counts the documents that the same rules decide on both sides, because nothing of the
	// draft is for them.
	Same    int      `json:"same"`
	Changes []Change `json:"changes"`
}

// Change is a document that is decided otherwise.
type Change struct {
	Document string `json:"document"`
	Seller   string `json:"seller"`
	Month    string `json:"month"` // of the issue date, as 2026-11
	ruletest.Verdict
}

// mostDocuments bounds one request.
const mostDocuments = 500

func (d *Desk) impact(ctx context.Context, r *ImpactRequest) (*Impact, error) {
	if len(r.Documents) > mostDocuments {
		return nil, wrong("documents", fmt.Sprintf("there are more than %d documents", mostDocuments), "send them in several requests")
	}
	after, err := d.with(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	out := &Impact{Batch: Batch{Unread: []string{}, Rules: d.rulesInForce()}}
	documents := given(r.Documents)
	if r.Archive != nil {
		if documents, err = d.archived(*r.Archive, &out.Batch); err != nil {
			return nil, err
		}
	}
	decide, err := d.comparison(after, r)
	if err != nil {
		return nil, err
	}
	var same atomic.Int64
	out.Changes, err = eachDocument(ctx, d, documents, &out.Batch, func(ctx context.Context, doc *model.Document, name string) (*Change, error) {
		verdict, err := decide(ctx, doc)
		if err == nil && verdict == nil {
			same.Add(1)
		}
		if err != nil || verdict == nil || !verdict.Differs() {
			return nil, err
		}
		return &Change{Document: name, Seller: sellerOf(doc), Month: monthOf(doc), Verdict: *verdict}, nil
	})
	out.Same = int(same.Load())
	return out, err
}

// A comparison decides a document by the rules in force, and by those with the draft; nil says
// that the same rules decide.
type comparison func(ctx context.Context, doc *model.Document) (*ruletest.Verdict, error)

func (d *Desk) comparison(after *Desk, r *ImpactRequest) (comparison, error) {
	if r.Ruleset != "" {
		return d.alone(after, r)
	}
	overlays, _ := written(r.Draft)
	settings := r.Settings
	settings.Overlays = slices.DeleteFunc(slices.Clone(r.Overlays), func(name string) bool {
		_, err := d.service.Library().Overlay(name)
		return err != nil && slices.Contains(overlays, name) // new in the draft
	})
	before, err := d.rulesOf(&settings)
	if err != nil {
		return nil, err
	}
	later := before
	for _, name := range overlays {
		if !slices.Contains(later.Overlays, name) {
			later.Overlays = append(slices.Clone(later.Overlays), name)
		}
	}
	return func(ctx context.Context, doc *model.Document) (*ruletest.Verdict, error) {
		if same, err := d.sameRules(ctx, doc, before, after, later); same || err != nil {
			return nil, err
		}
		old, err := d.service.ValidateDocument(ctx, doc, before)
		if err != nil {
			return nil, err
		}
		new, err := after.service.ValidateDocument(ctx, doc, later)
		if err != nil {
			return nil, err
		}
		return ruletest.VerdictOf(old.Report, new.Report), nil
	}, nil
}

// alone compares one ruleset, as rules diff --on does. What the draft adds has no rules
// before.
func (d *Desk) alone(after *Desk, r *ImpactRequest) (comparison, error) {
	at := engine.Day("")
	if r.At != "" {
		var err error
		if at, err = engine.ParseDay(r.At); err != nil {
			return nil, wrong("at", "this is not a day", "write it as 2026-11-20")
		}
	}
	var before ruletest.Side
	if _, err := d.service.Library().Ruleset(r.Ruleset); err == nil {
		before = ruletest.Side{Library: d.service.Library(), Ref: r.Ruleset, At: at}
	}
	c, err := ruletest.NewComparison(before, ruletest.Side{Library: after.service.Library(), Ref: r.Ruleset, At: at})
	if err != nil {
		return nil, wrong("ruleset", err.Error(), "name one that the draft has")
	}
	return c.Compare, nil
}

// sameRules tells that a document is judged by the same rules on both sides, as most are of
// which a draft says nothing.
func (d *Desk) sameRules(ctx context.Context, doc *model.Document, before validate.Rules, after *Desk, later validate.Rules) (bool, error) {
	old, err := d.service.Decides(ctx, doc, before)
	if err != nil {
		return false, err
	}
	new, err := after.service.Decides(ctx, doc, later)
	return old == new, err
}
