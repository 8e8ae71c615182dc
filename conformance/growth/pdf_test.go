package growth

import (
	"bytes"
	"fmt"
	"strings"

	"einvoice/formats/pdf/pdftest"
)

// pdfRecipes repeat what a PDF may have. Some are made with an invoice attached.
func pdfRecipes(invoice []byte) []recipe {
	pdf := func(name string, make func(n int, w *pdftest.Writer) (page, catalog string)) recipe {
		return recipe{name: "PDF: " + name, file: "made.pdf", make: func(n int) []byte {
			w := &pdftest.Writer{}
			spec := w.Attach(pdftest.File{Name: "factur-x.xml", Data: invoice, Relationship: "Alternative", MIME: "text/xml"})
			page, catalog := make(n, w)
			pages := w.Pages(1, page)
			if !strings.Contains(catalog, "/EmbeddedFiles") {
				catalog += fmt.Sprintf(" /AF [%s] /Names << /EmbeddedFiles << /Names [(factur-x.xml) %[1]s] >> >>", pdftest.Ref(spec))
			}
			return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" "+catalog+" >>")) + " /ID [<00><00>]")
		}}
	}
	attached := func(name string, called func(i int) string) recipe {
		return pdf(name, func(n int, w *pdftest.Writer) (string, string) {
			var names, specs strings.Builder
			for i := range n {
				ref := pdftest.Ref(w.Attach(pdftest.File{Name: called(i), Data: []byte{byte(i), byte(i >> 8)}}))
				fmt.Fprintf(&names, "(%s) %s ", called(i), ref)
				specs.WriteString(ref + " ")
			}
			return "", fmt.Sprintf("/AF [%s] /Names << /EmbeddedFiles << /Names [%s] >> >>", specs.String(), names.String())
		})
	}
	content := func(name string, make func(n int) string) recipe {
		return pdf(name, func(n int, w *pdftest.Writer) (string, string) {
			font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
			stream := w.Raw("", []byte(make(n)))
			return fmt.Sprintf("/Contents %s /Resources << /Font << /F %s >> >>", pdftest.Ref(stream), pdftest.Ref(font)), ""
		})
	}
	return []recipe{
		attached("attachments of one name", func(int) string { return "f.pdf" }),
		attached("attachments whose names differ in case", func(i int) string { return caseVariant("abcdefghijklmnop", i) + ".pdf" }),
		attached("attachments of different names", func(i int) string { return fmt.Sprintf("f%d.pdf", i) }),
		attached("attachments with numbers in their names", func(i int) string { return []string{"f.pdf", fmt.Sprintf("f-%d.pdf", i+1)}[i%2] }),
		content("texts", func(n int) string { return "BT /F 8 Tf 12 TL 50 800 Td " + strings.Repeat("(12,34) Tj T* ", n) + "ET" }),
		content("labels", func(n int) string {
			return "BT /F 8 Tf 12 TL 50 800 Td " + strings.Repeat("(Datum: ) Tj T* ", n) + "ET"
		}),
		content("operands of one operator", func(n int) string { return strings.Repeat("1 ", n) + "m" }),
		content("one long text", func(n int) string { return "BT /F 8 Tf 50 800 Td (" + strings.Repeat("Rechnung 1 ", n) + ") Tj ET" }),
		content("saved states", func(n int) string { return strings.Repeat("q ", n) + strings.Repeat("Q ", n) }),
		content("paths", func(n int) string { return strings.Repeat("1 1 m 9 9 l S ", n) }),
		content("texts at different places", func(n int) string {
			var b strings.Builder
			b.WriteString("BT /F 8 Tf ")
			for i := range n {
				fmt.Fprintf(&b, "1 0 0 1 %d %d Tm (Total 1,23) Tj ", i*7919%560, i*104729%800)
			}
			return b.String() + "ET"
		}),
		content("amounts in one line", func(n int) string { return "BT /F 8 Tf 10 700 Td " + strings.Repeat("(9,99 ) Tj ", n) + "ET" }),
		pdf("a form of n texts that is called n times", func(n int, w *pdftest.Writer) (string, string) {
			font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
			form := w.Raw(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F %s >> >>", pdftest.Ref(font)), []byte("BT /F 8 Tf "+strings.Repeat("(ab) Tj ", n)+"ET"))
			stream := w.Raw("", []byte(strings.Repeat("/X Do ", n)))
			return fmt.Sprintf("/Contents %s /Resources << /XObject << /X %s >> >>", pdftest.Ref(stream), pdftest.Ref(form)), ""
		}),
		pdf("a form that calls itself n times", func(n int, w *pdftest.Writer) (string, string) {
			form := w.Raw(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>", w.Next()), []byte(strings.Repeat("/X Do ", n)))
			stream := w.Raw("", []byte("/X Do"))
			return fmt.Sprintf("/Contents %s /Resources << /XObject << /X %s >> >>", pdftest.Ref(stream), pdftest.Ref(form)), ""
		}),
		pdf("forms that call each other twice", func(n int, w *pdftest.Writer) (string, string) {
			last := w.Raw("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", []byte("0 0 9 9 re f"))
			for range min(n/8, 4000) {
				last = w.Raw(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %s >> >>", pdftest.Ref(last)), []byte("/X Do /X Do"))
			}
			stream := w.Raw("", []byte("/X Do"))
			return fmt.Sprintf("/Contents %s /Resources << /XObject << /X %s >> >>", pdftest.Ref(stream), pdftest.Ref(last)), ""
		}),
		pdf("fonts", func(n int, w *pdftest.Writer) (string, string) {
			var fonts, text strings.Builder
			for i := range n {
				fmt.Fprintf(&fonts, "/F%d %s ", i, pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Font /Subtype /TrueType /BaseFont /Arial%d /Encoding /WinAnsiEncoding >>", i))))
				fmt.Fprintf(&text, "/F%d 8 Tf (a) Tj ", i)
			}
			stream := w.Raw("", []byte("BT "+text.String()+"ET"))
			return fmt.Sprintf("/Contents %s /Resources << /Font << %s >> >>", pdftest.Ref(stream), fonts.String()), ""
		}),
		pdf("annotations that share a form of n texts", func(n int, w *pdftest.Writer) (string, string) {
			form := w.Raw("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", []byte(strings.Repeat("BT (ab) Tj ET ", n)))
			var annotations strings.Builder
			for range n {
				fmt.Fprintf(&annotations, "%s ", pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /F 4 /AP << /N %s >> >>", pdftest.Ref(form)))))
			}
			return "/Annots [" + annotations.String() + "]", ""
		}),
		recipe{name: "PDF: pages that share content of n texts", file: "made.pdf", make: func(n int) []byte {
			w := &pdftest.Writer{}
			font := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
			stream := w.Raw("", []byte("BT /F 8 Tf 12 TL 50 800 Td "+strings.Repeat("(12,34) Tj T* ", n)+"ET"))
			pages := w.Pages(n, fmt.Sprintf("/Contents %s /Resources << /Font << /F %s >> >>", pdftest.Ref(stream), pdftest.Ref(font)))
			return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
		}},
		recipe{name: "PDF: pages", file: "made.pdf", make: func(n int) []byte {
			w := &pdftest.Writer{}
			pages := w.Pages(n, "")
			return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))
		}},
		pdf("nested arrays", func(n int, _ *pdftest.Writer) (string, string) {
			return "/X " + strings.Repeat("[", n) + strings.Repeat("]", n), ""
		}),
		pdf("entries of a dictionary", func(n int, _ *pdftest.Writer) (string, string) {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "/K%d %d ", i, i)
			}
			return "/X << " + b.String() + ">>", ""
		}),
		pdf("outlines", func(n int, w *pdftest.Writer) (string, string) {
			first := w.Next() + 1
			root := w.Add(fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", first, first+n-1, n))
			for i := range n {
				next := ""
				if i < n-1 {
					next = fmt.Sprintf("/Next %d 0 R", first+i+1)
				}
				w.Add(fmt.Sprintf("<< /Title (a) /Parent %s %s >>", pdftest.Ref(root), next))
			}
			return "", "/Outlines " + pdftest.Ref(root)
		}),
		pdf("fields of a form", func(n int, w *pdftest.Writer) (string, string) {
			var fields strings.Builder
			for i := range n {
				fields.WriteString(pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /T (f%d) /V (a) /Rect [0 0 9 9] /DA (/F 8 Tf) >>", i))) + " ")
			}
			return "/Annots [" + fields.String() + "]", "/AcroForm << /Fields [" + fields.String() + "] >>"
		}),
		pdf("form fields in each other", func(n int, w *pdftest.Writer) (string, string) {
			first := w.Next()
			for i := range n {
				w.Add(fmt.Sprintf("<< /T (f) /Kids [%d 0 R] >>", first+i+1))
			}
			w.Add("<< /FT /Tx /T (f) /V (a) >>")
			return "", "/AcroForm << /Fields [" + pdftest.Ref(first) + "] >>"
		}),
		pdf("nodes of a name tree in each other", func(n int, w *pdftest.Writer) (string, string) {
			first := w.Next()
			for i := range n {
				w.Add(fmt.Sprintf("<< /Kids [%d 0 R] >>", first+i+1))
			}
			w.Add("<< /Names [] >>")
			return "", "/Names << /EmbeddedFiles " + pdftest.Ref(first) + " >>"
		}),
		pdf("destinations", func(n int, _ *pdftest.Writer) (string, string) {
			var names strings.Builder
			for i := range n {
				fmt.Fprintf(&names, "(d%06d) [null /Fit] ", i)
			}
			return "", "/Names << /Dests << /Names [" + names.String() + "] >> >>"
		}),
		pdf("elements of structure", func(n int, w *pdftest.Writer) (string, string) {
			root := w.Next() + n
			var kids strings.Builder
			for range n {
				kids.WriteString(pdftest.Ref(w.Add(fmt.Sprintf("<< /Type /StructElem /S /P /P %d 0 R >>", root))) + " ")
			}
			return "", "/MarkInfo << /Marked true >> /StructTreeRoot " + pdftest.Ref(w.Add("<< /Type /StructTreeRoot /K ["+kids.String()+"] >>"))
		}),
		pdf("pictures", func(n int, w *pdftest.Writer) (string, string) {
			picture := w.Raw("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte("a"))
			stream := w.Raw("", []byte(strings.Repeat("q 9 0 0 9 9 9 cm /P Do Q ", n)))
			return fmt.Sprintf("/Contents %s /Resources << /XObject << /P %s >> >>", pdftest.Ref(stream), pdftest.Ref(picture)), ""
		}),
		pdf("spaces of colour in each other", func(n int, w *pdftest.Writer) (string, string) {
			stream := w.Raw("", []byte("/C cs 1 sc 0 0 9 9 re f"))
			return fmt.Sprintf("/Contents %s /Resources << /ColorSpace << /C %s/DeviceGray%s >> >>", pdftest.Ref(stream), strings.Repeat("[/Indexed ", n), strings.Repeat(" 0 <00>]", n)), ""
		}),
		pdf("streams of content", func(n int, w *pdftest.Writer) (string, string) {
			var streams strings.Builder
			for range n {
				streams.WriteString(pdftest.Ref(w.Raw("", []byte("q Q"))) + " ")
			}
			return "/Contents [" + streams.String() + "]", ""
		}),
		pdf("filters of a stream", func(n int, w *pdftest.Writer) (string, string) {
			return "/Contents " + pdftest.Ref(w.Raw("/Filter ["+strings.Repeat("/ASCIIHexDecode ", n)+"]", []byte(">"))), ""
		}),
		pdf("comments", func(n int, _ *pdftest.Writer) (string, string) { return "/X [" + strings.Repeat("%a\n", n) + "]", "" }),
		pdf("texts in one object", func(n int, _ *pdftest.Writer) (string, string) { return "/X [" + strings.Repeat("(a) ", n) + "]", "" }),
		pdf("texts and a comment in one object", func(n int, _ *pdftest.Writer) (string, string) {
			return "/X [" + strings.Repeat("(a) ", n) + "%a\n]", ""
		}),
		pdf("brackets in a text", func(n int, _ *pdftest.Writer) (string, string) {
			return "/X (" + strings.Repeat("(", n) + strings.Repeat(")", n) + ")", ""
		}),
		pdf("names in one object", func(n int, _ *pdftest.Writer) (string, string) { return "/X [" + strings.Repeat("/a#41 ", n) + "]", "" }),
		pdf("references to one object", func(n int, w *pdftest.Writer) (string, string) {
			return "/X [" + strings.Repeat(pdftest.Ref(w.Add("[]"))+" ", n) + "]", ""
		}),
		pdf("objects that refer to the next", func(n int, w *pdftest.Writer) (string, string) {
			first := w.Next()
			for i := range n {
				w.Add(fmt.Sprintf("<< /X %d 0 R >>", first+i+1))
			}
			w.Add("<< >>")
			return "/X " + pdftest.Ref(first), ""
		}),
		pdf("lengths that are objects", func(n int, w *pdftest.Writer) (string, string) {
			var streams strings.Builder
			for range n {
				streams.WriteString(pdftest.Ref(w.Add(fmt.Sprintf("<< /Length %d 0 R >>\nstream\na\nendstream", w.Next()+1))) + " ")
				w.Add("1")
			}
			return "/X [" + streams.String() + "]", ""
		}),
		recipe{name: "PDF: changes one after another", file: "made.pdf", make: func(n int) []byte {
			w := &pdftest.Writer{}
			pages := w.Pages(1, "")
			root := pdftest.Ref(w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>"))
			data := w.Close("/Root " + root)
			for range n {
				at := bytes.LastIndex(data, []byte("xref\n"))
				if last := bytes.LastIndex(data, []byte("\nxref\n")); last >= 0 {
					at = last + 1
				}
				data = append(data, fmt.Sprintf("\nxref\n0 0\ntrailer\n<< /Size %d /Root %s /Prev %d >>\nstartxref\n%d\n%%%%EOF\n", w.Next(), root, at, len(data)+1)...)
			}
			return data
		}},
		recipe{name: "PDF: pages in each other", file: "made.pdf", make: func(n int) []byte {
			w := &pdftest.Writer{}
			first := w.Next()
			for i := range n {
				parent := ""
				if i > 0 {
					parent = fmt.Sprintf("/Parent %d 0 R ", first+i-1)
				}
				w.Add(fmt.Sprintf("<< /Type /Pages %s/Count 1 /Kids [%d 0 R] >>", parent, first+i+1))
			}
			w.Add(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] >>", first+n-1))
			return w.Close("/Root " + pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(first)+" >>")))
		}},
		pdf("XMP properties", func(n int, w *pdftest.Writer) (string, string) {
			xmp := `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
				strings.Repeat("<dc:source>a</dc:source>", n) + `</rdf:Description></rdf:RDF></x:xmpmeta>`
			return "", "/Metadata " + pdftest.Ref(w.Raw("/Type /Metadata /Subtype /XML", []byte(xmp)))
		}),
		pdf("optional content groups", func(n int, w *pdftest.Writer) (string, string) {
			var groups strings.Builder
			for range n {
				groups.WriteString(pdftest.Ref(w.Add("<< /Type /OCG /Name (a) >>")) + " ")
			}
			return "", "/OCProperties << /OCGs [" + groups.String() + "] /D << /Order [" + groups.String() + "] >> >>"
		}),
	}
}

// caseVariant is a name whose letters are capital where a number has ones.
func caseVariant(letters string, i int) string {
	out := []byte(letters)
	for bit := range out {
		if i>>bit&1 == 1 {
			out[bit] -= 'a' - 'A'
		}
	}
	return string(out)
}
