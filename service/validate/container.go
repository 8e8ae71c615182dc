package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/validate/printed"
)

// describe lets rules ask about the PDF that a document came in.
func describe(ctx context.Context, received *formats.Received) error {
	if received.PDF == nil {
		return nil
	}
	container, pages, err := received.PDF.Describe(ctx, received.Attachment)
	if err != nil {
		return err
	}
	received.Document.Container = container
	container.Printed = printed.AmountDue(pages, received.Document.Invoice)
	return nil
}

// Describe reads a document as rules see it: with the PDF that it is attached to, and with
// what its profile demands of the PDF. An error is a *problem.Error unless the context ended.
func (s *Service) Describe(ctx context.Context, data []byte) (*model.Document, error) {
	received, err := s.Receive(ctx, data, Accept{PDF: true})
	if err != nil {
		return nil, err
	}
	if err := describe(ctx, received); err != nil {
		return nil, err
	}
	doc := received.Document
	profile, known, err := s.profile(Rules{}, doc)
	if err != nil {
		return nil, err
	}
	if doc.Container != nil && known {
		doc.Container.Expected = expected(profile.Hybrid)
	}
	return doc, nil
}

// expected is what a profile lays down about the PDF, in the words of the model.
func expected(h *engine.Hybrid) *model.ContainerOfProfile {
	if h == nil {
		return nil
	}
	e := &model.ContainerOfProfile{
		FileName: model.NewText(h.FileName), ConformanceLevel: model.NewText(h.ConformanceLevel),
		Version: model.NewText(h.Version), Relationship: model.NewText(h.Relationship),
	}
	for _, r := range h.Accepted {
		e.Accepted = append(e.Accepted, model.AcceptedRelationship{Relationship: model.NewText(r)})
	}
	return e
}

// withContainer adds the rules over the PDF to those of a profile: they apply to
// every PDF, and a profile need not name them.
func withContainer(refs []string, doc *model.Document) []string {
	if doc.Container == nil {
		return refs
	}
	return append(slices.Clone(refs), catalogue.Read().Container)
}

// withoutContainer removes them where there is no PDF.
func withoutContainer(refs []string, doc *model.Document) ([]string, error) {
	if doc.Container != nil {
		return refs, nil
	}
	container := catalogue.Read().Container
	ofContainer := func(ref string) bool {
		family, _, _ := strings.Cut(ref, "/")
		return family == container
	}
	if slices.ContainsFunc(refs, ofContainer) {
		refs = slices.DeleteFunc(slices.Clone(refs), ofContainer)
	}
	if len(refs) == 0 {
		return nil, fmt.Errorf("the ruleset %s is about PDFs that carry an invoice, and this document came in none; send the PDF", container)
	}
	return refs, nil
}
