package workbench

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/service"
)

// ImpactRequest asks on which documents a draft decides otherwise than the rules in force.
type ImpactRequest struct {
	Settings
	// Ruleset compares one ruleset alone, as FAMILY/VERSION, as rules diff --on does; "" is
	// for whole verdicts, by profile and overlays, those of the draft included.
	Ruleset   string  `json:"ruleset"`
	Documents []Given `json:"documents"`
	// Archive asks for the documents of the service's folder from this number on, in place of
	// Documents; null for Documents.
	Archive *int `json:"archive"`
}

// Impact is what a draft changes on some documents.
type Impact struct {
	Documents int      `json:"documents"` // that were compared
	Unread    []string `json:"unread"`    // names of what is no invoice
	Changes   []Change `json:"changes"`
	// Next is the number of the first document of the archive that was not looked at, and
	// Total how many there are; null and 0 without an archive, and Next null at its end.
	Next  *int `json:"next"`
	Total int  `json:"total"`
}

// Change is a document that is decided otherwise.
type Change struct {
	Document string `json:"document"`
	Seller   string `json:"seller"`
	Month    string `json:"month"` // of the issue date, as 2026-11
	ruletest.Verdict
}

// Bounds of one request.
const (
	mostDocuments = 500
	archiveBatch  = 250
)

func (d *Desk) impact(ctx context.Context, r *ImpactRequest) (*Impact, error) {
	if len(r.Documents) > mostDocuments {
		return nil, wrong("documents", fmt.Sprintf("there are more than %d documents", mostDocuments), "send them in several requests")
	}
	after, err := d.with(&r.Settings)
	if err != nil {
		return nil, err
	}
	out := &Impact{Unread: []string{}, Changes: []Change{}}
	documents := r.Documents
	if r.Archive != nil {
		if documents, err = d.archived(*r.Archive, out); err != nil {
			return nil, err
		}
	}
	decide, err := d.comparison(after, r)
	if err != nil {
		return nil, err
	}
	for i := range documents {
		if err := d.compare(ctx, decide, &documents[i], out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A comparison decides a document by the rules in force, and by those with the draft.
type comparison func(ctx context.Context, doc *model.Document) (*ruletest.Verdict, error)

func (d *Desk) comparison(after *Desk, r *ImpactRequest) (comparison, error) {
	if r.Ruleset != "" {
		return d.alone(after, r)
	}
	before, err := d.rulesOf(&r.Settings)
	if err != nil {
		return nil, err
	}
	later := before
	overlays, _ := written(r.Draft)
	for _, name := range overlays {
		if !slices.Contains(later.Overlays, name) {
			later.Overlays = append(slices.Clone(later.Overlays), name)
		}
	}
	return func(ctx context.Context, doc *model.Document) (*ruletest.Verdict, error) {
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
			return nil, wrong("at", "this is no day", "write it as 2026-11-20")
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

// compare decides one document both ways.
func (d *Desk) compare(ctx context.Context, decide comparison, g *Given, out *Impact) error {
	doc, err := d.service.Read(ctx, g.bytes(), service.Accept{PDF: true})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		out.Unread = append(out.Unread, g.Name)
		return nil
	}
	out.Documents++
	verdict, err := decide(ctx, doc)
	if err != nil || !verdict.Differs() {
		return err
	}
	c := Change{Document: g.Name, Verdict: *verdict}
	if doc.Invoice.Seller != nil {
		c.Seller = doc.Invoice.Seller.Name.Raw
	}
	if day := doc.Invoice.IssueDate; day.Valid {
		c.Month = day.ISO()[:len("2026-11")]
	}
	out.Changes = append(out.Changes, c)
	return nil
}

// archived reads a batch of the archive.
func (d *Desk) archived(from int, out *Impact) (documents []Given, err error) {
	if d.archive == nil {
		return nil, wrong("archive", "this service has no archive", "start it with --archive, or send documents")
	}
	names, err := archiveNames(d.archive)
	if err != nil {
		return nil, err
	}
	out.Total = len(names)
	from = min(max(from, 0), len(names))
	to := min(from+archiveBatch, len(names))
	for _, name := range names[from:to] {
		data, err := fs.ReadFile(d.archive, name)
		if err != nil {
			out.Unread = append(out.Unread, name)
			continue
		}
		documents = append(documents, Given{File: data, Name: name})
	}
	if to < len(names) {
		out.Next = &to
	}
	return documents, nil
}
