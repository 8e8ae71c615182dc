package pdf

import (
	"context"
	"crypto/md5" //nolint:gosec // the checksum that PDF lays down
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// mostDescribed bounds each list of what is found: a rule that fires a hundred
// times has said what it has to say.
const mostDescribed = 100

// A Description is what rules ask about a PDF, and what its pages show.
type Description struct {
	*model.Container
	// Pages are the texts of the pages; nil if there are more than were read.
	Pages []string
}

// Describe tells what a PDF claims to be, how the invoice is attached, what the PDF
// has that PDF/A does not allow, and what its pages show. What is damaged is left
// out; the error is that of a limit.
func (c *Container) Describe(ctx context.Context, invoice *Attachment) (*Description, error) {
	deadline := time.Now().Add(c.limits.Time)
	if end, ok := ctx.Deadline(); ok && end.Before(deadline) {
		deadline = end
	}
	d := &describer{finder: &finder{objects: c.objects(deadline)}, out: &Description{Container: new(model.Container)}}
	err := guarded(func() error { return d.describe(invoice) })
	if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeLimit {
		return nil, e
	}
	return d.out, nil
}

// describer fills a description.
type describer struct {
	*finder
	out *Description
}

func (d *describer) describe(invoice *Attachment) error {
	root, err := d.catalog()
	if err != nil {
		return err
	}
	d.files(invoice)
	for _, look := range []func() error{
		d.encryption,
		func() error { return d.metadata(root["Metadata"]) },
		func() error { return d.outputIntents(root["OutputIntents"]) },
		func() error { return d.actions(root) },
		d.pages,
	} {
		if err := d.excuse(look()); err != nil {
			return err
		}
	}
	return nil
}

// present is a text that is there if it has something to say.
func present(s string) model.Text {
	if s == "" {
		return model.Text{}
	}
	return model.NewText(s)
}

func (d *describer) encryption() error {
	if !d.container.Encrypted || d.Encrypt == nil {
		return nil
	}
	encrypt, err := d.dict(*d.Encrypt)
	d.out.Encryption = model.NewText(strings.TrimSpace(d.name(encrypt["Filter"]) + " encryption"))
	return err
}

func (d *describer) files(invoice *Attachment) {
	for _, a := range d.container.Attachments {
		if a == invoice {
			file := a.describe()
			d.out.InvoiceFile = &file
		} else {
			d.out.OtherFiles = append(d.out.OtherFiles, a.describe())
		}
	}
}

func (a *Attachment) describe() model.ContainerFile {
	f := model.ContainerFile{
		Name: present(a.Name), MIME: present(a.MIME), Relationship: present(a.Relationship), Description: present(a.Description),
	}
	if !a.Modified.IsZero() {
		f.Modified = model.NewText(a.Modified.Format(time.RFC3339))
	}
	if a.Places&InNameTree != 0 {
		f.NameTreeKey = model.NewText(a.Key)
	}
	switch {
	case a.Places&InDocumentAF != 0:
		f.Associated = model.NewText("document")
	case a.Places&InPageAF != 0:
		f.Associated = model.NewText("page")
	}
	if a.Size >= 0 {
		f.StatedSize = model.NewNumber(strconv.Itoa(a.Size))
	}
	data, err := a.Data()
	if err != nil {
		f.Problem = model.NewText(problemOf(err))
		return f
	}
	f.Kind = present(string(kindOf(data)))
	f.Size = model.NewNumber(strconv.Itoa(len(data)))
	if len(a.CheckSum) > 0 {
		sum := md5.Sum(data) //nolint:gosec // as above
		f.CheckSum, f.StatedCheckSum = model.NewText(hex.EncodeToString(sum[:])), model.NewText(stated(a.CheckSum))
	}
	return f
}

// stated is a checksum as it is declared. Some programs write the digits where the
// bytes belong.
func stated(sum []byte) string {
	if _, err := hex.DecodeString(string(sum)); err == nil && len(sum) == 2*md5.Size {
		return strings.ToLower(string(sum))
	}
	return hex.EncodeToString(sum)
}

func problemOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Message
	}
	return err.Error()
}

func (d *describer) outputIntents(o object) error {
	intents, err := d.array(o)
	for _, o := range intents[:min(len(intents), mostDescribed)] {
		intent, err := d.dict(o)
		if err := d.excuse(err); err != nil {
			return err
		}
		if intent == nil {
			continue
		}
		described := model.OutputIntent{Subtype: present(d.name(intent["S"]))}
		profile, err := d.at(intent["DestOutputProfile"])
		if err := d.excuse(err); err != nil {
			return err
		}
		if _, ok := profile.(types.StreamDict); ok {
			described.Profile = model.NewText(d.text(intent["OutputConditionIdentifier"]))
		}
		d.out.OutputIntents = append(d.out.OutputIntents, described)
	}
	return err
}
