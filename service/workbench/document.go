package workbench

import (
	"bytes"
	"context"
	"strings"

	"einvoice/formats"
	"einvoice/formats/filekind"
	"einvoice/model/pattern"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// Given is the document of a request: a text that a person edits, or the bytes of a file.
type Given struct {
	// Text is XML or the JSON of an invoice.
	Text string `json:"text"`
	// File are the bytes of a file, in base64: a PDF, or XML in any encoding.
	File []byte `json:"file"`
	// Name is that of the file.
	Name string `json:"name"`
}

func (g *Given) bytes() []byte {
	if g.Text != "" {
		return []byte(g.Text)
	}
	return g.File
}

func (g *Given) isJSON() bool {
	return bytes.HasPrefix(bytes.TrimLeft(g.bytes(), "\ufeff \t\r\n"), []byte("{"))
}

// readRequest reads the invoice of a text that is JSON. It asks for the memory that create takes,
// which is more than what reading XML of that size takes.
func readRequest(ctx context.Context, text string) (*create.Request, error) {
	if err := operation.Pay(ctx, operation.Named("create").Cost.OfJSON([]byte(text))); err != nil {
		return nil, err
	}
	return create.ReadRequestOrInvoice(ctx, []byte(text))
}

var declaredEncoding = pattern.Later(`^(<\?xml[^>]*?encoding=["'])([^"']+)(["'])`)

// editable is an XML document as a text to be edited: with plain ends of lines, and
// declared to be in the encoding that a browser's text has.
func editable(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return declaredEncoding().ReplaceAllStringFunc(text, func(declaration string) string {
		parts := declaredEncoding().FindStringSubmatch(declaration)
		if strings.EqualFold(parts[2], "utf-8") {
			return declaration
		}
		return parts[1] + "UTF-8" + parts[3]
	})
}

// receive reads a document so that its places are those of the editable text.
func (d *Desk) receive(ctx context.Context, g *Given) (*formats.Received, error) {
	data := g.bytes()
	if g.Text != "" {
		return d.service.Receive(ctx, []byte(editable(g.Text)), validate.Accept{Legacy: true})
	}
	received, err := d.service.Receive(ctx, data, validate.Accept{PDF: true, Legacy: true})
	if err != nil {
		return nil, err
	}
	if text := editable(received.Document.Source.Data); text != received.Document.Source.Data || !filekind.IsPDF(data) {
		again, err := d.service.Receive(ctx, []byte(text), validate.Accept{Legacy: true})
		if err != nil {
			return nil, err
		}
		again.Document.Attachment, again.PDF, again.Attachment = received.Document.Attachment, received.PDF, received.Attachment
		return again, nil
	}
	return received, nil
}

// receiveWithRules reads what was given, and chooses the rules that decide it.
func (d *Desk) receiveWithRules(ctx context.Context, s *Settings, g *Given) (rules validate.Rules, received *formats.Received, err error) {
	if rules, err = d.rulesOf(s); err == nil {
		received, err = d.receive(ctx, g)
	}
	return rules, received, err
}
