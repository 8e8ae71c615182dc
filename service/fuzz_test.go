package service_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"einvoice/formats/jsoninvoice"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service"
)

// designed fails the test for an error of a type that nobody foresaw.
func designed(t *testing.T, operation string, err error) {
	t.Helper()
	_, refused := errors.AsType[*service.Refused](err)
	_, archived := errors.AsType[*archive.Refused](err)
	_, told := errors.AsType[*problem.Error](err)
	_, mistaken := errors.AsType[*jsoninvoice.Error](err)
	if err != nil && !refused && !archived && !told && !mistaken && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s: %T: %v", operation, err, err)
	}
}

// inTime is a context that guards against work without an end.
func inTime(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// FuzzCreate creates, takes the JSON out of what was created, and creates again: the
// documents are the same, and valid.
func FuzzCreate(f *testing.F) {
	s := open(f)
	f.Add("ubl", []byte(service.Example))
	f.Add("cii", []byte(service.Example))
	f.Add("xrechnung", []byte(service.Example))
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		first := create(t, s, format, data)
		if first == nil {
			return
		}
		result, err := s.Validate(inTime(t), first.Data, service.Rules{})
		if err != nil || !result.Report.Valid {
			t.Fatalf("what was created is not valid: %v\n%s", err, first.Data)
		}
		taken, err := s.ExtractJSON(inTime(t), first.Data)
		if err != nil {
			t.Fatal(err)
		}
		request := bytes.Join([][]byte{[]byte(`{"invoice": `), taken.Data, []byte("}")}, nil)
		again := create(t, s, format, request)
		if again == nil {
			t.Fatalf("what was created cannot be created again\n%s", request)
		}
		if len(first.Losses) == 0 && len(again.Losses) == 0 && !bytes.Equal(first.Data, again.Data) {
			t.Errorf("created first\n%s\nand then\n%s", first.Data, again.Data)
		}
	})
}

// create creates a document; nil if it is refused.
func create(t *testing.T, s *service.Service, format string, data []byte) *service.Made {
	request, err := service.ReadRequest(data)
	if err != nil {
		designed(t, "read", err)
		return nil
	}
	if request.Options != nil { // they may choose another format
		request.Options = nil
	}
	made, err := s.Create(inTime(t), format, request)
	designed(t, "create", err)
	if err != nil {
		return nil
	}
	return made
}

// FuzzXML takes a document through all operations.
func FuzzXML(f *testing.F) {
	s := open(f)
	files, err := filepath.Glob(filepath.Join("..", "cmd", "einvoice", "samples", "*.xml"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := inTime(t)
		_, err := s.Validate(ctx, data, service.Rules{})
		designed(t, "validate", err)
		_, err = s.ExtractJSON(ctx, data)
		designed(t, "extract json", err)
		_, err = s.ExtractAttachments(ctx, data)
		designed(t, "extract attachments", err)
		for _, format := range []string{"ubl", "cii", "xrechnung"} {
			doc, err := s.Read(ctx, data, service.Accept{})
			designed(t, "read", err)
			if err != nil {
				return
			}
			_, err = s.Transform(ctx, format, doc, service.Transform{})
			designed(t, "transform to "+format, err)
		}
		doc, err := s.Read(ctx, data, service.Accept{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Render(doc, service.Rendering{})
		designed(t, "render", err)
	})
}

// FuzzPDF embeds an invoice in a PDF; what is delivered gives the invoice back, is valid,
// and can be embedded in again.
func FuzzPDF(f *testing.F) {
	s := open(f)
	invoice, err := rulesets.FS.ReadFile("examples/base-cii.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: invoice}))
	f.Add(pdftest.Hybrid())
	var w pdftest.Writer
	stream := w.Stream("", []byte("q 1 0 0 RG 0 0 m 100 100 l S BT /F 12 Tf (text) Tj ET Q"))
	pages := w.Pages(1, "/Contents "+pdftest.Ref(stream)+" /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>")
	f.Add(w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := inTime(t)
		made, err := s.Embed(ctx, data, invoice, service.Embedding{})
		designed(t, "embed", err)
		if err != nil {
			return
		}
		taken, err := s.ExtractXML(ctx, made.Data)
		if err != nil || !bytes.Equal(taken.Data, invoice) {
			t.Fatalf("the invoice is not what was embedded: %v", err)
		}
		result, err := s.Validate(ctx, made.Data, service.Rules{})
		if err != nil || !result.Report.Valid {
			t.Fatalf("what was delivered is not valid: %v", err)
		}
		if _, err := s.Embed(ctx, made.Data, invoice, service.Embedding{}); err != nil {
			t.Errorf("what was delivered is refused: %v", err)
		}
	})
}
