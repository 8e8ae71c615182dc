package workbench

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"einvoice/engine"
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
	Document    string  `json:"document"`
	Seller      string  `json:"seller"`
	Month       string  `json:"month"` // of the issue date, as 2026-11
	ValidBefore bool    `json:"validBefore"`
	ValidAfter  bool    `json:"validAfter"`
	Gone        []Fired `json:"gone"`
	New         []Fired `json:"new"`
}

// Fired is a rule that is violated, with its level.
type Fired struct {
	Rule  string       `json:"rule"`
	Level engine.Level `json:"level"`
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
	old, new, err := d.sides(after, r)
	if err != nil {
		return nil, err
	}
	for i := range documents {
		if err := compare(ctx, d, after, old, new, &documents[i], out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A side decides on a document: the rules that fire, and whether it is valid.
type side func(ctx context.Context, doc *model.Document) (fired []Fired, valid bool, err error)

func (d *Desk) sides(after *Desk, r *ImpactRequest) (old, new side, err error) {
	if r.Ruleset != "" {
		if old, err = d.alone(r.Ruleset, true, r.At); err != nil {
			return nil, nil, err
		}
		new, err = after.alone(r.Ruleset, false, r.At)
		return old, new, err
	}
	before, err := d.rulesOf(&r.Settings)
	if err != nil {
		return nil, nil, err
	}
	later := before
	overlays, _ := written(r.Draft)
	for _, name := range overlays {
		if !slices.Contains(later.Overlays, name) {
			later.Overlays = append(slices.Clone(later.Overlays), name)
		}
	}
	return d.whole(before), after.whole(later), nil
}

// whole decides by profile and overlays.
func (d *Desk) whole(rules service.Rules) side {
	return func(ctx context.Context, doc *model.Document) ([]Fired, bool, error) {
		result, err := d.service.ValidateDocument(ctx, doc, rules)
		if err != nil {
			return nil, false, err
		}
		return firedOf(result.Report), result.Report.Valid, nil
	}
}

// alone decides by the rules of one ruleset. One that is not there has no rules, where it
// may be missing.
func (d *Desk) alone(ref string, mayMiss bool, at string) (side, error) {
	validator, err := d.service.Library().Validator(ref)
	if err != nil {
		if mayMiss {
			return func(context.Context, *model.Document) ([]Fired, bool, error) { return nil, true, nil }, nil
		}
		return nil, wrong("ruleset", err.Error(), "name one that the draft has")
	}
	day := engine.Day("")
	if at != "" {
		if day, err = engine.ParseDay(at); err != nil {
			return nil, wrong("at", "this is no day", "write it as 2026-11-20")
		}
	}
	return func(ctx context.Context, doc *model.Document) ([]Fired, bool, error) {
		report, err := validator.ValidateAt(ctx, doc, day)
		if err != nil {
			return nil, false, err
		}
		return firedOf(report), report.Valid, nil
	}, nil
}

func firedOf(r *engine.Report) (fired []Fired) {
	seen := map[Fired]bool{}
	for i := range r.Findings {
		f := Fired{r.Findings[i].Rule, r.Findings[i].Level}
		if !seen[f] {
			seen[f] = true
			fired = append(fired, f)
		}
	}
	return fired
}

// compare decides one document on both sides.
func compare(ctx context.Context, d, after *Desk, old, new side, g *Given, out *Impact) error {
	doc, err := d.service.Read(ctx, g.bytes(), service.Accept{PDF: true})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		out.Unread = append(out.Unread, g.Name)
		return nil
	}
	out.Documents++
	before, validBefore, err := old(ctx, doc)
	if err != nil {
		return err
	}
	now, validAfter, err := new(ctx, doc)
	if err != nil {
		return err
	}
	c := Change{Document: g.Name, ValidBefore: validBefore, ValidAfter: validAfter, Gone: onlyIn(before, now), New: onlyIn(now, before)}
	if len(c.Gone)+len(c.New) == 0 {
		return nil
	}
	if doc.Invoice.Seller != nil {
		c.Seller = doc.Invoice.Seller.Name.Raw
	}
	if day := doc.Invoice.IssueDate; day.Valid {
		c.Month = day.ISO()[:len("2026-11")]
	}
	out.Changes = append(out.Changes, c)
	return nil
}

func onlyIn(list, other []Fired) []Fired {
	out := []Fired{}
	for _, f := range list {
		if !slices.Contains(other, f) {
			out = append(out, f)
		}
	}
	return out
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
