package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"

	"golang.org/x/image/tiff"
)

// furtherAttacks are by pictures, text in several directions, files of one name, fonts, rates,
// and calls of the workbench.
func furtherAttacks(t *testing.T) (list []attack) {
	t.Helper()
	add := func(name, path, kind string, body func() []byte) {
		list = append(list, attack{name: name, path: path, contentType: kind, body: body})
	}
	size := image.Rect(0, 0, 6300, 6300)
	encoded := func(encode func(*bytes.Buffer) error) func() []byte {
		return func() []byte {
			var b bytes.Buffer
			if err := encode(&b); err != nil {
				t.Error(err)
			}
			return b.Bytes()
		}
	}
	const parse = "/v1/parse/json"
	add("a PNG of 16 bits", parse, "image/png", encoded(func(b *bytes.Buffer) error { return png.Encode(b, image.NewNRGBA64(size)) }))
	add("a grey PNG", parse, "image/png", encoded(func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(size)) }))
	add("a TIFF of one strip", parse, "image/tiff", encoded(func(b *bytes.Buffer) error {
		return tiff.Encode(b, image.NewNRGBA64(size), &tiff.Options{Compression: tiff.Deflate})
	}))
	add("a JPEG", parse, "image/jpeg", encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, image.NewRGBA(size), nil) }))
	add("a picture in a page", parse, "application/pdf", func() []byte {
		var w pdftest.Writer
		picture := w.Stream("/Type /XObject /Subtype /Image /Width 10000 /Height 10000 /BitsPerComponent 16 /ColorSpace /DeviceRGB", make([]byte, 12<<20))
		content := w.Stream("", []byte("q 595 0 0 842 0 0 cm /P Do Q"))
		return closed(&w, fmt.Sprintf("/Contents %s /Resources << /XObject << /P %s >> >>", pdftest.Ref(content), pdftest.Ref(picture)), "")
	})
	for name, text := range map[string]string{
		"overrides and isolates": "\u202e" + strings.Repeat("\u2067\u05d0 a", 300_000), "Arabic ligatures": strings.Repeat("\u0644\u0627", 800_000), "combining marks": "e" + strings.Repeat("\u0301", 800_000),
		"cash discounts": strings.Repeat("#SKONTO#TAGE=14#PROZENT=2.00#\n", 80_000),
	} {
		line, err := json.Marshal(map[string]any{"invoice": map[string]any{"paymentTerms": text, "lines": []any{map[string]any{"item": map[string]any{"name": text}}}}})
		if err != nil {
			t.Fatal(err)
		}
		add(name, "/v1/create/zugferd", "application/json", func() []byte { return line })
		document := strings.Replace(string(sample(t, "ubl-valid.xml")), "<cbc:DocumentCurrencyCode>", "<cbc:Note>"+text+"</cbc:Note><cbc:DocumentCurrencyCode>", 1)
		document = strings.Replace(document, "<cac:TaxTotal>", "<cac:PaymentTerms><cbc:Note>"+text+"</cbc:Note></cac:PaymentTerms><cac:TaxTotal>", 1)
		for _, to := range []string{"pdf", "svg", "html"} {
			add(name, "/v1/render/ubl/to/"+to, "application/xml", func() []byte { return []byte(document) })
		}
	}
	for name, called := range map[string]func(i int) string{
		"files of one name": func(int) string { return "f.pdf" }, "files whose names differ in case": func(i int) string { return strings.ToUpper("abcdefghijklmn"[:i%14]) + fmt.Sprint(i/14) },
	} {
		body := func() []byte {
			var w pdftest.Writer
			spec := pdftest.Ref(w.Attach(pdftest.File{Name: "f.pdf", Data: []byte("a")}))
			var names strings.Builder
			for i := range 30_000 {
				fmt.Fprintf(&names, "(%s) %s ", called(i), spec)
			}
			return closed(&w, "", "/Names << /EmbeddedFiles << /Names ["+names.String()+"] >> >>")
		}
		add(name, "/v1/extract/attachments", "application/pdf", body)
		add(name, "/v1/validate/en16931", "application/pdf", body)
	}
	form, kind := embedForm(t, func() []byte {
		var w pdftest.Writer
		var fonts, text strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&fonts, "/F%d %s ", i, pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Font /Subtype /TrueType /BaseFont /Arial%d /Encoding /WinAnsiEncoding >>", i))))
			fmt.Fprintf(&text, "/F%d 8 Tf (a) Tj ", i)
		}
		stream := w.Stream("", []byte("BT "+text.String()+"ET"))
		return closed(&w, fmt.Sprintf("/Contents %s /Resources << /Font << %s >> >>", pdftest.Ref(stream), fonts.String()), "")
	})
	add("20,000 fonts", "/v1/embed/xml", kind, form)
	add("8,000 rates", "/v1/create/ubl", "application/json", func() []byte {
		lines := make([]string, 8000)
		for i := range lines {
			lines[i] = fmt.Sprintf(`{"netAmount": 1, "vat": {"categoryCode": "S", "rate": %d.%03d}}`, 1+i/1000, i%1000)
		}
		return []byte(`{"invoice": {"lines": [` + strings.Join(lines, ",") + "]}}")
	})
	for _, call := range []string{"check", "view", "remedies"} {
		add("20 MB in the workbench", "/v1/workbench/"+call, "application/json", func() []byte {
			body, err := json.Marshal(map[string]string{"name": "a.xml", "text": strings.Replace(string(sample(t, "ubl-valid.xml")), "<cac:InvoiceLine>", strings.Repeat("<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>", 350_000)+"<cac:InvoiceLine>", 1)})
			if err != nil {
				t.Error(err)
			}
			return body
		})
	}
	return list
}

// closed is a PDF of one page with entries of its page and of its catalog.
func closed(w *pdftest.Writer, page, catalog string) []byte {
	pages := w.Pages(1, page)
	return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" "+catalog+" >>")))
}
