package page_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	pdfmodel "github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// uncompressed is the objects of a PDF and the contents of its streams.
func uncompressed(t testing.TB, data []byte) string {
	t.Helper()
	conf := &pdfmodel.Configuration{
		Reader15: true, ValidationMode: pdfmodel.ValidationRelaxed, Offline: true, Limits: pdfmodel.DefaultResourceLimits(),
	}
	ctx, err := pdfcpu.ReadWithContext(context.Background(), bytes.NewReader(data), conf)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, entry := range ctx.Table {
		if entry == nil || entry.Object == nil {
			continue
		}
		b.WriteString(entry.Object.String())
		if s, is := entry.Object.(types.StreamDict); is {
			if err := s.Decode(); err == nil {
				b.Write(s.Content)
			}
		}
	}
	return b.String()
}
