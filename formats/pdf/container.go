package pdf

import (
	"errors"
	"time"

	"einvoice/model/problem"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Container is an open PDF with the files that are attached to it. It is not for
// use by several goroutines at a time.
type Container struct {
	// Attachments are the embedded files in the order in which they were found;
	// a file that is attached in several places is listed once.
	Attachments []*Attachment
	// Encrypted tells that the PDF is encrypted, although it opens without a password.
	Encrypted bool

	data     []byte
	document Document
	limits   Limits
	decoded  decodeMeter
	// incomplete tells that a part of the file is damaged or missing, which may be
	// why no attachment is found.
	incomplete bool
}

// Bytes are the PDF as it was given.
func (c *Container) Bytes() []byte { return c.data }

// Document is the table of objects of the PDF.
func (c *Container) Document() *Document { return &c.document }

// Limits are the limits that the PDF was opened with.
func (c *Container) Limits() Limits { return c.limits }

// A Place says from where in the PDF an attachment is referenced; it may be
// referenced from several places.
type Place uint8

// The places.
const (
	InNameTree    Place = 1 << iota // in the document's name tree EmbeddedFiles
	InDocumentAF                    // in the associated files of the document
	InPageAF                        // in the associated files of a page
	InAnnotation                    // in a file attachment annotation
	InLooseObject                   // in an object of a damaged file that nothing refers to
)

// An Attachment is a file inside a PDF.
type Attachment struct {
	Name         string // as its sender called it; never to be used as a path
	Key          string // in the name tree, if it is listed there
	Description  string
	MIME         string    // as declared
	Relationship string    // AFRelationship: Data, Alternative, Source, ...
	Created      time.Time // zero if it is not declared
	Modified     time.Time // zero if it is not declared
	Size         int       // as declared; -1 if it is not
	CheckSum     []byte    // MD5 as declared; nil if it is not
	Places       Place

	stream    types.StreamDict
	container *Container
	data      []byte
	err       error
	read      bool
}

// Data is the file, decompressed.
func (a *Attachment) Data() ([]byte, error) {
	if !a.read {
		a.data, a.err = a.decode()
		a.read = true
	}
	return a.data, a.err
}

func (a *Attachment) decode() (data []byte, err error) {
	err = Guard(func() error {
		data, err = a.container.decoded.decode(a.stream)
		return err
	})
	if err == nil {
		return data, nil
	}
	if errors.Is(err, ErrDecodeLimit) {
		err = limitExceeded("the attachments of the PDF decompress to more than the %d bytes that are allowed", a.container.limits.Decoded)
	}
	e, ok := errors.AsType[*problem.Error](err)
	if !ok {
		e = damaged(err)
		e.Message = "the attachment " + a.Name + " is damaged and cannot be read"
	}
	return nil, e
}
