//go:build !js

package raster

import (
	"context"

	"einvoice/model/reserve"

	"github.com/tetratelabs/wazero/experimental"
)

// memory is that of one PDFium. What it grows by is asked for before it is taken.
type memory struct {
	ctx     context.Context //nolint:containedctx // of the document, which asks
	bytes   []byte
	most    uint64
	refused error
}

// Allocate begins without memory.
func (m *memory) Allocate(_, most uint64) experimental.LinearMemory {
	m.most = most
	return m
}

// asks asks for the memory to grow to a size.
func (m *memory) asks(size uint64) error {
	return reserve.AtOnce(m.ctx, "PDFium", int64(size)+int64(cap(m.bytes)))
}

// Reallocate makes the memory larger, by a quarter at least: it is copied then.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		grown := max(size, min(uint64(cap(m.bytes))*5/4, m.most))
		if m.refused = m.asks(grown); m.refused != nil {
			return nil
		}
		larger := make([]byte, len(m.bytes), grown)
		copy(larger, m.bytes)
		m.bytes = larger
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free lets go of the memory.
func (m *memory) Free() { m.bytes = nil }
