package pdf

import (
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Container is an open PDF with what is attached to it. It is not for use by
// several goroutines at a time.
type Container struct {
	// Attachments are the embedded files in the order in which they were found;
	// a file that is attached in several places is there once.
	Attachments []*Attachment
	// Encrypted tells that the PDF is encrypted, though it opens without a password.
	Encrypted bool

	data    []byte
	context *model.Context
	limits  Limits
	decoded int          // bytes that were decompressed so far
	opened  map[int]bool // object streams that were decompressed
	lost    bool         // what is damaged may be why nothing is found
}

// Bytes are the PDF as it was given.
func (c *Container) Bytes() []byte { return c.data }

// Context is the PDF as the library below sees it, for checks of other parts
// than the attachments. It was read, but never validated.
func (c *Container) Context() *model.Context { return c.context }

// A Place says how an attachment is attached; one may be in several places.
type Place uint8

// The places.
const (
	InNameTree    Place = 1 << iota // in the document's name tree EmbeddedFiles
	InDocumentAF                    // in the associated files of the document
	InPageAF                        // in the associated files of a page
	InAnnotation                    // in a file attachment annotation
	InLooseObject                   // in an object that nothing leads to, in a damaged file
)

// An Attachment is a file inside a PDF.
type Attachment struct {
	Name         string // as its sender called it; never to be used as a path
	Key          string // in the name tree, where it is there
	Description  string
	MIME         string    // as declared
	Relationship string    // AFRelationship: Data, Alternative, Source, ...
	Created      time.Time // zero where it is not declared
	Modified     time.Time // zero where it is not declared
	Size         int       // as declared; -1 where it is not
	CheckSum     []byte    // MD5 as declared; nil where it is not
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
		a.data, a.err = a.container.decode(a)
		a.read = true
	}
	return a.data, a.err
}
