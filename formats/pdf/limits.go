package pdf

import (
	"context"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// Limits bound what one PDF may cost. A field that is zero has the value of
// DefaultLimits.
type Limits struct {
	Bytes       int           // the PDF as it was given
	Attachments int           // embedded files
	Decoded     int           // bytes of all streams that are decompressed
	Ratio       int           // bytes that are decompressed for each byte of a PDF, beyond 16 MiB; 0 for no such limit
	Objects     int           // entries of the table of objects, and references that one search follows
	Depth       int           // levels of a tree
	Time        time.Duration // for opening it
	// Context ends the opening, and all later reading of the container; nil never does.
	Context context.Context
}

// DefaultLimits are generous for an invoice of thousands of pages with all its
// annexes.
func DefaultLimits() Limits {
	return Limits{
		Bytes:       64 << 20,
		Attachments: 1000,
		Decoded:     128 << 20,
		Objects:     200_000,
		Depth:       50,
		Time:        10 * time.Second,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ have, standard *int }{
		{&l.Bytes, &d.Bytes}, {&l.Attachments, &d.Attachments}, {&l.Decoded, &d.Decoded},
		{&l.Objects, &d.Objects}, {&l.Depth, &d.Depth},
	} {
		if *f.have <= 0 {
			*f.have = *f.standard
		}
	}
	if l.Time <= 0 {
		l.Time = d.Time
	}
	if l.Context == nil {
		l.Context = context.Background()
	}
	return l
}

// leastDecoded is how much a PDF may decompress to whatever its Ratio.
const leastDecoded = 16 << 20

// DecodedOf is how much a PDF of so many bytes may decompress to.
func (l Limits) DecodedOf(bytes int) int {
	decoded := l.withDefaults().Decoded
	if l.Ratio > 0 {
		decoded = min(decoded, leastDecoded+l.Ratio*bytes)
	}
	return decoded
}

// maxNesting is how deep arrays and dictionaries may be nested. It protects the
// recursive parser of pdfcpu; no sound PDF comes near.
const maxNesting = 100

// configuration is pdfcpu's, with these limits. It is not made by pdfcpu's own
// function, which reads and writes a folder in the user's home.
func (l Limits) configuration() *model.Configuration {
	limits := model.DefaultResourceLimits()
	limits.MaxStreamBytes = int64(l.Bytes)
	limits.MaxDecodeBytes = int64(l.Decoded)
	limits.MaxObjectCount = l.Objects
	limits.MaxXRefEntries = l.Objects
	limits.MaxObjectStreamCount = l.Objects
	limits.MaxObjectStreamFirst = int64(min(16<<20, l.Decoded))
	limits.MaxRecursionDepth = maxNesting
	return &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true, Limits: limits,
	}
}
