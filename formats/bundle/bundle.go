package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"einvoice/formats"
	"einvoice/formats/filekind"
	"einvoice/formats/pdf"
	"einvoice/model"
	"einvoice/model/filename"
	"einvoice/model/problem"
)

// A Bundle is the documents that belong to an invoice.
type Bundle struct {
	Files    []File    `json:"files"`
	Problems []Problem `json:"problems"`

	ended    func() error // is asked before each group and attachment, and ends the collection
	names    filename.Names
	attached map[attachedKey][]int // files of the PDF that no term of the invoice holds yet
}

func newBundle(ended func() error) *Bundle {
	b := &Bundle{ended: ended, Files: []File{}, Problems: []Problem{}, attached: map[attachedKey][]int{}}
	b.names.Take(manifestName)
	return b
}

// An attachedKey is what a file attached to the PDF and a document inside the invoice have
// in common where they are the same. The name is the safe one: who makes a PDF makes names safe too.
type attachedKey struct{ name, sha256 string }

// A Source says where a document is from.
type Source string

// The sources.
const (
	FromPDF     Source = "pdf"     // attached to the PDF
	FromInvoice Source = "invoice" // inside the invoice's XML (BT-125)
)

// A File is one document.
type File struct {
	Name         string    `json:"name"`                   // in the bundle; safe and unique
	OriginalName string    `json:"originalName,omitempty"` // the name that the sender chose
	Source       Source    `json:"source"`
	Invoice      bool      `json:"invoice,omitempty"`      // it is the invoice itself
	Field        string    `json:"field,omitempty"`        // path of the term that holds it, of files attached to the PDF too
	Reference    string    `json:"reference,omitempty"`    // BT-122, for documents inside the invoice
	Description  string    `json:"description,omitempty"`  // Desc or BT-123
	MIMEType     string    `json:"mimeType,omitempty"`     // as declared
	Relationship string    `json:"relationship,omitempty"` // AFRelationship, for files attached to the PDF
	Created      time.Time `json:"created,omitzero"`
	Modified     time.Time `json:"modified,omitzero"`
	Size         int       `json:"size"`
	SHA256       string    `json:"sha256"`

	Data []byte `json:"-"`
}

// A Problem is why a document is not in the bundle.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Name    string `json:"name,omitempty"`  // of the attachment
	Field   string `json:"field,omitempty"` // path of the term
}

// CodeNotBase64 is the code for a document inside the invoice that cannot be decoded.
const CodeNotBase64 = "BUNDLE-NOT-BASE64"

// Of collects the documents of an invoice in XML or PDF. It fails if there is nothing
// to collect from: XML that is not an invoice, or a PDF that cannot be opened or has no
// attachments. It ends with the context of the options, and its error.
func Of(data []byte, options formats.Options) (*Bundle, error) {
	if !filekind.IsPDF(data) {
		doc, err := formats.Read(data, options)
		if err != nil {
			return nil, err
		}
		b := newBundle(options.Err)
		b.fromInvoice(doc.Invoice)
		return b, options.Err()
	}
	opened, err := options.Open(data)
	if err != nil {
		return nil, err
	}
	b := newBundle(options.Err)
	received, err := formats.ReceiveFrom(opened, options)
	if e, ok := errors.AsType[*problem.Error](err); ok {
		if e.Code == pdf.CodeNoAttachment {
			return nil, e
		}
		b.Problems = append(b.Problems, problemOf(e, e.Attachment))
	} else if err != nil {
		return nil, err
	}
	b.fromPDF(opened, received)
	if received != nil {
		b.fromInvoice(received.Document.Invoice)
	}
	return b, options.Err()
}

// OfInvoice collects the documents inside an invoice.
func OfInvoice(invoice *model.Invoice) *Bundle {
	b := newBundle(func() error { return nil })
	b.fromInvoice(invoice)
	return b
}

func (b *Bundle) fromPDF(opened *formats.PDF, received *formats.Received) {
	for _, a := range opened.Attachments {
		if b.ended() != nil {
			return
		}
		data, err := a.Data()
		if err != nil {
			b.Problems = append(b.Problems, problemOf(err, a.Name))
			continue
		}
		b.add(File{
			OriginalName: a.Name, Source: FromPDF, Invoice: received != nil && received.Attachment == a,
			Description: a.Description, MIMEType: a.MIME, Relationship: a.Relationship,
			Created: a.Created, Modified: a.Modified, Data: data,
		})
	}
}

// problemOf is the problem that an error is; name is that of the attachment.
func problemOf(err error, name string) Problem {
	p := Problem{Code: pdf.CodeDamaged, Message: err.Error(), Name: name}
	if e, ok := errors.AsType[*problem.Error](err); ok {
		p.Code, p.Message = e.Code, e.Message
	}
	return p
}

func (b *Bundle) fromInvoice(invoice *model.Invoice) { b.fromGroup("", model.ObjectOf(invoice)) }

// fromGroup collects the documents of a group and of all groups inside it.
func (b *Bundle) fromGroup(path string, o model.Object) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				b.fromGroup(model.Join(path, f.Name), g)
			}
		case model.KindList:
			list := o.List(f)
			for i := 0; i < list.Len() && b.ended() == nil; i++ {
				b.fromGroup(fmt.Sprintf("%s[%d]", model.Join(path, f.Name), i), list.At(i))
			}
		case model.KindBinary:
			if o.Has(f) {
				b.fromBinary(model.Join(path, f.Name), o, f)
			}
		}
	}
}

// fromBinary adds the document in a field of a group whose other terms say what it is.
// Supporting documents (BG-24) and the references of Factur-X EXTENDED call them alike,
// but for their own reference and description.
func (b *Bundle) fromBinary(path string, o model.Object, f *model.Field) {
	term := func(names ...string) (value string) {
		for _, name := range names {
			if of, ok := o.Type.Field(name); ok {
				value = cmp.Or(value, o.Raw(of))
			}
		}
		return value
	}
	name, reference := term("attachmentFileName"), term("reference", "identifier")
	data, err := o.Binary(f).Decode()
	if err != nil {
		b.Problems = append(b.Problems, Problem{
			Code: CodeNotBase64, Field: path, Name: name,
			Message: fmt.Sprintf("the attached document (%s) is not base64: %v", cmp.Or(f.BT, f.Term), err),
		})
		return
	}
	b.add(File{
		OriginalName: cmp.Or(name, reference), Source: FromInvoice, Field: path, Reference: reference,
		Description: term("description", "name"), MIMEType: term("attachmentMimeCode"), Data: data,
	})
}

// isAttachedToo reports whether a document inside the invoice is attached to the PDF as well,
// under the same safe name: it is one document then, of which the invoice says what it is.
func (b *Bundle) isAttachedToo(f *File, key attachedKey) bool {
	if f.Source != FromInvoice {
		return false
	}
	same := b.attached[key]
	if len(same) == 0 {
		return false
	}
	b.attached[key] = same[1:]
	have := &b.Files[same[0]]
	have.Field, have.Reference, have.Description = f.Field, f.Reference, cmp.Or(f.Description, have.Description)
	return true
}

func (b *Bundle) add(f File) {
	sum := sha256.Sum256(f.Data)
	f.Size, f.SHA256 = len(f.Data), hex.EncodeToString(sum[:])
	safe := safeName(f.OriginalName, f.MIMEType)
	key := attachedKey{safe, f.SHA256}
	if b.isAttachedToo(&f, key) {
		return
	}
	f.Name = b.names.Take(safe)
	if f.Source == FromPDF {
		b.attached[key] = append(b.attached[key], len(b.Files))
	}
	b.Files = append(b.Files, f)
}
