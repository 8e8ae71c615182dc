package operation_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"einvoice/formats/jsoninvoice"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/create"
	"einvoice/service/embed"
	"einvoice/service/extract"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// designed fails the test for an error of a type that nobody foresaw.
func designed(t *testing.T, operation string, err error) {
	t.Helper()
	_, refused := errors.AsType[*write.Refused](err)
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
	s := kittest.Kit(f)
	f.Add("ubl", []byte(create.Example))
	f.Add("cii", []byte(create.Example))
	f.Add("xrechnung", []byte(create.Example))
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		first := created(t, s, format, data)
		if first == nil {
			return
		}
		result, err := s.Validate(inTime(t), first.Data, validate.Rules{})
		if err != nil || !result.Report.Valid {
			t.Fatalf("what was created is not valid: %v\n%s", err, first.Data)
		}
		taken, err := extract.JSON(inTime(t), s.Service, first.Data)
		if err != nil {
			t.Fatal(err)
		}
		request := bytes.Join([][]byte{[]byte(`{"invoice": `), taken.Data, []byte("}")}, nil)
		again := created(t, s, format, request)
		if again == nil {
			t.Fatalf("what was created cannot be created again\n%s", request)
		}
		if len(first.Losses) == 0 && len(again.Losses) == 0 && !bytes.Equal(first.Data, again.Data) {
			t.Errorf("created first\n%s\nand then\n%s", first.Data, again.Data)
		}
	})
}

// created creates a document; nil if it is refused.
func created(t *testing.T, s *operation.Kit, format string, data []byte) *write.Made {
	request, err := create.ReadRequest(t.Context(), data)
	if err != nil {
		designed(t, "read", err)
		return nil
	}
	if request.Options != nil { // they may choose another format
		request.Options = nil
	}
	made, err := create.Document(inTime(t), s.Pages, format, request)
	designed(t, "create", err)
	if err != nil {
		return nil
	}
	return made
}

// FuzzXML takes a document through all operations.
func FuzzXML(f *testing.F) {
	s := kittest.Kit(f)
	files, err := filepath.Glob(filepath.Join("..", "..", "cmd", "einvoice", "samples", "*.xml"))
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
		_, err := s.Validate(ctx, data, validate.Rules{})
		designed(t, "validate", err)
		_, err = extract.JSON(ctx, s.Service, data)
		designed(t, "extract json", err)
		_, err = extract.Attachments(ctx, s.Service, data)
		designed(t, "extract attachments", err)
		for _, format := range []string{"ubl", "cii", "xrechnung"} {
			doc, err := s.Read(ctx, data, validate.Accept{})
			designed(t, "read", err)
			if err != nil {
				return
			}
			_, err = transform.Document(ctx, s.Pages, format, doc, transform.Options{})
			designed(t, "transform to "+format, err)
		}
		doc, err := s.Read(ctx, data, validate.Accept{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Pages.Document(context.Background(), doc, render.Options{})
		designed(t, "render", err)
	})
}

// FuzzPDF embeds an invoice in a PDF; what is delivered gives the invoice back, is valid,
// and can be embedded in again.
func FuzzPDF(f *testing.F) {
	s := kittest.Kit(f)
	invoice, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
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
		made, err := embed.Document(ctx, s.Service, data, invoice, embed.Options{})
		designed(t, "embed", err)
		if err != nil {
			return
		}
		taken, err := extract.XML(ctx, s.Service, made.Data)
		if err != nil || !bytes.Equal(taken.Data, invoice) {
			t.Fatalf("the invoice is not what was embedded: %v", err)
		}
		result, err := s.Validate(ctx, made.Data, validate.Rules{})
		if err != nil || !result.Report.Valid {
			t.Fatalf("what was delivered is not valid: %v", err)
		}
		if _, err := embed.Document(ctx, s.Service, made.Data, invoice, embed.Options{}); err != nil {
			t.Errorf("what was delivered is refused: %v", err)
		}
	})
}
