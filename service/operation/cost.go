package operation

import (
	"bytes"
	"context"

	"einvoice/model/reserve"
)

// A Cost is the bytes of memory that work takes at most, for each byte of a document and for each
// of its marks: "<" and "=" of XML, ":" and "," of JSON.
type Cost struct{ PerByte, PerMark int64 }

// OfXML is the cost of a document that is XML, in bytes.
func (c Cost) OfXML(data []byte) int64 { return c.of(data, "<", "=") }

// OfJSON is the cost of a document that is JSON, in bytes.
func (c Cost) OfJSON(data []byte) int64 { return c.of(data, ":", ",") }

func (c Cost) of(data []byte, marks ...string) int64 {
	n := 0
	for _, mark := range marks {
		n += bytes.Count(data, []byte(mark))
	}
	return c.PerByte*int64(len(data)) + c.PerMark*int64(n)
}

// Pay asks for the memory of one piece of work, in bytes; it is free again with the next one. An
// error is a *reserve.Refused.
func Pay(ctx context.Context, bytes int64) error { return reserve.AtOnce(ctx, "operation", bytes) }
