package inspect

import (
	"cmp"
	"context"
	"strings"
	"time"

	"einvoice/formats/pdf"
	"einvoice/model"
	"einvoice/model/deadline"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxListed bounds each list of facts: a rule that fires a hundred times need not
// fire more often.
const maxListed = 100

// A Description is what rules ask about a PDF, and what its pages show.
type Description struct {
	*model.Container
	// Pages are the texts of the pages; nil if not all of them were read.
	Pages []string
}

// Container describes a PDF. Parts that are damaged are left out; the error is that
// of a limit, or of the context if that is over. The invoice is the attachment that is it; nil
// if there is none.
func Container(ctx context.Context, c *pdf.Container, invoice *pdf.Attachment) (*Description, error) {
	limits := c.Limits()
	until := time.Now().Add(limits.Time)
	if end, ok := ctx.Deadline(); ok && end.Before(until) {
		until = end
	}
	i := &inspector{
		Reader: c.Reader(limits.Objects, until), container: c, deadline: until,
		out: &Description{Container: new(model.Container)},
	}
	_ = pdf.Guard(func() error { i.inspect(invoice); return nil }) // what was found before a panic is kept
	if err := i.Err(); err != nil {
		return nil, cmp.Or(deadline.Err(ctx), err)
	}
	return i.out, nil
}

// An inspector fills a description.
type inspector struct {
	*pdf.Reader
	container *pdf.Container
	deadline  time.Time
	out       *Description
}

func (i *inspector) inspect(invoice *pdf.Attachment) {
	document := i.container.Document()
	catalog := i.Entries(document.Root())
	i.ends(i.container.Bytes())
	i.files(invoice)
	i.encryption(document.Encrypt())
	i.metadata(catalog["Metadata"])
	i.outputIntents(catalog["OutputIntents"])
	i.actions(catalog)
	i.pages()
}

// optional is a text that is absent if it is empty.
func optional(s string) model.Text {
	if s == "" {
		return model.Text{}
	}
	return model.NewText(s)
}

func (i *inspector) encryption(encrypt types.Object) {
	if i.container.Encrypted && encrypt != nil {
		filter := i.Name(i.Entries(encrypt)["Filter"])
		i.out.Encryption = model.NewText(strings.TrimSpace(filter + " encryption"))
	}
}

func (i *inspector) outputIntents(o types.Object) {
	intents := i.Array(o)
	for _, o := range intents[:min(len(intents), maxListed)] {
		intent := i.Entries(o)
		if intent == nil {
			continue
		}
		described := model.OutputIntent{Subtype: optional(i.Name(intent["S"]))}
		if _, ok := i.Stream(intent["DestOutputProfile"]); ok {
			described.Profile = model.NewText(pdf.Printable(i.Text(intent["OutputConditionIdentifier"])))
		}
		i.out.OutputIntents = append(i.out.OutputIntents, described)
	}
}
