// Package pdftest writes small PDFs for tests: sound ones, and ones that no program
// would write.
//
//	data := pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: xml})
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// A Writer writes a PDF. Its objects have the numbers 1, 2, ... in the order in which
// they are added.
type Writer struct {
	buffer  bytes.Buffer
	offsets []int
}

// Next is the number of the object that is added next.
func (w *Writer) Next() int { return len(w.offsets) + 1 }

// Add adds an object and returns its number.
func (w *Writer) Add(body string) int {
	if w.buffer.Len() == 0 {
		w.buffer.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	}
	w.offsets = append(w.offsets, w.buffer.Len())
	fmt.Fprintf(&w.buffer, "%d 0 obj\n%s\nendobj\n", len(w.offsets), body)
	return len(w.offsets)
}

// Stream adds a stream with the entries given, compressed.
func (w *Writer) Stream(entries string, data []byte) int {
	return w.Raw("/Filter /FlateDecode "+entries, Deflate(data))
}

// Raw adds a stream with the entries and the encoded data given.
func (w *Writer) Raw(entries string, data []byte) int {
	return w.Add(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data))
}

// Deflate compresses data for the filter FlateDecode.
func Deflate(data []byte) []byte {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	_, _ = z.Write(data) // a bytes.Buffer accepts everything
	_ = z.Close()
	return b.Bytes()
}

// Close adds the cross-reference table and a trailer with these entries, and returns
// the file.
func (w *Writer) Close(trailer string) []byte {
	start := w.buffer.Len()
	fmt.Fprintf(&w.buffer, "xref\n0 %d\n0000000000 65535 f \n", w.Next())
	for _, offset := range w.offsets {
		fmt.Fprintf(&w.buffer, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&w.buffer, "trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n", w.Next(), trailer, start)
	return w.buffer.Bytes()
}

// A File is something to attach.
type File struct {
	Name, Description, MIME, Relationship string
	Params                                string // entries of Params
	Data                                  []byte
}

// Attach adds a file with its description, and returns the description's number.
func (w *Writer) Attach(f File) int {
	entries := "/Type /EmbeddedFile"
	if f.MIME != "" {
		entries += " /Subtype /" + strings.ReplaceAll(f.MIME, "/", "#2F")
	}
	if f.Params != "" {
		entries += " /Params << " + f.Params + " >>"
	}
	file := w.Stream(entries, f.Data)
	spec := fmt.Sprintf("<< /Type /Filespec /F (%s) /UF (%[1]s) /EF << /F %d 0 R /UF %[2]d 0 R >>", f.Name, file)
	if f.Description != "" {
		spec += fmt.Sprintf(" /Desc (%s)", f.Description)
	}
	if f.Relationship != "" {
		spec += " /AFRelationship /" + f.Relationship
	}
	return w.Add(spec + " >>")
}

// Pages adds a page tree with empty pages that have these entries, and returns its
// number.
func (w *Writer) Pages(n int, entries string) int {
	tree := w.Next() + n
	kids := make([]string, n)
	for i := range kids {
		kids[i] = Ref(w.Add(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] %s >>", tree, entries)))
	}
	return w.Add(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", n, strings.Join(kids, " ")))
}

// Letters is a PDF with a page for each content, which may show the font F and the picture P, one
// black pixel.
func Letters(contents ...string) []byte {
	var w Writer
	font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	picture := w.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte{0})
	tree := w.Next() + 2*len(contents)
	kids := make([]string, len(contents))
	for i, content := range contents {
		stream := w.Stream("", []byte(content))
		kids[i] = Ref(w.Add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 595 842] /Contents %s /Resources << /Font << /F %s >> /XObject << /P %s >> >> >>",
			Ref(tree), Ref(stream), Ref(font), Ref(picture))))
	}
	pages := w.Add(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " ")))
	return w.Close("/Root " + Ref(w.Add("<< /Type /Catalog /Pages "+Ref(pages)+" >>")))
}

// Rows is content that shows the rows of a text in the font F, each cell after an operator such as
// "3 Tr " (not painted). A tab leads to the next 130 points.
func Rows(operator, text string) string {
	var b strings.Builder
	for i, row := range strings.Split(text, "\n") {
		for j, cell := range strings.Split(row, "\t") {
			fmt.Fprintf(&b, "%sBT /F 10 Tf %d %d Td (%s) Tj ET\n", operator, 50+130*j, 780-14*i, cell)
		}
	}
	return b.String()
}

// Bill is an invoice in rows, with a %s for its number and one for its total.
const Bill = `Invoice
Seller:	Bill to:
Harbour Tools Ltd	Oak Street Bakery
4 Mill Lane	7 High Street
10115 Berlin	20095 Hamburg
Invoice number: %s
Invoice date: 20/11/2026

Description	Qty	Unit price	Amount
Steel bolts	10	2.50	25.00
Wood glue	2	12.00	24.00

	Net total	49.00
	VAT 19 %%	9.31
	Total	%s`

// Ref is a reference to an object.
func Ref(number int) string { return fmt.Sprintf("%d 0 R", number) }

// Hybrid is a PDF of one page with files attached as Factur-X requires: in the name tree
// and as associated files.
func Hybrid(files ...File) []byte {
	var w Writer
	var names, specs string
	for _, f := range files {
		ref := Ref(w.Attach(f))
		names += fmt.Sprintf("(%s) %s ", f.Name, ref)
		specs += ref + " "
	}
	pages := w.Pages(1, "")
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %s /AF [%s] /Names << /EmbeddedFiles << /Names [%s] >> >> >>", Ref(pages), specs, names))
	return w.Close("/Root " + Ref(root) + " /ID [<00><00>]")
}
